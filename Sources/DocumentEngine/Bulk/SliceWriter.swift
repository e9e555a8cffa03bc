// SPDX-License-Identifier: Apache-2.0

/// Writes sorted entries in commits of many. Appends them if their keys are the greatest in the store.
struct SliceWriter {
    private let scheduler: TransactionScheduler
    private let total: Int
    private var written = 0
    /// Nil if commits may be long.
    private var batchSize: AdaptiveBatchSize?

    /// - Parameter total: the total bytes of keys and values to write.
    init(_ scheduler: TransactionScheduler, total: Int, batchSize: AdaptiveBatchSize? = nil) {
        self.scheduler = scheduler
        self.total = total
        self.batchSize = batchSize
    }

    /// - Parameters:
    ///   - progress: called with the written share of the total, from 0 to 1.
    ///   - fill: as in ``Prefetcher/init(_:)``.
    mutating func write(
        _ store: StoreName, _ progress: (Double) throws(EngineError) -> Void,
        _ fill: @escaping @Sendable (inout EntryBuffer) throws(EngineError) -> Void
    ) throws(EngineError) {
        let slices = Prefetcher(fill)
        var slice = try slices.next()
        while let full = slice {
            try write(full, store)
            written += full.bytes.count
            try progress(total == 0 ? 1 : min(1, Double(written) / Double(total)))
            slice = try slices.next(reusing: full)
        }
    }

    private mutating func write(_ slice: EntryBuffer, _ store: StoreName) throws(EngineError) {
        guard var batchSize else {
            return try scheduler.write { (transaction, _, _) throws(EngineError) in
                try LongKeyWriter(store, &transaction).append(slice, slice.entries.indices, &transaction)
            }
        }
        var rest = slice.entries.indices
        while !rest.isEmpty {
            let count = try batchSize.write(scheduler) { (transaction, _, limit) throws(EngineError) in
                let part = rest.prefix(limit)
                try LongKeyWriter(store, &transaction).append(slice, part, &transaction)
                return (part.count, hasMore: part.count < rest.count)
            }
            rest.removeFirst(count)
        }
        self.batchSize = batchSize
    }
}
