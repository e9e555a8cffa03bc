// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Random databases under random queries, against the naive evaluator and against themselves.
///
/// `HEARTH_SEED` repeats one round; `HEARTH_FUZZ_MINUTES` goes on for so long (`make fuzz MINUTES=…`).
@Suite struct QueryFuzzTests {
    #if DEBUG
        static let rounds = 10
    #else
        static let rounds = 500
    #endif
    static let workers = 2

    /// Workers share nothing but the machine.
    @Test(arguments: 0..<workers) func everyAnswerIsTheRules(worker: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["HEARTH_SEED"].flatMap({ UInt64($0) }) {
            if worker == 0 { try run(seeds: [seed].makeIterator(), until: nil) }
            return
        }
        var seeds = SeededGenerator(seed: UInt64.random(in: 0...UInt64(UInt32.max)))
        let minutes = environment["HEARTH_FUZZ_MINUTES"].flatMap { Double($0) }
        let deadline = minutes.map { Date(timeIntervalSinceNow: $0 * 60) }
        let rounds = deadline == nil ? Self.rounds : Int.max
        // Small enough to be typed, and different for each round: a round is repeated by its own seed.
        try run(seeds: (0..<rounds).lazy.map { _ in seeds.next() >> 32 }.makeIterator(), until: deadline)
    }

    private func run(seeds: some IteratorProtocol<UInt64>, until deadline: Date?) throws {
        let tally = FuzzTally()
        var seeds = seeds
        var rounds = 0
        while deadline.map({ Date() < $0 }) ?? true, let seed = seeds.next() {
            var round = try FuzzRound(seed: seed, tally)
            rounds += 1
            guard try round.run() else { break }
        }
        print("\(rounds) databases, \(tally.runs) query runs:\n\(tally.description)")
        #expect(rounds < Self.rounds || tally.runs >= 450 * Self.rounds)
    }
}
