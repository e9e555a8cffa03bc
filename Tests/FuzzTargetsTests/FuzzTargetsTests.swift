// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import TestSupport
import Testing

/// The findings of `make fuzz` stay fixed, and random damage to valid inputs finds nothing quickly.
@Suite struct FuzzTargetsTests {
    /// Inputs that once broke a reader, by its name.
    static let findings: [(target: String, input: [UInt8])] = [
        // A limit that JSON cannot hold was written as JSON.
        ("query-text", Array("c.limit(2049638230412172402)".utf8))
    ]

    @Test func whatWasFoundStaysMended() throws {
        for (name, input) in Self.findings {
            let target = try #require(FuzzTarget.all.first { $0.name == name })
            try target.run(input)
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func damagedInputsAreReadOrRefused(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        var fuzz = JSONFuzz(seed: SeededGenerator.printingSeed(name).seed)
        for _ in 0..<Rounds.of(1_500) {
            let input = fuzz.damage(fuzz.pick(target.seeds))
            do throws(FuzzTarget.Broken) {
                try target.run(input)
            } catch {
                Issue.record("seed \(fuzz.seed): \(error): \(input)")
                return
            }
        }
    }
}
