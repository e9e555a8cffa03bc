// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Deletes key ranges in commits so short that other writers hardly notice.
struct EntryRemover {
    private let scheduler: TransactionScheduler
    private var batchSize = AdaptiveBatchSize()

    init(_ scheduler: TransactionScheduler) {
        self.scheduler = scheduler
    }

    mutating func remove(_ spans: [KeyRange], from store: StoreName) throws(EngineError) {
        for span in spans { try remove(span, from: store) }
    }

    private mutating func remove(_ span: KeyRange, from store: StoreName) throws(EngineError) {
        var from: [UInt8]? = span.lower
        while let start = from {
            from = try batchSize.write(scheduler) { (transaction, _, limit) throws(EngineError) in
                let next = try transaction.delete(KeyRange(lower: start, upper: span.upper), from: store, limit: limit)
                return (next, hasMore: next != nil)
            }
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
