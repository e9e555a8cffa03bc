// SPDX-License-Identifier: Apache-2.0

/// How many entries a commit in the background may change, so that a writer who waits for it hardly notices.
struct AdaptiveBatchSize {
    private(set) var entries: Int
    private let clock = ContinuousClock()

    private static let target = Duration.milliseconds(12)

    init(entries: Int = 2_000) {
        self.entries = entries
    }

    /// Runs one commit, which is told how many entries it may change, and learns from how long it took.
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
