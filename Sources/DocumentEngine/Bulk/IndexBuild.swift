// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import Synchronization

/// The progress of index builds.
package struct IndexBuildProgress: Sendable {
    /// The number of documents read.
    package let documents: Int
    /// The completed share of the whole work, from 0 to 1.
    package let fraction: Double
}

/// Carries out the index change in the catalog while others read and write: removes the entries of dropped indexes,
/// builds new indexes, and makes them ready for queries.
///
/// 1. Reads documents in many short reads, sorts their entries on disk, merges them, and appends them in many short
///    commits. Meanwhile writes record their changes of the same entries in the build log.
/// 2. Replays the build log in short commits. The commit that finds it empty declares the indexes ready.
///
/// A build that is killed repeats its step from the beginning. It puts the same entries again, and the build log has
/// every change since.
struct IndexBuild {
    private let scheduler: TransactionScheduler
    private let catalog: CatalogSnapshot
    private var documents = 0

    /// The share of the work that is reading.
    private static let readingShare = 0.7
    /// Bytes of entries to merge while the previous ones are written.
    private static let sliceSize = 2 << 20

    init(_ scheduler: TransactionScheduler) throws(EngineError) {
        self.scheduler = scheduler
        catalog = try scheduler.catalog()
    }

    /// - Parameter progress: called between two commits. If it throws, that is as if the build were killed there.
    mutating func run(_ progress: (IndexBuildProgress) throws(EngineError) -> Void) throws(EngineError) {
        let tell = { () throws(EngineError) in try progress(IndexBuildProgress(documents: 0, fraction: 0)) }
        try removeDropped(tell)
        guard catalog.isBuilding else { return }
        try removeReplaced(tell)
        if try !isCatchingUp() {
            try makeEntries(progress)
            try scheduler.write { (transaction, _, _) throws(EngineError) in
                try transaction.put(CatalogKey.buildPhase, [1], into: .catalog)
            }
        }
        try catchUp()
    }

    private func isCatchingUp() throws(EngineError) -> Bool {
        try scheduler.read { (transaction) throws(EngineError) in
            let key = CatalogKey.buildPhase
            return try transaction.get(key.span.bytes, from: .catalog) != nil
        }
    }

    // MARK: - Removing

    /// Removes the entries of dropped composite indexes.
    private func removeDropped(_ progress: () throws(EngineError) -> Void) throws(EngineError) {
        let indexIDs = try scheduler.read { (transaction) throws(EngineError) in
            try CatalogRecords.dropped(&transaction)
        }
        var remover = EntryRemover(scheduler)
        for indexID in indexIDs {
            try remover.remove([KeyRange(id: indexID)], from: .compositeEntries, progress)
            try scheduler.write { (transaction, _, _) throws(EngineError) in
                _ = try transaction.delete(CatalogKey.droppedComposite(indexID), from: .catalog)
            }
        }
    }

    /// Removes the entries of automatic indexes that the new overrides lack.
    private func removeReplaced(_ progress: () throws(EngineError) -> Void) throws(EngineError) {
        guard catalog.formerOverrides != nil else { return }
        let spans = try scheduler.read { (transaction) throws(EngineError) in
            var spans: [KeyRange] = []
            try FieldIndexKey.forEach(&transaction) { (index, indexID, _) throws(EngineError) in
                if !FieldNode.isWanted(index, catalog.indexes) { spans.append(KeyRange(id: indexID)) }
            }
            return spans
        }
        var remover = EntryRemover(scheduler)
        try remover.remove(spans, from: .fieldEntries, progress)
    }

    // MARK: - Making entries

    private mutating func makeEntries(_ progress: (IndexBuildProgress) throws(EngineError) -> Void) throws(EngineError)
    {
        let file = try scheduler.makeScratchFile()
        let runs = try readDocuments(file, progress)
        let total = runs.fields.size + runs.composites.size
        var writer = SliceWriter(scheduler, total: total, batchSize: AdaptiveBatchSize())
        let documents = documents
        func tell(_ fraction: Double) throws(EngineError) {
            let whole = IndexBuild.readingShare + (1 - IndexBuild.readingShare) * fraction
            try progress(IndexBuildProgress(documents: documents, fraction: whole))
        }
        let last = try lastBuiltComposite()
        for (store, sorted) in [(StoreName.fieldEntries, runs.fields), (.compositeEntries, runs.composites)] {
            var merger = try RunMerger(sorted)
            if let last, store == .compositeEntries { try merger.skip(through: last) }
            let entries = Mutex(merger)
            try writer.write(store, tell) { (buffer) throws(EngineError) in
                try entries.withLock { (merger) throws(EngineError) in
                    try merger.fill(&buffer, limit: IndexBuild.sliceSize)
                }
            }
        }
    }

    private mutating func readDocuments(
        _ file: ScratchFile, _ progress: (IndexBuildProgress) throws(EngineError) -> Void
    ) throws(EngineError) -> EntryRuns {
        let total = try scheduler.storage.entryCount(of: .documents)
        var reader = try DocumentReader(scheduler, where: needsReading)
        let encoders = RunMakers { [scheduler, catalog] in BuildEncoder(scheduler, catalog, file) }
        defer { encoders.waitForThreads() }
        while let batch = try reader.next() {
            documents += batch.records.entries.count
            try encoders.submit(batch)
            let share = Double(documents) / Double(max(total, documents))
            try progress(IndexBuildProgress(documents: documents, fraction: IndexBuild.readingShare * share))
        }
        return try encoders.finish()
    }

    /// Whether any index of a collection group is being built.
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

    /// The last entry written to an index that is being built. Entries are appended in key order, so all earlier
    /// entries are written too. Indexes that are being built have the highest IDs.
    private func lastBuiltComposite() throws(EngineError) -> [UInt8]? {
        guard let first = catalog.composites.filter({ $0.state == .building }).map(\.indexID).min() else { return nil }
        return try scheduler.read { (transaction) throws(EngineError) in
            var cursor = try LongKeyCursor(.compositeEntries, &transaction)
            let key: [UInt8]? =
                try cursor.seek(before: [UInt8]().span.bytes, &transaction)
                ? [UInt8](copying: cursor.key(transaction)) : nil
            cursor.close(&transaction)
            guard let key else { return nil }
            return try OrderedInteger.read(key.span.bytes) >= first ? key : nil
        }
    }

    // MARK: - Catching up

    private func catchUp() throws(EngineError) {
        var batchSize = AdaptiveBatchSize()
        var isDone = false
        while !isDone {
            isDone = try batchSize.write(scheduler) { (transaction, changes, limit) throws(EngineError) in
                guard try IndexBuildLog(&transaction).replay(limit: limit, &transaction) else {
                    return (false, hasMore: true)
                }
                // Listeners run their queries again, because more indexes serve them.
                changes.discard()
                try finish(&transaction)
                return (true, hasMore: false)
            }
        }
    }

    private func finish(_ transaction: inout Transaction) throws(EngineError) {
        _ = try Counter(.catalogVersion).next(&transaction)
        for composite in catalog.composites where composite.state == .building {
            let ready = StoredComposite(indexID: composite.indexID, definition: composite.definition, state: .ready)
            try CatalogRecords.put(ready, &transaction)
        }
        try CatalogRecords.put(catalog.indexes.fieldOverrides, replacing: nil, &transaction)
        try transaction.delete(CatalogKey.buildPhase, from: .catalog)
    }
}
