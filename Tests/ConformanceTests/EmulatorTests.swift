// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Compares Hearth with the official Firestore emulator, if one is installed.
@Suite(.serialized) struct EmulatorTests {
    /// The number of queries to compare. `HEARTH_CONFORMANCE_QUERIES` sets another one.
    static let queryCount = Rounds.of(1_500, or: "HEARTH_CONFORMANCE_QUERIES")

    /// Long rounds use a new seed. The short round of `make test` always uses the same queries: a new combination of
    /// two known differences in one query is a finding for `make conformance`, not a reason to fail elsewhere.
    static func generator(_ name: String = #function) -> SeededGenerator {
        let environment = ProcessInfo.processInfo.environment
        let isChosen = environment["HEARTH_CONFORMANCE_QUERIES"] != nil || environment["HEARTH_SEED"] != nil
        guard !isChosen else { return .printingSeed(name) }
        print("\(name): always seed \(shortRoundSeed) in a short round")
        return SeededGenerator(seed: shortRoundSeed)
    }

    private static let shortRoundSeed: UInt64 = 3_683_471_623

    /// The emulator that all tests of this process share, started on first use; nil if none is installed.
    private static let emulator = Result { try EmulatorProcess(memory: "768m") }

    /// Nil if no emulator is installed, which is printed.
    static func process(for name: String = #function) throws -> EmulatorProcess? {
        guard let emulator = try emulator.get() else {
            print("\(name): skipped: the official Firestore emulator is not installed")
            return nil
        }
        return emulator
    }

    /// Nil if no emulator is installed.
    static func client(for name: String = #function) throws -> EmulatorClient? {
        try process(for: name).map { emulator in EmulatorClient { try emulator.send($0, $1, $2) } }
    }

    struct Tally: CustomStringConvertible {
        var count = 0
        /// The refused queries among those that agree.
        var refused = 0
        var failures = 0
        /// Counts by the difference that explains them.
        var known: [String: Int] = [:]
        /// Documents that the emulator refused, by its message.
        var unwritable: [String: Int] = [:]

        var description: String {
            let agreed = count - failures - known.values.reduce(0, +)
            let differences = known.sorted { $0.key < $1.key }.map { "\n  \($0.value) × \($0.key)" }
            let refusals = unwritable.sorted { $0.key < $1.key }
                .map { "\n  \($0.value) × a document not taken: \($0.key)" }
            return "\(agreed) agree, of which both refuse \(refused); \(failures) failures; known differences:"
                + (differences + refusals).joined()
        }
    }
}
