// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// How long to wait before the next attempt: not at all at first, then one second, then half as much again each time up
/// to a minute; each up to half shorter or longer by chance. Time since the last attempt counts.
struct Backoff {
    private static let first = 1_000.0
    private static let factor = 1.5
    private static let greatest = 60_000.0
    /// Where the client's own network fails, it may come back at any time.
    private static let greatestWithoutNetwork = 10_000.0

    private var base = 0.0
    private var limit = Backoff.greatest
    private var lastAttempt: Timestamp?

    mutating func reset() { base = 0 }
    mutating func resetToGreatest() { base = Backoff.greatest }
    mutating func limitNextWithoutNetwork() { limit = Backoff.greatestWithoutNetwork }
    mutating func noteAttempt(at now: Timestamp) { lastAttempt = now }

    /// Milliseconds to wait from `now`.
    mutating func next(at now: Timestamp, _ generator: inout JitterGenerator) -> Int {
        let wanted = base + (generator.fraction() - 0.5) * base
        let passed = lastAttempt.map { Double(max(0, now.microseconds - $0.microseconds)) / 1_000 } ?? 0
        base = min(max(base * Backoff.factor, Backoff.first), limit)
        limit = Backoff.greatest
        return Int(max(0, wanted - passed))
    }
}

/// The chance in waiting times and names, from a seed (SplitMix64).
struct JitterGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// In 0..<1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
