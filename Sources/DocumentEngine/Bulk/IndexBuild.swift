// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner
internal import Synchronization

/// How far the building of indexes is.
package struct IndexBuildProgress: Sendable {
    /// Documents read.
    package let documents: Int
    /// How much of the whole is done, from 0 to 1.
    package let fraction: Double
}

/// Carries out a change of indexes that the catalog names, while others read and write: removes the entries of indexes that are
/// gone, makes those of new ones, and lets queries see them.
///
/// 1. Documents are read in many short reads, their entries sorted on disk, merged, and appended in many short commits.
///    Meanwhile writes note in the side log what they do to the same entries.
/// 2. The side log is made up for in short commits, the last of which finds it empty and declares the indexes ready.
///
/// Whatever moment it is killed at, it can be carried out again from the beginning of the step: the entries that a step has put
/// are those that it will put again, and the side log has every change since.
struct IndexBuild {
    private let engine: Engine
    private let catalog: CatalogSnapshot
    private var documents = 0

    /// The share of the whole that reading is.
    private static let readingShare = 0.7
    /// Bytes of entries that are merged at a time, while those before are written.
    private static let sliceSize = 2 << 20

    init(_ engine: Engine) throws(EngineError) {
        self.engine = engine
        catalog = try engine.catalog()
    }

    mutating func run(_ progress: (IndexBuildProgress) -> Void) throws(EngineError) {
        try removeDropped()
        guard catalog.isBuilding else { return }
        try removeReplaced()
        if try !isCatchingUp() {
            try makeEntries(progress)
            try engine.write { (cursors, _, _) throws(EngineError) in
                let writer = try KeyedWriter(
                    engine.stores.keyed(engine.stores.catalog), runs: Counter(.runs, engine.stores), &cursors)
                try writer.put(CatalogKey.buildPhase, [1], &cursors)
            }
        }
        try catchUp()
    }

    private func isCatchingUp() throws(EngineError) -> Bool {
        try engine.read { (cursors) throws(EngineError) in
            let key = CatalogKey.buildPhase
            return try cursors.lookUp(engine.stores.catalog, key.span.bytes) != nil
        }
    }

    // MARK: - Removing

    /// Removes the entries of composite indexes that were dropped.
    private func removeDropped() throws(EngineError) {
        let numbers = try engine.read { (cursors) throws(EngineError) in
            try CatalogRecords(engine.stores).dropped(&cursors)
        }
        var remover = EntryRemover(engine)
        for number in numbers {
            try remover.remove([KeyRange(number: number)], from: engine.stores.compositeEntries)
            try engine.write { (cursors, _, _) throws(EngineError) in
                let writer = try KeyedWriter(
                    engine.stores.keyed(engine.stores.catalog), runs: Counter(.runs, engine.stores), &cursors)
                _ = try writer.delete(CatalogKey.droppedComposite(number), &cursors)
            }
        }
    }

    /// Removes the entries of automatic indexes that the new overrides lack.
    private func removeReplaced() throws(EngineError) {
        guard catalog.formerOverrides != nil else { return }
        let spans = try engine.read { (cursors) throws(EngineError) in
            var spans: [KeyRange] = []
            try FieldIndexKey.forEach(engine.stores, &cursors) { (index, number) throws(EngineError) in
                if !FieldNode.isWanted(index, catalog.indexes) { spans.append(KeyRange(number: number)) }
            }
            return spans
        }
        var remover = EntryRemover(engine)
        try remover.remove(spans, from: engine.stores.fieldEntries)
    }

    // MARK: - Making entries

    private mutating func makeEntries(_ progress: (IndexBuildProgress) -> Void) throws(EngineError) {
        let file: ScratchFile
        do { file = try ScratchFile(beside: engine.environment.path) } catch { throw .storage(error) }
        let runs = try readDocuments(file, progress)
        let total = runs.fields.size + runs.composites.size
        var writer = SliceWriter(engine, total: total, pace: Pace())
        let documents = documents
        func tell(_ fraction: Double) {
            let whole = IndexBuild.readingShare + (1 - IndexBuild.readingShare) * fraction
            progress(IndexBuildProgress(documents: documents, fraction: whole))
        }
        let last = try lastBuiltComposite()
        for (store, sorted) in [
            (engine.stores.fieldEntries, runs.fields), (engine.stores.compositeEntries, runs.composites),
        ] {
            var merger = try RunMerger(sorted)
            if let last, store == engine.stores.compositeEntries { try merger.skip(through: last) }
            let entries = Mutex(merger)
            try writer.write(store, tell) { (buffer) throws(EngineError) in
                try entries.withLock { (merger) throws(EngineError) in
                    try merger.fill(&buffer, limit: IndexBuild.sliceSize)
                }
            }
        }
    }

    private mutating func readDocuments(
        _ file: ScratchFile, _ progress: (IndexBuildProgress) -> Void
    ) throws(EngineError) -> EntryRuns {
        let total = try engine.documentCount()
        var reader = try DocumentReader(engine, where: needsReading)
        let encoders = RunMakers { [engine, catalog] in BuildEncoder(engine, catalog, file) }
        while let batch = try reader.next() {
            documents += batch.records.entries.count
            try encoders.submit(batch)
            let share = Double(documents) / Double(max(total, documents))
            progress(IndexBuildProgress(documents: documents, fraction: IndexBuild.readingShare * share))
        }
        return try encoders.finish()
    }

    /// Whether anything is being built for a collection group.
    private func needsReading(_ group: Text) -> Bool {
        if catalog.composites.contains(where: { $0.state == .building && $0.definition.collectionGroup == group }) {
            return true
        }
        guard let former = catalog.formerOverrides else { return false }
        let relevant = { (overrides: [FieldOverride]) in
            Set(overrides.filter { $0.mayConcern(group) })
        }
        return relevant(former) != relevant(catalog.indexes.fieldOverrides)
    }

    /// The last entry that stands in an index that is being built: entries are appended in order, so that all before it stand,
    /// too. Indexes that are being built have the highest numbers.
    private func lastBuiltComposite() throws(EngineError) -> [UInt8]? {
        guard let first = catalog.composites.filter({ $0.state == .building }).map(\.number).min() else { return nil }
        return try engine.read { (cursors) throws(EngineError) in
            var cursor = try KeyCursor(engine.stores.keyed(engine.stores.compositeEntries), &cursors)
            guard try cursor.seek(before: [UInt8]().span.bytes, &cursors) else { return nil }
            let key = [UInt8](copying: cursor.key(cursors))
            return try OrderedInteger.read(key.span.bytes) >= first ? key : nil
        }
    }

    // MARK: - Catching up

    private func catchUp() throws(EngineError) {
        var pace = Pace()
        var isDone = false
        while !isDone {
            isDone = try pace.measure { (limit) throws(EngineError) in
                try engine.write { (cursors, _, changes) throws(EngineError) in
                    guard try SideLog(engine.stores, &cursors).replay(limit: limit, &cursors) else { return false }
                    // Queries have gained what serves them.
                    changes.giveUp()
                    try finish(&cursors)
                    return true
                }
            }
        }
    }

    private func finish(_ cursors: inout CursorSet) throws(EngineError) {
        _ = try Counter(.catalogVersion, engine.stores).next(&cursors)
        let records = CatalogRecords(engine.stores)
        for composite in catalog.composites where composite.state == .building {
            let ready = StoredComposite(number: composite.number, definition: composite.definition, state: .ready)
            try records.put(ready, &cursors)
        }
        try records.put(catalog.indexes.fieldOverrides, replacing: nil, &cursors)
        let writer = try KeyedWriter(
            engine.stores.keyed(engine.stores.catalog), runs: Counter(.runs, engine.stores), &cursors)
        _ = try writer.delete(CatalogKey.buildPhase, &cursors)
    }
}

extension Engine {
    /// About how many documents there are.
    func documentCount() throws(EngineError) -> Int {
        do { return try environment.statistics(of: stores.documents).entries } catch { throw .storage(error) }
    }
}
