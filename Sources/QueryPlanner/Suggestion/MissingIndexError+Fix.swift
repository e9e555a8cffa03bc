// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog

extension MissingIndexError {
    /// The piece of an index file that makes up for it: the composite, or the override of one field with the missing mode
    /// beside those in force, because an override replaces them all (I-8).
    package func fix(for catalog: IndexCatalog) -> IndexConfiguration {
        guard let singleField, let path = definition.fields.first?.path else {
            return IndexConfiguration(indexes: [definition])
        }
        let group = definition.collectionGroup
        let known = catalog.fieldOverrides.last { $0.collectionGroup == group && $0.path == path }
        let indexes = catalog.singleFieldIndexes(of: path, in: group).union([singleField])
        return IndexConfiguration(fieldOverrides: [
            FieldOverride(collectionGroup: group, path: path, indexes: indexes, timeToLive: known?.timeToLive)
        ])
    }
}
