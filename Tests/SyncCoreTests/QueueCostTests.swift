// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// What a long queue costs, in batches that are read from the replica: a few for each batch, however many are queued.
@Suite struct QueueCostTests {
    private let replica = MemoryReplica()
    let client: ScriptedClient
    private static let sizes = [50, 400]
    /// A queue of thousands is halved about a dozen times.
    static let most = 16

    init() { client = ScriptedClient(in: replica) }

    static func fields(_ n: Int) -> Fields { Fields([Field("n", .integer(Int64(n)))])! }

    /// The batches that `body` reads.
    func reads(_ body: () throws -> Void) throws -> Int {
        let before = replica.batchesRead
        try body()
        return replica.batchesRead - before
    }

    func queue(_ count: Int, _ write: (Int) -> Write) {
        client.feed(.disableNetwork)
        for n in 1...count { client.feed(.write([write(n)], write: n)) }
    }

    /// Writes of one document, sent one after the other.
    ///
    /// - Parameters:
    ///   - fields: what they make of it together; nil for those of the last one.
    ///   - result: the server's value for the transform of a write.
    ///   - shown: what is shown after the answer to a write, if that changes.
    func drain(
        _ count: Int, to fields: Fields? = nil, result: (Int) -> Value = { .integer(Int64($0)) },
        shown: ((Int) -> Fields)? = nil, _ write: (Int) -> Write
    ) throws {
        queue(count, write)
        let reads = try reads {
            client.feed(.enableNetwork)
            for n in 1...count {
                client.acknowledge(at: Int64(n) + 10, results: [result(n)])
                let expected = shown?(n) ?? fields ?? QueueCostTests.fields(count)
                let now = try client.cached("a").local.fields
                #expect(now?.isIdentical(to: expected) == true)
            }
        }
        #expect(try client.machine.pendingWrites().isEmpty)
        #expect(try client.cached("a").overlay == nil)
        #expect(reads <= QueueCostTests.most * count)
    }

    @Test(arguments: sizes) func setsOfOneDocument(_ count: Int) throws {
        try drain(count) { .set(ScriptedClient.path("a"), QueueCostTests.fields($0)) }
    }

    @Test(arguments: sizes) func updatesOfOneDocument(_ count: Int) throws {
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 0, at: 1)], at: 2)
        try drain(count) {
            Write(
                ScriptedClient.path("a"),
                .update(QueueCostTests.fields($0), mask: [FieldPath(name: "n")], transforms: []),
                precondition: .exists(true))
        }
    }

    static func patch(_ names: [Text], _ n: Int) -> Write {
        let fields = Fields(names.map { Field($0, .integer(Int64(n))) })!
        return Write(
            ScriptedClient.path("a"), .update(fields, mask: names.map { FieldPath(name: $0) }, transforms: []),
            precondition: .exists(true))
    }

    /// The last write alone does not tell what is shown.
    @Test(arguments: sizes) func updatesOfFieldsInTurns(_ count: Int) throws {
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 0, at: 1)], at: 2)
        let names: [Text] = ["x", "y", "z"]
        var fields = QueueCostTests.fields(0)
        for n in 1...count { fields[names[n % 3]] = .integer(Int64(n)) }
        try drain(count, to: fields) { QueueCostTests.patch([names[$0 % 3]], $0) }
    }

    /// No later write changes `y`: it is the server's again.
    @Test func aFieldThatNoLaterWriteChanges() throws {
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 0, at: 1)], at: 2)
        let writes: [[Text]] = [["x", "y"], ["x"], ["z"]]
        queue(3) { QueueCostTests.patch(writes[$0 - 1], $0) }
        client.feed(.enableNetwork)
        client.acknowledge(at: 11)
        guard case .patch(_, let mask)? = try client.cached("a").overlay?.change else {
            Issue.record("no patch")
            return
        }
        #expect(mask == [FieldPath(name: "x"), FieldPath(name: "z")])
    }

    /// Each increment starts from the sum that it was written on, so the last one tells what is shown.
    @Test(arguments: sizes) func incrementsInOneDocument(_ count: Int) throws {
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 0, at: 1)], at: 2)
        let transform = FieldTransform(FieldPath(name: "n"), .increment(.integer(1)))
        let write = Write(
            ScriptedClient.path("a"), .update(.empty, mask: [], transforms: [transform]), precondition: .exists(true))
        try drain(count) { _ in write }
    }

    /// Damage was found, which leaves the queue.
    @Test(arguments: sizes) func healedWritesOfOneDocument(_ count: Int) throws {
        queue(count) { .set(ScriptedClient.path("a"), QueueCostTests.fields($0)) }
        let reads = try reads { try client.restart(isDamaged: true) }
        #expect(reads <= QueueCostTests.most * count)
        #expect(try client.cached("a").local.fields?.isIdentical(to: QueueCostTests.fields(count)) == true)
    }

    @Test(arguments: sizes) func cancelledWrites(_ count: Int) throws {
        queue(count) { .set(ScriptedClient.path("d\($0)"), QueueCostTests.fields($0)) }
        let waits = try reads { for wait in 1...count { client.feed(.waitForPendingWrites(wait: wait)) } }
        #expect(waits <= QueueCostTests.most * count)
        let cancels = try reads {
            for n in (1...count).reversed() { client.feed(.cancelWrite(batch: n, call: n)) }
        }
        #expect(cancels <= QueueCostTests.most * count)
        #expect(client.effects.answers.values.allSatisfy { $0 == .ok })
        #expect(client.effects.finishedWaits == Array(1...count))
        let late = try reads { client.feed(.cancelWrite(batch: 1, call: count + 1)) }
        #expect(late <= 1)
        #expect(client.effects.answers[count + 1] == .notFound)
    }

    @Test(arguments: sizes) func refusedWrites(_ count: Int) throws {
        queue(count) { .set(ScriptedClient.path("d\($0)"), QueueCostTests.fields($0)) }
        client.feed(.enableNetwork)
        for _ in 1...count { client.fail(.write, .permissionDenied) }
        #expect(try client.machine.rejectedWrites().count == count)
        client.feed(.disableNetwork)
        let reads = try reads {
            for n in 1...count / 2 { client.feed(.dropRejectedWrite(batch: n, call: n)) }
            for n in count / 2 + 1...count { client.feed(.retryRejectedWrite(batch: n, write: count + n)) }
        }
        #expect(reads <= QueueCostTests.most * count)
        #expect(client.effects.answers.count == count / 2)
        #expect(try client.machine.pendingWrites().count == count - count / 2)
    }
}
