// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog
internal import LMDB

extension Engine {
    /// Makes the indexes those of a configuration and builds what is new, in one commit.
    ///
    /// - Parameters:
    ///   - prune: also drops composite indexes and field overrides that the configuration lacks.
    ///   - progress: told the number of documents read so far.
    package func apply(
        _ configuration: IndexConfiguration, prune: Bool, progress: (Int) -> Void = { _ in }
    ) throws(EngineError) {
        try write { (cursors, _, changes) throws(EngineError) in
            // Queries may have lost or gained what serves them.
            changes.giveUp()
            let old = try self.catalogs.read(&cursors)
            let version = try Counter(.catalogVersion, self.stores).next(&cursors)
            let composites = try self.composites(of: configuration, old, prune: prune, &cursors)
            let new = CatalogSnapshot(
                version: version, composites: composites,
                fieldOverrides: Engine.overrides(of: configuration, old, prune: prune))
            var builder = try IndexBuilder(self.stores, from: old, to: new, database: self.database, &cursors)
            try builder.build(progress, &cursors)
            try self.store(new, replacing: old, &cursors)
        }
    }

    /// Those that stay keep their numbers; new ones get the next.
    @_lifetime(cursors: copy cursors)
    private func composites(
        of configuration: IndexConfiguration, _ old: CatalogSnapshot, prune: Bool, _ cursors: inout CursorSet
    ) throws(EngineError) -> [StoredComposite] {
        let wanted = Set(configuration.indexes)
        var composites = old.composites.filter { !prune || wanted.contains($0.definition) }
        for definition in configuration.indexes where !composites.contains(where: { $0.definition == definition }) {
            let number = try Counter(.composites, stores).next(&cursors)
            composites.append(StoredComposite(number: number, definition: definition, state: .ready))
        }
        return composites
    }

    private static func overrides(
        of configuration: IndexConfiguration, _ old: CatalogSnapshot, prune: Bool
    ) -> [FieldOverride] {
        guard !prune else { return configuration.fieldOverrides }
        let replaced = old.indexes.fieldOverrides.filter { existing in
            !configuration.fieldOverrides.contains {
                $0.collectionGroup == existing.collectionGroup && $0.path == existing.path
            }
        }
        return replaced + configuration.fieldOverrides
    }

    @_lifetime(cursors: copy cursors)
    private func store(
        _ new: CatalogSnapshot, replacing old: CatalogSnapshot, _ cursors: inout CursorSet
    ) throws(EngineError) {
        let records = CatalogRecords(stores)
        let kept = Set(new.composites)
        for composite in old.composites where !kept.contains(composite) { try records.remove(composite, &cursors) }
        for composite in new.composites where !old.composites.contains(composite) {
            try records.put(composite, &cursors)
        }
        if new.indexes.fieldOverrides != old.indexes.fieldOverrides {
            try records.put(new.indexes.fieldOverrides, &cursors)
        }
    }
}
