// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Damaged files end in an error and never by a signal; a document is never delivered with bytes other than those written, and
/// `verify` finds whatever makes an answer differ.
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
