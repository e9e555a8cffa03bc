// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// Queues of writes of one document in which no last write tells what is shown.
extension QueueCostTests {
    private static let fieldSizes = [50, 120]

    private static func name(_ n: Int) -> Text { Text("f\(n)") }

    /// Fields of their own, of the writes with these numbers.
    private static func fields(of numbers: ClosedRange<Int>) -> Fields {
        var fields = fields(0)
        for n in numbers { fields[name(n)] = .integer(Int64(n)) }
        return fields
    }

    private func listenToDocument(_ n: Int64 = 0) throws {
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", n, at: 1)], at: 2)
    }

    /// No later write changes what an answered one has changed.
    @Test(arguments: fieldSizes) func updatesOfFieldsOfTheirOwn(_ count: Int) throws {
        try listenToDocument()
        let fields = QueueCostTests.fields(of: 1...count)
        try drain(count, to: fields) { QueueCostTests.patch([QueueCostTests.name($0)], $0) }
    }

    private static func transform(_ name: Text, _ operation: FieldTransform.Operation, _ n: Int64? = nil) -> Write {
        let fields = n.map { Fields([Field("n", .integer($0))])! } ?? .empty
        return Write(
            ScriptedClient.path("a"),
            .update(
                fields, mask: n == nil ? [] : [FieldPath(name: "n")],
                transforms: [FieldTransform(FieldPath(name: name), operation)]),
            precondition: .exists(true))
    }

    /// What is shown until the last answer is the last write's time, and beside it the time that the server has set.
    @Test(arguments: fieldSizes) func serverTimestampsInOneField(_ count: Int) throws {
        try listenToDocument()
        let written = Value.timestamp(Timestamp(microseconds: client.now)!)
        let set = { (n: Int) in Value.timestamp(Timestamp(microseconds: Int64(n) + 10)!) }
        let shown = { (n: Int) -> Fields in
            var fields = QueueCostTests.fields(count)
            let pending = Fields([
                Field("__type__", .string("server_timestamp")), Field("__local_write_time__", written),
                Field("__previous_value__", set(n)),
            ])!
            fields["t" as Text] = n < count ? Value.map(pending) : set(n)
            return fields
        }
        try drain(count, result: set, shown: shown) { QueueCostTests.transform("t", .serverTimestamp, Int64($0)) }
    }

    @Test(arguments: fieldSizes) func unionsInOneField(_ count: Int) throws {
        try listenToDocument()
        var fields = QueueCostTests.fields(0)
        fields["tags" as Text] = .array((1...count).map { Value.integer(Int64($0)) })
        try drain(count, to: fields, result: { _ in .null }) {
            QueueCostTests.transform("tags", .appendMissingElements([.integer(Int64($0))]))
        }
    }

    /// What the server has made of an array counts, and not what the client has expected.
    @Test func anArrayThatTheServerHasChanged() throws {
        try listenToDocument()
        queue(3) { QueueCostTests.transform("tags", .appendMissingElements([.integer(Int64($0))])) }
        client.feed(.enableNetwork)
        client.acknowledge(at: 11, results: [.null])
        func tags() throws -> [Int64] {
            guard case .array(let tags)? = try client.cached("a").local.fields?["tags" as Text] else { return [] }
            return tags.compactMap { if case .integer(let tag) = $0 { tag } else { nil } }
        }
        #expect(try tags() == [1, 2, 3])
        var fields = QueueCostTests.fields(0)
        fields["tags" as Text] = .array([.integer(7), .integer(1)])
        let time = Timestamp(microseconds: 12)!
        client.sync([SyncDocument(ScriptedClient.path("a"), .found(fields, createTime: time), version: time)], at: 12)
        client.acknowledge(at: 13, results: [.null])
        #expect(try tags() == [7, 1, 2, 3])
    }

    /// Nothing is shown of a document that the client does not know.
    @Test(arguments: fieldSizes) func updatesOfAnUnknownDocument(_ count: Int) throws {
        queue(count) { QueueCostTests.patch([QueueCostTests.name($0)], $0) }
        let reads = try reads {
            client.feed(.enableNetwork)
            for n in 1...count {
                client.acknowledge(at: Int64(n) + 10)
                let overlay = try client.cached("a").overlay
                #expect(overlay == nil)
            }
        }
        #expect(try client.machine.pendingWrites().isEmpty)
        #expect(reads <= QueueCostTests.most * count)
    }

    /// After each refusal, up to ten writes are sent again.
    @Test(arguments: fieldSizes) func refusedUpdatesOfOneDocument(_ count: Int) throws {
        try listenToDocument()
        queue(count) { QueueCostTests.patch([QueueCostTests.name($0)], $0) }
        let reads = try reads {
            client.feed(.enableNetwork)
            for n in 1..<count {
                client.fail(.write, .permissionDenied)
                let expected = QueueCostTests.fields(of: n + 1...count)
                let shown = try client.cached("a").local.fields
                #expect(shown?.isIdentical(to: expected) == true)
            }
            client.fail(.write, .permissionDenied)
        }
        #expect(reads <= QueueCostTests.most * count)
        #expect(try client.cached("a").overlay == nil)
    }

    @Test(arguments: fieldSizes, [false, true])
    func cancelledUpdatesOfOneDocument(_ count: Int, fromTheLast: Bool) throws {
        try listenToDocument()
        queue(count) { QueueCostTests.patch([QueueCostTests.name($0)], $0) }
        let reads = try reads {
            for n in 1..<count {
                client.feed(.cancelWrite(batch: fromTheLast ? count + 1 - n : n, call: n))
                let expected = QueueCostTests.fields(of: fromTheLast ? 1...count - n : n + 1...count)
                let shown = try client.cached("a").local.fields
                #expect(shown?.isIdentical(to: expected) == true)
            }
            client.feed(.cancelWrite(batch: fromTheLast ? 1 : count, call: count))
        }
        #expect(reads <= QueueCostTests.most * count)
        #expect(client.effects.answers.values.allSatisfy { $0 == .ok })
        #expect(try client.cached("a").overlay == nil)
    }

    /// A later increment of the document starts anew, from what is there without the refused write.
    @Test func anIncrementAfterARefusedUpdate() throws {
        try listenToDocument(10)
        let writes = [
            QueueCostTests.patch(["n"], 1), QueueCostTests.transform("n", .increment(.integer(1))),
            QueueCostTests.patch(["x"], 3),
        ]
        queue(3) { writes[$0 - 1] }
        client.feed(.enableNetwork)
        #expect(try client.cached("a").local.fields?["n" as Text] == .integer(2))
        client.fail(.write, .permissionDenied)
        #expect(try client.cached("a").local.fields?["n" as Text] == .integer(11))
        #expect(try client.cached("a").local.fields?["x" as Text] == .integer(3))
    }

    /// The same if the document was gone meanwhile, so that nothing of the queue was shown: the increment starts from nothing.
    @Test func anIncrementOfADocumentThatIsThereAgain() throws {
        try listenToDocument(5)
        let writes = [QueueCostTests.patch(["n"], 10), QueueCostTests.transform("n", .increment(.integer(1)))]
        queue(2) { writes[$0 - 1] }
        client.feed(.enableNetwork)
        client.sync([], at: 11)
        let gone = SyncDocument(ScriptedClient.path("a"), .missing, version: Timestamp(microseconds: 12)!)
        client.say(.document(gone, updated: [], removed: [client.wireIDs.last!]))
        client.boundary(at: 12)
        #expect(try client.cached("a").overlay == nil)
        client.fail(.write, .notFound)
        client.sync([ScriptedClient.document("a", 5, at: 14)], at: 14)
        #expect(try client.cached("a").local.fields?["n" as Text] == .integer(1))
    }
}
