// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

extension MissingIndexError {
    /// The missing index as an entry of `indexes` with its `__name__`; one field alone for a single-field matter.
    var indexNode: JSONNode {
        guard let singleField, let field = definition.fields.first else {
            return ConfigurationWriter.missingIndex(definition)
        }
        return ConfigurationWriter.missingIndex(singleField, of: field.path, in: definition.collectionGroup)
    }

    /// What to paste into a file whose other overrides are those of `catalog`.
    func fixNode(_ catalog: IndexCatalog) -> JSONNode {
        guard let singleField, let field = definition.fields.first else {
            return ConfigurationWriter.fix([definition])
        }
        return ConfigurationWriter.fix(
            adding: singleField, to: field.path, in: definition.collectionGroup,
            keeping: catalog.singleFieldIndexes(of: field.path, in: definition.collectionGroup))
    }
}
