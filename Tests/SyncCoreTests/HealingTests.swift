// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import LMDB
import ReplicaStore
import SyncCore
import Synchronization
import TestSupport
import Testing

/// A damaged replica keeps its queue, whatever else is lost, and is filled again by listening.
@Suite struct HealingTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let users = [SyncUser(nil), SyncUser("a")]

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("replica.db")
    }

    private func open() throws -> EngineReplica {
        var options = Engine.Options()
        options.identity = ScenarioForm.database
        options.durability = .mayLoseDatabase
        return try EngineReplica(path, options)
    }

    private static func write(_ id: String, _ text: String = "") -> Write {
        .set(ScriptedClient.path(id), Fields([Field("n", .integer(7)), Field("s", .string(Text(text)))])!)
    }

    /// Two users' writes, one of them sent and refused, over documents of a listen.
    private func fill(_ writes: Int = 3, documents: Int = 50, text: String = "") throws -> [String] {
        let client = ScriptedClient(in: OpenReplica(try open()))
        client.listen(try ScriptedClient.collection())
        client.sync((0..<documents).map { ScriptedClient.document("d\($0)", Int64($0), at: 1) }, at: 1)
        client.feed(.write([HealingTests.write("refused", text)], write: 1))
        client.fail(.write, .permissionDenied)
        client.feed(.disableNetwork)
        for number in 0..<writes { client.feed(.write([HealingTests.write("q\(number)", text)], write: 10 + number)) }
        client.feed(.changeUser(SyncUser("a")))
        client.feed(.write([HealingTests.write("d1", text)], write: 100))
        client.feed(.changeUser(SyncUser(nil)))
        return try HealingTests.queue(of: client.replica)
    }

    /// What must not be lost, in words.
    private static func queue(of replica: any Replica) throws -> [String] {
        try replica.transaction(.start) { (records) throws(ReplicaError) in
            var lines: [String] = []
            for user in users {
                for batch in try records.batches(of: user) { lines.append("\(user) \(batch)") }
                for batch in try records.rejectedBatches(of: user) { lines.append("\(user) \(batch)") }
            }
            return lines
        }
    }

    private static func replace(_ key: [UInt8], by value: [UInt8]?, in engine: Engine) throws {
        let basis = (key: [UInt8]([0]), value: try engine.replicaRecord([0]))
        try engine.commit(ReplicaChange(basis: basis, documents: [:], records: [(key, value)]))
    }

    @Test func damageIsToldAndHealedAtTheNextOpening() throws {
        let queue = try fill()
        #expect(queue.count == 5)
        do {
            let replica = try open()
            #expect(replica.healing == nil)
            let told = Mutex<[ReplicaError]>([])
            replica.damageHandler = { error in told.withLock { $0.append(error) } }
            let target = try #require(replica.engine.replicaRecords(in: .init(prefix: [4])).first)
            try HealingTests.replace(target.key, by: [1, 2, 3], in: replica.engine)
            let query = try ScriptedClient.collection()
            for _ in 0..<2 {
                #expect(throws: ReplicaError.self) {
                    try replica.transaction(.allocateTarget) { (records) throws(ReplicaError) in
                        try records.target(query.target.canonicalID)
                    }
                }
            }
            #expect(told.withLock { $0.map(\.isDamage) } == [true])
        }
        let healed = try open()
        #expect(healed.healing?.pendingWrites == 4 && healed.healing?.rejectedWrites == 1)
        #expect(healed.healing?.lost == [] && healed.healing?.keptFile == nil)
        #expect(try HealingTests.queue(of: healed) == queue)
        #expect(try healed.verify().problems == [])

        // The queue goes on, and a listen fetches the rest.
        let client = ScriptedClient(in: OpenReplica(healed))
        #expect(client.effects.sentBatches == 3)
        let first = client.listen(try ScriptedClient.collection())
        #expect(first.snapshots.last?.documents.map(\.path.id) == ["q0", "q1", "q2"])
        #expect(first.listens.first?.resumeToken == [])
        #expect(client.sync([ScriptedClient.document("d2", 2, at: 5)], at: 5).snapshots.last?.documents.count == 4)
        #expect(client.feed(.write([HealingTests.write("new")], write: 1)).sentBatches == 1)
        #expect(try client.machine.pendingWrites().map(\.id) == [2, 3, 4, 6])
        #expect(try healed.verify().problems == [])
    }

    @Test func aQueueIsKeptWithoutWhatOfItCannotBeRead() throws {
        let queue = try fill()
        do {
            let replica = try open()
            let batches = try replica.engine.replicaRecords(in: .init(prefix: [1]))
            try HealingTests.replace(batches[1].key, by: [1], in: replica.engine)
            try HealingTests.replace([0], by: [1], in: replica.engine)
        }
        let healed = try open()
        #expect(healed.healing?.lost.count == 1)
        #expect(try HealingTests.queue(of: healed) == queue.enumerated().filter { $0.offset != 1 }.map(\.element))
        let kept = try #require(healed.healing?.keptFile)
        #expect(FileManager.default.fileExists(atPath: kept))
        #expect(try healed.verify().problems == [])
    }

    @Test func anOpenFileIsNotHealed() throws {
        _ = try fill()
        let replica = try open()
        #expect(throws: EngineError.self) { try ReplicaHealing.heal(fileAt: path) }
        withExtendedLifetime(replica) {}
    }

    /// Bytes anywhere in the file are changed. Either the queue itself is hit, which is said, or it is kept whole.
    @Test func noDamageElsewhereReachesTheQueue() throws {
        // Long texts, so that the queue has many pages of its own.
        let queue = try fill(40, documents: 400, text: String(repeating: "x", count: 3_000))
        let original = try Data(contentsOf: URL(filePath: path))
        var healed = 0
        try check(count: Rounds.of(300), generate: { $0.next() }) { seed in
            var random = SeededGenerator(seed: seed)
            var bytes = original
            for _ in 0..<random.int(1..<4) {
                let offset = random.int(2 * 4096..<bytes.count)
                bytes[offset] ^= UInt8(1 << random.int(0..<8))
            }
            try bytes.write(to: URL(filePath: path))
            let report: ReplicaHealing
            do throws(EngineError) {
                var options = Engine.Options()
                options.identity = ScenarioForm.database
                options.durability = .mayLoseDatabase
                report = try ReplicaHealing.heal(path, options)
            } catch {
                return error.status == .dataLoss ? nil : "\(error)"
            }
            healed += 1
            let found = try HealingTests.queue(of: open())
            if found.count + report.lost.count != queue.count { return "\(found.count) writes, \(report.lost)" }
            return found.allSatisfy(queue.contains) ? nil : "another write is queued"
        }
        #expect(healed > 0)
    }
}

/// A file that a test has opened itself.
private final class OpenReplica: TestedReplica {
    var failing: Set<String> = []
    private let replica: EngineReplica

    var peers: any ReplicaPeers { replica.peers }

    init(_ replica: EngineReplica) {
        self.replica = replica
    }

    func transaction<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result { try replica.transaction(operation, body) }

    func look<Result>(
        _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result { try replica.transaction(.start, body) }

    func restart() {}
    func restartAfterDamage() {}
    func problems() throws -> [String] { try replica.verify().problems }
}
