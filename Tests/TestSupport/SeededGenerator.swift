// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A repeatable source of random bits (SplitMix64): the same seed gives the same sequence on every platform.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// A generator with the seed in the environment variable `HEARTH_SEED`, or with a random one. Prints how to repeat
    /// the run.
    package static func printingSeed(_ name: String = #function) -> SeededGenerator {
        let chosen = ProcessInfo.processInfo.environment["HEARTH_SEED"].flatMap { UInt64($0) }
        let seed = chosen ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(name): random with seed \(seed); repeat with HEARTH_SEED=\(seed)")
        return SeededGenerator(seed: seed)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True with the probability `share`.
    package mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < share
    }

    package mutating func int(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// - Precondition: `choices` is not empty.
    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[int(0..<choices.count)]
    }
}
