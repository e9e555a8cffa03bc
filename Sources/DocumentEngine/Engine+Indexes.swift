// SPDX-License-Identifier: Apache-2.0

package import IndexCatalog
internal import LMDB

extension Engine {
    /// Changes the indexes to those of a configuration, and builds new ones while others read and write. Returns when
    /// all indexes are ready.
    ///
    /// One commit changes the definitions. From then on dropped indexes are gone, and every write maintains the new
    /// ones, which queries cannot use yet. The commits that build them are so short that writers hardly notice. If the
    /// call is killed or fails, the next call or ``resumeIndexBuilds(progress:)`` continues the builds. Across all
    /// processes only one index change or load runs at a time; a second one waits.
    ///
    /// - Parameters:
    ///   - prune: also drops composite indexes and field overrides that the configuration lacks.
    ///   - progress: called from time to time with the progress of the builds.
    package func apply(
        _ configuration: IndexConfiguration, prune: Bool, progress: (IndexBuildProgress) -> Void = { _ in }
    ) throws(EngineError) {
        try environment.whileMaintaining { () throws(EngineError) in
            try scheduler.removeUnfinishedLoads()
            try build(progress)
            try beginChange(to: configuration, prune: prune)
            try build(progress)
        }
    }

    /// Finishes an interrupted index change, unless another thread or process is changing indexes or loading. That one has
    /// finished it first, unless it is killed.
    ///
    /// - Parameter progress: called between two commits. If it throws, the call ends, and a later one continues.
    /// - Returns: whether nothing is left to do.
    @discardableResult
    package func resumeIndexBuilds(
        progress: (IndexBuildProgress) throws(EngineError) -> Void = { _ in }
    ) throws(EngineError) -> Bool {
        guard try hasUnfinishedBuild() else { return true }
        return try environment.ifNobodyMaintains { () throws(EngineError) in try build(progress) } != nil
    }

    /// Requires the maintenance lock.
    func build(_ progress: (IndexBuildProgress) throws(EngineError) -> Void) throws(EngineError) {
        guard try hasUnfinishedBuild() else { return }
        var build = try IndexBuild(scheduler)
        try build.run(progress)
    }

    /// Whether an interrupted index change has still to build an index, or to remove the entries of one that was dropped.
    package func hasUnfinishedBuild() throws(EngineError) -> Bool {
        try read { (transaction) throws(EngineError) in
            let catalog = try self.catalogs.read(&transaction)
            if catalog.isBuilding { return true }
            return try !CatalogRecords.dropped(&transaction).isEmpty
        }
    }

    private func beginChange(to configuration: IndexConfiguration, prune: Bool) throws(EngineError) {
        try write { (transaction, _, changes) throws(EngineError) in
            // Listeners must run their queries again, because indexes may be gone.
            changes.discard()
            let old = try self.catalogs.read(&transaction)
            let overrides = Engine.overrides(of: configuration, old, prune: prune)
            var documents = try LongKeyCursor(.documents, &transaction)
            let isEmpty = try !documents.seek([UInt8]().span.bytes, &transaction)
            documents.close(&transaction)
            let composites = try self.composites(
                of: configuration, old, prune: prune, state: isEmpty ? .ready : .building, &transaction)
            let isSame = Engine.indexes(of: overrides) == Engine.indexes(of: old.indexes.fieldOverrides)
            let new = CatalogSnapshot(
                version: try Counter(.catalogVersion).next(&transaction), composites: composites,
                fieldOverrides: overrides,
                formerOverrides: isEmpty || isSame ? nil : old.indexes.fieldOverrides)
            try self.store(new, replacing: old, &transaction)
        }
    }

    /// Kept indexes keep their IDs. New indexes get the next IDs.
    private func composites(
        of configuration: IndexConfiguration, _ old: CatalogSnapshot, prune: Bool, state: IndexState,
        _ transaction: inout Transaction
    ) throws(EngineError) -> [StoredComposite] {
        let wanted = Set(configuration.indexes)
        var composites = old.composites.filter { !prune || wanted.contains($0.definition) }
        var known = Set(composites.map(\.definition))
        for definition in configuration.indexes where known.insert(definition).inserted {
            let indexID = try Counter(.composites).next(&transaction)
            composites.append(StoredComposite(indexID: indexID, definition: definition, state: state))
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

    /// The overrides reduced to their indexes. If a field has several overrides, the last one wins.
    private static func indexes(of overrides: [FieldOverride]) -> Set<FieldOverride> {
        var last: [FieldOverride: FieldOverride] = [:]
        for override in overrides {
            let field = FieldOverride(collectionGroup: override.collectionGroup, path: override.path, indexes: [])
            last[field] = FieldOverride(
                collectionGroup: override.collectionGroup, path: override.path, indexes: override.indexes)
        }
        return Set(last.values)
    }

    private func store(
        _ new: CatalogSnapshot, replacing old: CatalogSnapshot, _ transaction: inout Transaction
    ) throws(EngineError) {
        let (kept, known) = (Set(new.composites), Set(old.composites))
        for composite in old.composites where !kept.contains(composite) {
            try CatalogRecords.drop(composite, &transaction)
        }
        for composite in new.composites where !known.contains(composite) {
            try CatalogRecords.put(composite, &transaction)
        }
        try CatalogRecords.put(new.indexes.fieldOverrides, replacing: new.formerOverrides, &transaction)
    }
}
