// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// The queue as the program sees and changes it, over restarts.
@Suite struct QueueTests {
    private static func set(_ id: String, _ n: Int64) -> Write {
        .set(ScriptedClient.path(id), Fields([Field("n", .integer(n))])!)
    }

    private static let increment = Write(
        ScriptedClient.path("a"),
        .update(.empty, mask: [], transforms: [FieldTransform(FieldPath(name: "n"), .increment(.integer(1)))]))

    private static func n(_ effects: [SyncEffect]) -> Value? {
        effects.snapshots.last?.documents.first?.fields?[Text("n")]
    }

    private static func attempts(_ client: ScriptedClient) throws -> [Int] {
        try client.machine.pendingWrites().map(\.attempts)
    }

    @Test(arguments: ReplicaPlace.allCases) func attemptsAreCountedBeforeTheyAreMade(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make())
        client.feed(.disableNetwork)
        for number in 1...2 { client.feed(.write([QueueTests.set("a", Int64(number))], write: number)) }
        let pending = try client.machine.pendingWrites()
        #expect(pending.map(\.id) == [1, 2])
        #expect(pending.map(\.localWriteTime) == Array(repeating: Timestamp(microseconds: client.now)!, count: 2))
        #expect(pending.map(\.paths) == Array(repeating: [ScriptedClient.path("a")], count: 2))
        #expect(try QueueTests.attempts(client) == [0, 0])
        #expect(client.feed(.enableNetwork).sentBatches == 2)
        #expect(try QueueTests.attempts(client) == [1, 1])
        #expect(client.feed(.write([QueueTests.set("a", 3)], write: 3)).sentBatches == 1)
        #expect(try QueueTests.attempts(client) == [1, 1, 1])
        client.fail(.write, .unavailable)
        #expect(client.connectAgain(.write).sentBatches == 3)
        try client.restart()
        #expect(try QueueTests.attempts(client) == [3, 3, 3])
        client.acknowledge(at: 5)
        #expect(try client.machine.pendingWrites().map(\.id) == [2, 3])
        #expect(try client.replica.problems() == [])
    }

    /// What could not be counted is not sent.
    @Test func nothingIsSentUncounted() throws {
        let client = ScriptedClient()
        client.feed(.disableNetwork)
        client.feed(.write([QueueTests.set("a", 1)], write: 1))
        client.replica.failing = [ReplicaOperation.countAttempts.rawValue]
        #expect(client.feed(.enableNetwork).sentBatches == 0)
        client.replica.failing = []
        let wait = try #require(client.effects.waits(.storeRetry).last)
        #expect(client.feed(.timer(.storeRetry, ticket: wait.ticket)).sentBatches == 1)
    }

    @Test(arguments: ReplicaPlace.allCases) func laterWritesDoNotBuildOnACancelledOne(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make())
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 10, at: 1)], at: 1)
        client.feed(.disableNetwork)
        client.feed(.write([QueueTests.set("a", 1), QueueTests.set("b", 50)], write: 1))
        #expect(QueueTests.n(client.feed(.write([QueueTests.increment], write: 2))) == .integer(2))
        let effects = client.feed(.cancelWrite(batch: 1, call: 7))
        #expect(effects.answers == [7: .ok])
        #expect(effects.finished == [1: .cancelled])
        #expect(QueueTests.n(effects) == .integer(11))
        #expect(effects.snapshots.last?.documents.map(\.path.id) == ["a"])
        #expect(try client.replica.problems() == [])
        try client.restart()
        #expect(client.effects.sentBatches == 1)
        #expect(QueueTests.n(client.listen(try ScriptedClient.collection())) == .integer(11))
    }

    @Test func whatWasSentCannotBeCancelled() throws {
        let client = ScriptedClient()
        client.feed(.write([QueueTests.set("a", 1)], write: 1))
        client.feed(.disableNetwork)
        #expect(client.feed(.cancelWrite(batch: 1, call: 1)).answers == [1: .failedPrecondition])
        #expect(client.feed(.cancelWrite(batch: 2, call: 2)).answers == [2: .notFound])
        #expect(try client.machine.pendingWrites().count == 1)
        client.feed(.shutdown)
        #expect(client.feed(.cancelWrite(batch: 1, call: 3)).answers == [3: .failedPrecondition])
    }

    @Test func waitGoesOnForWhatWasWrittenBeforeACancelledWrite() throws {
        let client = ScriptedClient()
        client.feed(.disableNetwork)
        for number in 1...2 { client.feed(.write([QueueTests.set("a", Int64(number))], write: number)) }
        client.feed(.waitForPendingWrites(wait: 1))
        #expect(client.feed(.cancelWrite(batch: 2, call: 1)).finishedWaits.isEmpty)
        #expect(client.feed(.cancelWrite(batch: 1, call: 2)).finishedWaits == [1])
    }

    @Test(arguments: ReplicaPlace.allCases) func rejectedWritesAreKeptWithTheirCause(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make())
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 10, at: 1)], at: 1)
        client.feed(.write([QueueTests.set("a", 1)], write: 1))
        client.feed(.write([QueueTests.increment], write: 2))
        client.now += 5
        #expect(QueueTests.n(client.fail(.write, .permissionDenied)) == .integer(11))
        try client.restart()
        let rejected = try #require(try client.machine.rejectedWrites().first)
        #expect(rejected.batch.id == 1 && rejected.batch.attempts == 1)
        #expect(rejected.batch.paths == [ScriptedClient.path("a")])
        #expect(rejected.cause == SyncError(.permissionDenied, "permissionDenied"))
        #expect(rejected.time == Timestamp(microseconds: client.now))
        #expect(try client.replica.problems() == [])

        client.feed(.changeUser(SyncUser("other")))
        #expect(try client.machine.rejectedWrites().isEmpty)
        #expect(client.feed(.dropRejectedWrite(batch: 1, call: 1)).answers == [1: .notFound])
        client.feed(.changeUser(SyncUser(nil)))

        client.acknowledge(at: 2, results: [.integer(11)])
        let effects = client.feed(.retryRejectedWrite(batch: 1, write: 3))
        #expect(effects.sentBatches == 1)
        #expect(try client.machine.rejectedWrites().isEmpty)
        #expect(try client.machine.pendingWrites().map(\.id) == [3])
        #expect(try client.cached("a").local.fields?[Text("n")] == .integer(1))
        #expect(client.fail(.write, .invalidArgument).finished == [3: .invalidArgument])
        #expect(client.feed(.retryRejectedWrite(batch: 1, write: 4)).finished == [4: .notFound])
        #expect(client.feed(.dropRejectedWrite(batch: 3, call: 2)).answers == [2: .ok])
        #expect(try client.machine.rejectedWrites().isEmpty)
        #expect(try client.replica.problems() == [])
    }

    /// A refusal that cannot be stored is stored later, once.
    @Test func refusalIsKeptOnceTheStoreWorks() throws {
        let client = ScriptedClient()
        client.feed(.write([QueueTests.set("a", 1)], write: 1))
        client.replica.failing = [ReplicaOperation.rejectBatch.rawValue]
        #expect(client.fail(.write, .permissionDenied).finished.isEmpty)
        #expect(try client.machine.rejectedWrites().isEmpty && client.machine.pendingWrites().count == 1)
        client.replica.failing = []
        let wait = try #require(client.effects.waits(.storeRetry).last)
        #expect(client.feed(.timer(.storeRetry, ticket: wait.ticket)).finished == [1: .permissionDenied])
        #expect(try client.machine.rejectedWrites().count == 1 && client.machine.pendingWrites().isEmpty)
    }
}
