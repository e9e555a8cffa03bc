// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import LMDB
import ReplicaStore
import SyncCore
import TestSupport
import Testing

/// A client with writes in its queue is killed after each of its transactions, and at random moments. What it has
/// promised reaches the server, what it knows to be done is never sent again, and the file verifies.
@Suite struct ClientKillTests {
    private static let writesPerLife = 8

    @Test func aKillAfterAnyTransactionLosesAndRepeatsNothing() throws {
        var transactions = 0
        var isKilled = true
        while isKilled {
            transactions += 1
            let life = try Life(seed: 7)
            isKilled = try life.run(killAfter: transactions)
            _ = try life.run(killAfter: 0)
            #expect(try life.findings() == [], "killed after transaction \(transactions)")
        }
        print("killed after each of \(transactions - 1) transactions")
        #expect(transactions > 20)
    }

    @Test func killsAtAnyMomentLoseAndRepeatNothing() throws {
        var random = SeededGenerator.printingSeed()
        let life = try Life(seed: random.next())
        let kills = StorageProof.count("HEARTH_KILLS", else: Rounds.of(50))
        for _ in 0..<kills {
            let output = Pipe()
            let process = try life.start(killAfter: random.chance(0.3) ? random.int(1..<20) : 0, output: output)
            usleep(UInt32(random.int(0..<60_000)))
            kill(process.processIdentifier, SIGKILL)
            _ = life.finish(process, output)
        }
        _ = try life.run(killAfter: 0)
        #expect(try life.findings() == [], "seed \(random.seed)")
        print("\(kills) kills: \(life.summary)")
    }

    /// Two processes have the file open at the same time. The one that is killed is mostly the one that sends for both;
    /// the other one sends what is left, and is told how its own writes end.
    @Test func aSecondProcessTakesOver() throws {
        var random = SeededGenerator.printingSeed()
        let life = try Life(seed: random.next())
        let rounds = StorageProof.count("HEARTH_KILLS", else: Rounds.of(25))
        for _ in 0..<rounds {
            let outputs = [Pipe(), Pipe()]
            let killed = try life.start(killAfter: random.int(1..<60), output: outputs[0])
            usleep(UInt32(random.int(0..<20_000)))
            let survivor = try life.start(killAfter: 0, output: outputs[1])
            _ = life.finish(killed, outputs[0])
            #expect(!life.finish(survivor, outputs[1]))
        }
        #expect(try life.findings() == [], "seed \(random.seed)")
        print("\(rounds) rounds of two processes: \(life.summary)")
    }

    /// A file over many processes, and what the server has seen.
    private final class Life {
        private let directory: TemporaryDirectory
        private let path: String
        private let seed: UInt64
        private var next = 1
        private var lives = 0
        private var begun: Set<Int> = []
        private var stored: Set<Int> = []
        private var sent: [Int: Int] = [:]
        private var done: Set<Int> = []
        private var faults: [String] = []

        init(seed: UInt64) throws {
            directory = try TemporaryDirectory()
            path = directory.path("client.db")
            self.seed = seed
        }

        var summary: String {
            "\(stored.count) writes promised, \(sent.values.reduce(0, +) - sent.count) of \(sent.count) sent again"
        }

        func start(killAfter transactions: Int, output: Pipe) throws -> Process {
            defer { next += ClientKillTests.writesPerLife }
            return try StorageProof.start(
                [
                    "client", path, String(seed), String(next), String(ClientKillTests.writesPerLife),
                    String(transactions),
                ], output: output)
        }

        /// - Returns: whether it was killed.
        func run(killAfter transactions: Int) throws -> Bool {
            let output = Pipe()
            return finish(try start(killAfter: transactions, output: output), output)
        }

        func finish(_ process: Process, _ output: Pipe) -> Bool {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            lives += 1
            var known = done
            for line in text.split(separator: "\n") { note(line.split(separator: " ").map(String.init), &known) }
            let isKilled = process.terminationReason == .uncaughtSignal
            if !isKilled, !text.hasSuffix("end\n") { faults.append("it ended early: \(text)") }
            return isKilled
        }

        private func note(_ words: [String], _ known: inout Set<Int>) {
            guard words.count == 2, let number = Int(words[1]) else {
                if words != ["end"] { faults.append(words.joined(separator: " ")) }
                return
            }
            switch words[0] {
            case "begun": begun.insert(number)
            case "stored": stored.insert(number)
            case "done": known.insert(number)
            default:
                // What another process was told to be done before its own lines were read, that process has not sent.
                if known.contains(number), sent[number] != nil { faults.append("\(number) is done and was sent again") }
                sent[number, default: 0] += 1
            }
            done = known
        }

        /// What went wrong, after a life that was not killed.
        func findings() throws -> [String] {
            var findings = faults
            for number in stored where sent[number] == nil { findings.append("\(number) was stored and never sent") }
            for (number, count) in sent where count > lives { findings.append("\(number) was sent \(count) times") }
            for number in sent.keys where !begun.contains(number) { findings.append("\(number) came from nowhere") }
            var options = Engine.Options()
            options.identity = DatabaseID(project: "killed")
            let replica = try EngineReplica(path, options)
            findings += try replica.verify().problems
            let queued = try replica.transaction(.nextBatch) { (records) throws(ReplicaError) in
                try records.batches(of: SyncUser(nil)).count
            }
            if queued > 0 { findings.append("\(queued) batches are still queued") }
            let numbers = CollectionPath(ResourcePath(segments: ["numbers"]))
            for number in sent.keys where try replica.engine.document(numbers.document(Text("\(number)"))) == nil {
                findings.append("\(number) is not in the cache")
            }
            return findings
        }
    }
}
