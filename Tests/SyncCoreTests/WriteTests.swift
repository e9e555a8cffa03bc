// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

@Suite struct WriteTests {
    private static func set(_ id: String, _ n: Int64) -> Write {
        .set(ScriptedClient.path(id), Fields([Field("n", .integer(n))])!)
    }

    private static func transform(_ id: String, _ operation: FieldTransform.Operation) -> Write {
        Write(
            ScriptedClient.path(id),
            .update(.empty, mask: [], transforms: [FieldTransform(FieldPath(name: "n"), operation)]))
    }

    private static func n(_ snapshot: ViewSnapshot?) -> Value? { snapshot?.documents.first?.fields?[Text("n")] }

    @Test func pendingIncrementIsHeldBackUntilTheServerAnswers() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 10, at: 1)], at: 2)
        #expect(
            WriteTests.n(
                client.feed(.write([WriteTests.transform("a", .increment(.integer(1)))], write: 1)).snapshots.last)
                == .integer(11))
        // Another client's change is hidden by the sum.
        client.say(.document(ScriptedClient.document("a", 100, at: 3), updated: [client.wireIDs.last!], removed: []))
        #expect(client.boundary(at: 3).snapshots.isEmpty)
        // The server's sum arrives with the listen, not with the answer.
        let answer = client.acknowledge(at: 4, results: [.integer(101)])
        #expect(answer.finished == [1: .ok])
        #expect(answer.snapshots.isEmpty)
        client.say(.document(ScriptedClient.document("a", 101, at: 4), updated: [client.wireIDs.last!], removed: []))
        let last = client.boundary(at: 4).snapshots.last
        #expect(WriteTests.n(last) == .integer(101))
        #expect(last?.hasPendingWrites == false)
    }

    @Test func newsBeforeTheAnswerChangeOnlyMetadata() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.sync([], at: 1)
        client.feed(.write([WriteTests.set("a", 1)], write: 1))
        client.say(.document(ScriptedClient.document("a", 1, at: 2), updated: [client.wireIDs.last!], removed: []))
        #expect(client.boundary(at: 2).snapshots.isEmpty)
        let last = client.acknowledge(at: 2).snapshots.last
        #expect(last?.changes.map(\.kind) == [.metadata])
        #expect(last?.hasPendingWrites == false)
    }

    /// The listen of a limited query never tells of a document outside it.
    @Test func viewStopsWaitingForAnAcknowledgedWriteThatItsTargetNeverTells() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection(limit: 1))
        client.sync([ScriptedClient.document("b", 5, at: 1)], at: 1)
        client.feed(.write([WriteTests.transform("a", .increment(.integer(1)))], write: 1))
        client.acknowledge(at: 3, results: [.integer(9)])
        #expect(client.boundary(at: 2).snapshots.isEmpty)
        let last = client.boundary(at: 3).snapshots.last
        #expect(last?.documents.map(\.path) == [ScriptedClient.path("b")])
        #expect(last?.hasPendingWrites == false)
    }

    @Test func pendingTimestampKeepsTheLastRealValue() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 10, at: 1)], at: 2)
        client.feed(.write([WriteTests.transform("a", .serverTimestamp)], write: 1))
        client.now += 5
        let value = WriteTests.n(
            client.feed(.write([WriteTests.transform("a", .serverTimestamp)], write: 2)).snapshots.last)
        #expect(value.flatMap { PendingTimestamp.writeTime(of: $0) } == Timestamp(microseconds: 1_000_005))
        guard case .map(let fields)? = value else {
            Issue.record("a pending timestamp is a map")
            return
        }
        #expect(fields[Text("__previous_value__")] == .integer(10))
    }

    /// A write may replace the map whose field becomes a timestamp: the value before is that before the write. An increment
    /// is different: it starts from what the write itself has put there.
    @Test func previousValuesAreThoseBeforeTheWrite() throws {
        let client = ScriptedClient()
        let path = ScriptedClient.path("a")
        client.feed(.write([.set(path, ["deep": ["when": 7, "n": 5]])], write: 1))
        let transforms = [
            FieldTransform("deep.when", .serverTimestamp), FieldTransform("deep.n", .increment(.integer(1))),
        ]
        client.feed(.write([Write(path, .update(["deep": [:]], mask: ["deep"], transforms: transforms))], write: 2))
        let fields = try client.cached("a").local.fields
        let when = try #require(fields?["deep.when" as FieldPath])
        #expect(PendingTimestamp.previousValue(of: when)?.isIdentical(to: 7) == true)
        #expect(fields?["deep.n" as FieldPath] == 1)
    }

    @Test func onlyTheFirstUnansweredBatchIsRefused() throws {
        let client = ScriptedClient()
        for number in 1...3 { client.feed(.write([WriteTests.set("a", Int64(number))], write: number)) }
        let effects = client.fail(.write, .permissionDenied)
        #expect(effects.finished == [1: .permissionDenied])
        #expect(effects.sentBatches == 2)
        // An aborted write may succeed the next time.
        #expect(client.fail(.write, .aborted).finished.isEmpty)
    }

    @Test func atMostTenBatchesAreOnTheirWay() throws {
        let client = ScriptedClient()
        for number in 1...15 { client.feed(.write([WriteTests.set("a", Int64(number))], write: number)) }
        #expect(client.effects.sentBatches == 10)
        #expect(client.acknowledge(at: 1).sentBatches == 1)
    }

    @Test func writesThatNoQueueHoldsAreAnsweredAtOnce() {
        let client = ScriptedClient()
        #expect(client.feed(.write([], write: 1)).finished == [1: .ok])
        let verify = Write(ScriptedClient.path("a"), .verify, precondition: .exists(true))
        #expect(client.feed(.write([verify], write: 2)).finished == [2: .invalidArgument])
        client.feed(.shutdown)
        #expect(client.feed(.write([WriteTests.set("a", 1)], write: 3)).finished == [3: .failedPrecondition])
    }

    /// Documents of a replica that could not be opened may show another user's writes.
    @Test func replicaThatCouldNotBeOpenedTakesNoWrites() throws {
        let replica = MemoryReplica()
        replica.failing = [ReplicaOperation.changeUser.rawValue]
        let machine = SyncMachine(
            replica, SyncMachine.Configuration(database: ScenarioForm.database, user: SyncUser("a"), seed: 1))
        let time = Timestamp(microseconds: 1)!
        let wait = try #require(machine.handle(.start, at: time).waits(.storeRetry).last)
        #expect(machine.handle(.write([WriteTests.set("a", 1)], write: 1), at: time).finished == [1: .unavailable])
        #expect(replica.state.queues.isEmpty)
        replica.failing = []
        _ = machine.handle(.timer(.storeRetry, ticket: wait.ticket), at: time)
        #expect(machine.handle(.write([WriteTests.set("a", 1)], write: 2), at: time).finished.isEmpty)
        #expect(replica.state.queues[SyncUser("a")]?.count == 1)
    }

    /// A merge into a document that the client does not know keeps the fields that turn out to be there.
    @Test func mergeKeepsFieldsThatTheServerSendsLater() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        let merge = Write(
            ScriptedClient.path("a"),
            .update(Fields([Field("s", .integer(1))])!, mask: [FieldPath(name: "s")], transforms: []))
        client.feed(.write([merge], write: 1))
        let fields = client.sync([ScriptedClient.document("a", 7, at: 1)], at: 1).snapshots.last?.documents.first?
            .fields
        #expect(fields?[Text("n")] == .integer(7))
        #expect(fields?[Text("s")] == .integer(1))
    }
}
