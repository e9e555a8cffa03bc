// SPDX-License-Identifier: Apache-2.0

/// Adapts the number of entries per background commit, so that waiting writers hardly notice the commits.
struct AdaptiveBatchSize {
    private var entries = 2_000
    private let clock = ContinuousClock()

    private static let target = Duration.milliseconds(12)

    /// Runs one commit with the current limit, and adapts the limit to the time that the commit took.
    mutating func measure<R>(_ commit: (Int) throws(EngineError) -> R) throws(EngineError) -> R {
        let start = clock.now
        let result = try commit(entries)
        let took = clock.now - start
        if took > AdaptiveBatchSize.target * 2 {
            entries = max(entries / 2, 500)
        } else if took < AdaptiveBatchSize.target / 3 {
            entries = min(entries * 2, 1 << 20)
        } else if took < AdaptiveBatchSize.target {
            entries = min(entries + entries / 4, 1 << 20)
        }
        return result
    }
}
