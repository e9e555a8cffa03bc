// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Processes die while they create a database, or beside others that use it.
@Suite struct SharedFileTests {
    /// A process that is killed while it creates a database leaves a database or nothing.
    @Test func aKilledCreationLeavesNothingBehind() throws {
        var random = SeededGenerator.printingSeed()
        let kills = StorageProof.count("HEARTH_KILLS", else: Rounds.of(50))
        var (missing, empty) = (0, 0)
        for _ in 0..<kills {
            let file = try SharedFile()
            let output = Pipe()
            let process = try StorageProof.start(file.arguments("a", commits: 1_000), output: output)
            usleep(UInt32(random.int(0..<25_000)))
            kill(process.processIdentifier, SIGKILL)
            let reported = text(output.fileHandleForReading.readDataToEndOfFile())
            process.waitUntilExit()
            let names = try file.names()
            if !names.contains("shared.db") { missing += 1 }
            if reported.isEmpty { empty += 1 }
            try file.inspect(["a": reported])
            let litter = names.filter { $0 != "shared.db" && $0 != "shared.db-lock" }
            #expect(file.findings == [] && litter == [], "seed \(random.seed)")
        }
        print("\(kills) kills during creation: \(missing) before there was a file, \(empty) before the first commit")
    }

    /// Two processes write, a third one watches, and the writers are killed in turn.
    @Test func twoWritersAreKilledBesideAWatcher() throws {
        var random = SeededGenerator.printingSeed()
        let kills = StorageProof.count("HEARTH_KILLS", else: Rounds.of(50))
        let file = try SharedFile()
        try file.inspect([:])
        let seen = Pipe()
        let watcher = try StorageProof.start(["watch", file.path], output: seen)
        for _ in 0..<kills / 2 where file.findings.isEmpty && watcher.isRunning {
            let outputs = [Pipe(), Pipe()]
            let processes = try zip(["a", "b"], outputs).map { writer, output in
                try StorageProof.start(file.arguments(writer, commits: 1_000), output: output)
            }
            let first = random.int(0..<2)
            var reported = ["", ""]
            // Some are killed while they open the file, others while they write.
            if random.chance(0.8) { reported[first] = text(outputs[first].fileHandleForReading.availableData) }
            usleep(UInt32(random.int(0..<20_000)))
            // The other one goes on for a moment with the locks that the dead one held.
            for index in [first, 1 - first] {
                kill(processes[index].processIdentifier, SIGKILL)
                usleep(UInt32(random.int(0..<10_000)))
            }
            for index in 0..<2 { reported[index] += text(outputs[index].fileHandleForReading.readDataToEndOfFile()) }
            for process in processes { process.waitUntilExit() }
            try file.inspect(["a": reported[0], "b": reported[1]])
        }
        let isWatching = watcher.isRunning
        kill(watcher.processIdentifier, SIGKILL)
        let finding = text(seen.fileHandleForReading.readDataToEndOfFile())
        watcher.waitUntilExit()
        print(
            "\(kills / 2 * 2) kills of two writers beside a watcher of pairs: \(file.last.values.reduce(0, +)) commits")
        #expect(isWatching && finding.isEmpty, "\(finding)")
        #expect(file.findings == [], "seed \(random.seed)")
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
}
