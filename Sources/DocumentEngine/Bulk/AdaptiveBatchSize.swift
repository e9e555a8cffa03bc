// SPDX-License-Identifier: Apache-2.0

/// Adapts the number of entries per background commit, so that waiting writers hardly notice the commits.
///
/// It measures how long a transaction changes entries, not how long it waits for its turn and for syncs: fewer entries would not
/// shorten those waits. On a slow device it would fall to the least, and the syncs of many small commits would take all the time.
struct AdaptiveBatchSize {
    private(set) var entries = 2_000

    private static let target = Duration.milliseconds(4)
    private static let bounds = 500...1 << 20

    /// Runs `change` in a write transaction, with the number of entries that it may change.
    ///
    /// `change` says whether there is more to do, so that it used up the limit. It may run again if the map had to grow, so it must
    /// keep nothing from a run that did not commit.
    mutating func write<R>(
        _ scheduler: TransactionScheduler,
        _ change: (inout Transaction, inout ChangeLog, _ limit: Int) throws(EngineError) -> (result: R, hasMore: Bool)
    ) throws(EngineError) -> R {
        let clock = ContinuousClock()
        let limit = entries
        var took = Duration.zero
        let (result, hasMore) = try scheduler.write { (transaction, _, changes) throws(EngineError) in
            let start = clock.now
            let result = try change(&transaction, &changes, limit)
            took = clock.now - start
            return result
        }
        adapt(to: took, isWhole: hasMore)
        return result
    }

    /// Chooses the next number.
    ///
    /// - Parameters:
    ///   - took: how long the last change took.
    ///   - isWhole: whether it had as many entries as it might. How long fewer take says nothing about more.
    mutating func adapt(to took: Duration, isWhole: Bool) {
        if took > AdaptiveBatchSize.target * 2 {
            entries = max(entries / 2, AdaptiveBatchSize.bounds.lowerBound)
        } else if !isWhole {
            return
        } else if took < AdaptiveBatchSize.target / 3 {
            entries = min(entries * 2, AdaptiveBatchSize.bounds.upperBound)
        } else if took < AdaptiveBatchSize.target {
            entries = min(entries + entries / 4, AdaptiveBatchSize.bounds.upperBound)
        }
    }
}
