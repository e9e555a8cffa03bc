// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A process may open few files, or write short files only: it gets typed errors, and what it has reported is there afterwards.
///
/// Where LMDB lacks memory is in ``FaultTests``. A limit of the whole process's memory proves nothing: Swift ends the process,
/// or Dispatch waits for a thread.
@Suite struct StarvationTests {
    @Test(arguments: ["files", "size"]) func aStarvedProcessLosesNothing(_ resource: String) throws {
        var random = SeededGenerator.printingSeed(resource)
        let rounds = StorageProof.count("HEARTH_KILLS", else: Rounds.of(100)) / 10
        var endings: [String: Int] = [:]
        var commits = 0
        for _ in 0..<rounds {
            let file = try SharedFile()
            let limit = resource == "files" ? random.int(3..<20) : random.int(1..<4_000) << 10
            let run = try StorageProof.run(file.arguments("a", commits: 300) + [resource, String(limit)])
            let isError = run.output.contains("error: ")
            let isEnded = run.process.terminationReason == .exit
            let ending = isEnded ? isError ? "an error" : "status \(run.process.terminationStatus)" : "a signal"
            endings[ending, default: 0] += 1
            #expect(isEnded, "limit \(limit), seed \(random.seed): \(run.output.suffix(500))")
            try file.inspect(["a": run.output])
            #expect(file.findings == [], "limit \(limit), seed \(random.seed)")
            commits += file.last["a"] ?? 0
        }
        print("\(rounds) processes short of \(resource): \(endings.sorted { $0.key < $1.key }), \(commits) commits")
    }
}
