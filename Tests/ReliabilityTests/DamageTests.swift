// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Damaged files give an error or end a child process. A document is never returned with other bytes than those
/// written, and `verify` finds whatever changes an answer.
@Suite struct DamageTests {
    @Test func damageIsFoundAndNeverDelivered() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let rounds = StorageProof.count("HEARTH_DAMAGES", else: Rounds.of(400))
        let run = try StorageProof.run(["damage", directory.url.path, String(random.next()), String(rounds)])
        let lines = run.output.split(separator: "\n")
        for line in lines where line.hasPrefix("#") { print(line) }
        print(lines.last ?? "nothing")
        #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 0)
        let findings = lines.dropLast().filter { !$0.hasPrefix("#") }
        #expect(findings == [], "seed \(random.seed)")
    }
}
