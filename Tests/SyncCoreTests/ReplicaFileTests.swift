// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import Glibc
import IndexCatalog
import LMDB
import QueryPlanner
import ReplicaStore
import SyncCore
import TestSupport
import Testing

/// A replica's file beside other programs: who may open it, and what they see.
@Suite struct ReplicaFileTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let document = ScriptedClient.document("a", 1, at: 5)
    private static let queued = Write.set(ScriptedClient.path("b"), Fields([Field("n", .integer(2))])!)

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("replica.db")
    }

    private func options(project: Text = ScenarioForm.database.project) -> Engine.Options {
        var options = Engine.Options()
        options.identity = DatabaseID(project: project)
        options.durability = .mayLoseDatabase
        return options
    }

    private func open(project: Text = ScenarioForm.database.project) throws -> EngineReplica {
        try EngineReplica(path, options(project: project))
    }

    /// One document as the server has sent it, one that is only queued, and a target.
    private func fill(_ replica: EngineReplica) throws {
        let target = TargetData(try ScriptedClient.collection().target, id: 2, sequence: 1)
        try replica.transaction(.writeLocally) { (records) throws(ReplicaError) in
            var header = try records.header
            header.highestBatch = 1
            header.highestTarget = 2
            header.highestSequence += 1
            try records.setHeader(header)
            try records.setTarget(target)
            try records.setDocument(CachedDocument(base: Self.document))
            let batch = MutationBatch(id: 1, localWriteTime: .noVersion, baseWrites: [], writes: [Self.queued])
            try records.setBatch(batch, of: SyncUser(nil))
            try records.setDocument(
                CachedDocument(
                    base: .uncached(Self.queued.path),
                    overlay: Overlay(.set(Fields([Field("n", .integer(2))])!), batch: 1)))
        }
    }

    /// It is killed when its commit is in the file, and no reader has been told of it.
    @Test func theNextClientGoesOnFromAKilledOnesCommit() async throws {
        let replica = try open()
        try fill(replica)
        let last = replica.engine.lastTransactionID
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment.open(path, Environment.Options(durability: .mayLoseDatabase))
            try environment.write { (_: inout WriteTransaction) throws(LMDBError) in _ = kill(getpid(), SIGKILL) }
        }
        setReadCommit(last - 1, of: path)
        #expect(replica.engine.readableTransactionID == last - 1)
        let highestBatch = try replica.transaction(.writeLocally) { (records) throws(ReplicaError) -> Int in
            var header = try records.header
            header.highestSequence += 1
            try records.setHeader(header)
            return header.highestBatch
        }
        #expect(highestBatch == 1)
        #expect(replica.engine.readableTransactionID == last + 1)
        #expect(try replica.verify().problems == [])
    }

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            guard case .unusable(let message)? = error as? EngineError else { return "another error: \(error)" }
            return message
        }
    }

    @Test func whoDoesNotKnowTheQueueMayOnlyRead() throws {
        try fill(open())
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(refusal { _ = try Engine.open(path, options()) }?.contains("client's queue") == true)
        #expect(refusal { _ = try Engine.repair(fileAt: path) { _ in } }?.contains("client's queue") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)

        var reading = options()
        reading.readOnly = true
        let engine = try Engine.open(path, reading)
        #expect(engine.isReplica && engine.database == ScenarioForm.database)
        #expect(try engine.statistics().format == 6)
        let query = Query(
            from: CollectionSelector(collectionID: "c"), orders: [Order(FieldPath(name: "n"), .descending)])
        #expect(try engine.run(query).documents.map(\.path.id) == ["b", "a"])
        #expect(try Engine.verify(fileAt: path, records: ReplicaCheck.check(of:)).problems == [])
    }

    @Test func anOrdinaryDatabaseNeverBecomesAReplica() throws {
        _ = try Engine.open(path, options(project: "p")).commit([Self.queued])
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(refusal { _ = try open(project: "p") }?.contains("a database of its own") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try Engine.open(path, options()).document(Self.queued.path) != nil)
    }

    @Test func aFileHasOneOwnerAndOneRemoteDatabase() throws {
        var first: EngineReplica? = try open()
        let second = try open()
        #expect(try first!.peers.claim() && first!.peers.claim())
        #expect(try !second.peers.claim())
        #expect(second.peers.isPresent(first!.peers.ownNumber))
        #expect(refusal { try second.keepOthersAway() }?.contains("another client") == true)
        try fill(first!)
        first = nil
        #expect(try second.peers.claim() && !second.peers.areOthersPresent)
        try second.keepOthersAway()
        #expect(refusal { _ = try open() }?.contains("another client") == true)
    }

    /// Bodies run outside of LMDB, so each must rest on the state that the others have left.
    @Test func transactionsOfSeveralClientsLoseNothing() async throws {
        let rounds = 300
        let first = try open()
        let path = path
        let options = options()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let replica = try EngineReplica(path, options)
                    for _ in 0..<rounds {
                        try replica.transaction(.writeLocally) { (records) throws(ReplicaError) in
                            var header = try records.header
                            header.highestBatch += 1
                            try records.setHeader(header)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try first.transaction(.look) { (records) throws(ReplicaError) in try records.header.highestBatch }
        #expect(count == 3 * rounds)
    }

    @Test func aFileBelongsToOneRemoteDatabase() throws {
        try fill(open())
        #expect(refusal { _ = try open(project: "other") }?.contains("not of projects/other") == true)
        let again = try open()
        let batch = try again.transaction(.nextBatch) { (records) throws(ReplicaError) in
            try records.batch(after: 0, of: SyncUser(nil))
        }
        #expect(batch?.paths == [Self.queued.path])
    }

    /// What another client has committed since a transaction began is not overwritten.
    @Test func aTransactionOnAnOlderStateChangesNothing() throws {
        let replica = try open()
        try fill(replica)
        let stale = ReplicaChange(
            basis: ([0], nil), documents: [Self.document.path: Document?.none], records: [([0], [1, 2, 3])])
        #expect(throws: EngineError.self) { try replica.engine.commit(stale) }
        #expect(try replica.engine.document(Self.document.path) != nil)
        #expect(try replica.verify().problems == [])
    }

    /// Each record that is lost or changed is found.
    @Test func verifyFindsEveryDamagedRecord() throws {
        try fill(open())
        let all = try open().engine.replicaRecords(in: .init(lower: [0], upper: [0xFF]))
        #expect(all.count == 8)
        for (key, value) in all {
            var flipped = value
            if !flipped.isEmpty { flipped[flipped.count / 2] ^= 4 }
            for change in value.isEmpty ? [nil] : [nil, flipped] {
                let replica = try open()
                let basis = (key: [UInt8]([0]), value: try replica.engine.replicaRecord([0]))
                try replica.engine.commit(ReplicaChange(basis: basis, documents: [:], records: [(key, change)]))
                #expect(try replica.verify().problemCount > 0, "\(key)")
                let damaged = (key: [UInt8]([0]), value: try replica.engine.replicaRecord([0]))
                try replica.engine.commit(ReplicaChange(basis: damaged, documents: [:], records: [(key, value)]))
                #expect(try replica.verify().problems == [])
            }
        }
    }

    @Test func verifyFindsADocumentThatIsNotTheView() throws {
        let replica = try open()
        try fill(replica)
        for path in [Self.document.path, Self.queued.path] {
            var document = try #require(try replica.engine.document(path))
            document.fields["n"] = .integer(7)
            let basis = (key: [UInt8]([0]), value: try replica.engine.replicaRecord([0]))
            try replica.engine.commit(ReplicaChange(basis: basis, documents: [path: document], records: []))
        }
        // The one that the server has sent is its own base.
        #expect(try replica.verify().problems.count == 1)
    }
}
