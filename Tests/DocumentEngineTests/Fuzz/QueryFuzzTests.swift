// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Compares random queries on random databases with the naive evaluator and with each other.
///
/// `HEARTH_SEED` repeats the round of a seed and runs some more, each announced, in case one hangs or traps.
/// `HEARTH_FUZZ_MINUTES` sets the duration (`make fuzz MINUTES=…`).
@Suite struct QueryFuzzTests {
    static let rounds = Rounds.share > 1 ? 2 : 300
    static let workers = 2

    /// The number of seeds per line of progress.
    static let announced = 50

    /// Workers share only the machine.
    @Test(arguments: 0..<workers) func everyAnswerIsTheRules(worker: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["HEARTH_SEED"].flatMap({ UInt64($0) }) {
            if worker == 0 { try run(from: seed, rounds: Self.announced, until: nil, announcing: 1) }
            return
        }
        let minutes = environment["HEARTH_FUZZ_MINUTES"].flatMap { Double($0) }
        let deadline = minutes.map { Date(timeIntervalSinceNow: $0 * 60) }
        let rounds = deadline == nil ? Self.rounds : Int.max
        // Small enough to type.
        let first = UInt64.random(in: 0...UInt64(UInt32.max))
        try run(from: first, rounds: rounds, until: deadline, announcing: UInt64(Self.announced))
    }

    private func run(from first: UInt64, rounds: Int, until deadline: Date?, announcing step: UInt64) throws {
        let tally = FuzzTally()
        var seed = first
        var hasFailed = false
        while !hasFailed, seed - first < UInt64(rounds), deadline.map({ Date() < $0 }) ?? true {
            // Not with print, because a trap would lose its buffer.
            if (seed - first) % step == 0 {
                FileHandle.standardError.write(Data("fuzzing from HEARTH_SEED=\(seed)\n".utf8))
            }
            var round = try FuzzRound(seed: seed, tally)
            hasFailed = try !round.run()
            seed += 1
        }
        print("\(seed - first) databases, \(tally.runs) query runs:\n\(tally.description)")
        #expect(hasFailed || seed - first < Self.rounds || tally.runs >= 500 * Self.rounds)
        // Two databases need not have them all; three hundred have.
        if !hasFailed, Self.rounds == 300, seed - first >= 300 {
            #expect(tally.missing(RandomExecution.allForms) == [])
        }
    }
}
