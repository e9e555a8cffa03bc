// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Deletes key ranges in commits so short that other writers hardly notice.
struct EntryRemover {
    private let scheduler: TransactionScheduler
    private var batchSize = AdaptiveBatchSize()

    init(_ scheduler: TransactionScheduler) {
        self.scheduler = scheduler
    }

    /// - Parameter progress: called after each commit.
    mutating func remove(
        _ spans: [KeyRange], from store: StoreName, _ progress: () throws(EngineError) -> Void = {}
    ) throws(EngineError) {
        // Each commit is synced. A map with a field for each user has thousands of indexes, most of them without entries.
        var rest = try scheduler.read { (transaction) throws(EngineError) in
            try transaction.rangesWithKeys(of: spans, in: store)
        }
        while !rest.isEmpty {
            rest = try batchSize.write(scheduler) { (transaction, _, limit) throws(EngineError) in
                let next = try transaction.delete(rest, from: store, limit: limit)
                return (next, hasMore: !next.isEmpty)
            }
            try progress()
        }
    }
}

extension TransactionScheduler {
    /// Removes the orphaned ranges of killed loads. Requires the maintenance lock.
    func removeUnfinishedLoads() throws(EngineError) {
        try removeUnfinishedLoads(
            read { (transaction) throws(EngineError) in try UnfinishedLoads.read(&transaction) })
    }

    /// Removes entries before documents, so that a collection without documents has no entries.
    func removeUnfinishedLoads(_ blocks: [Range<UInt64>]) throws(EngineError) {
        guard !blocks.isEmpty else { return }
        let orphanedRanges = try read { (transaction) throws(EngineError) in
            try OrphanedRanges(ofLoads: blocks, try self.catalogs.read(&transaction), &transaction)
        }
        var remover = EntryRemover(self)
        try remover.remove(orphanedRanges.fieldEntries, from: .fieldEntries)
        try remover.remove(orphanedRanges.compositeEntries, from: .compositeEntries)
        try remover.remove(orphanedRanges.documents, from: .documents)
        try write { (transaction, _, _) throws(EngineError) in
            for block in blocks { try UnfinishedLoads.remove(block, &transaction) }
        }
    }
}
