// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// A batch whose acknowledgement was lost is sent again, and refused because of what it has done.
@Suite struct LostAnswerTests {
    private static let fields = Fields([Field("n", .integer(1))])!
    private static let create = Write(
        ScriptedClient.path("a"),
        .update(fields, mask: nil, transforms: [FieldTransform(FieldPath(name: "t"), .serverTimestamp)]),
        precondition: .exists(false))

    private static func document(_ n: Int64 = 1, at time: Int64 = 3) -> SyncDocument {
        var fields = fields
        fields["n"] = .integer(n)
        fields["t"] = .timestamp(Timestamp(microseconds: time)!)
        return SyncDocument(
            ScriptedClient.path("a"), .found(fields, createTime: Timestamp(microseconds: time)!),
            version: Timestamp(microseconds: time)!)
    }

    /// A client that has sent the write, lost the connection, and sent it again with another one behind it.
    private static func client(_ writes: [Write] = [create], in place: ReplicaPlace = .memory) throws -> ScriptedClient
    {
        let client = ScriptedClient(in: try place.make())
        client.feed(.write(writes, write: 1))
        client.feed(.write([.set(ScriptedClient.path("b"), fields)], write: 2))
        client.fail(.write, .unavailable)
        client.connectAgain(.write)
        return client
    }

    @Test(arguments: ReplicaPlace.allCases) func createIsRecognisedByItsDocument(_ place: ReplicaPlace) throws {
        let client = try LostAnswerTests.client(in: place)
        let refused = client.fail(.write, .alreadyExists)
        #expect(refused.reads == [1])
        #expect(refused.finished.isEmpty && refused.sentBatches == 0)
        let effects = client.feed(.documentsRead(.success([LostAnswerTests.document()]), read: 1))
        #expect(effects.finished == [1: .ok])
        #expect(effects.sentBatches == 1)
        #expect(try client.machine.rejectedWrites().isEmpty)
        let cached = try client.cached("a")
        #expect(cached.overlay == nil && cached.base.version == Timestamp(microseconds: 3))
        #expect(cached.base.fields?[Text("t")] == .timestamp(Timestamp(microseconds: 3)!))
        #expect(try client.replica.problems() == [])
    }

    @Test func anotherDocumentIsARefusal() throws {
        let client = try LostAnswerTests.client()
        client.fail(.write, .alreadyExists)
        let effects = client.feed(.documentsRead(.success([LostAnswerTests.document(2)]), read: 1))
        #expect(effects.finished == [1: .alreadyExists])
        #expect(effects.sentBatches == 1)
        #expect(try client.machine.rejectedWrites().map(\.batch.id) == [1])
    }

    @Test func firstAttemptIsRefusedAtOnce() throws {
        let client = ScriptedClient()
        client.feed(.write([LostAnswerTests.create], write: 1))
        let effects = client.fail(.write, .alreadyExists)
        #expect(effects.reads.isEmpty)
        #expect(effects.finished == [1: .alreadyExists])
    }

    @Test(arguments: ReplicaPlace.allCases) func attemptOfAnEarlierProcessCounts(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make())
        client.feed(.write([LostAnswerTests.create], write: 1))
        try client.restart()
        #expect(client.fail(.write, .alreadyExists).reads == [1])
        client.feed(.documentsRead(.success([LostAnswerTests.document()]), read: 1))
        #expect(try client.machine.pendingWrites().isEmpty && client.machine.rejectedWrites().isEmpty)
    }

    @Test func readThatFailsIsRepeatedAfterAWait() throws {
        let client = try LostAnswerTests.client()
        client.fail(.write, .alreadyExists)
        let failed = client.feed(.documentsRead(.failure(SyncError(.unavailable, "")), read: 1))
        #expect(failed.finished.isEmpty && failed.sentBatches == 0)
        #expect(failed.waits(.backoff(.write)).count == 1)
        #expect(client.connectAgain(.write).sentBatches == 2)
        #expect(client.fail(.write, .alreadyExists).reads == [2])
        // Documents that may not be read decide nothing: the server's word stands.
        let effects = client.feed(.documentsRead(.failure(SyncError(.permissionDenied, "")), read: 2))
        #expect(effects.finished == [1: .alreadyExists])
    }

    @Test func answerThatComesTooLateIsIgnored() throws {
        let client = try LostAnswerTests.client()
        client.fail(.write, .alreadyExists)
        client.feed(.disableNetwork)
        #expect(client.feed(.documentsRead(.success([LostAnswerTests.document()]), read: 1)).isEmpty)
        #expect(client.feed(.enableNetwork).sentBatches == 2)
        #expect(client.fail(.write, .alreadyExists).reads == [2])
    }

    /// Only writes that decide over a whole document, under a condition, tell whether the batch was applied.
    @Test func onlyWholeDocumentsAreCompared() throws {
        let patch = Write(
            ScriptedClient.path("a"), .update(LostAnswerTests.fields, mask: [FieldPath(name: "n")], transforms: []),
            precondition: .exists(true))
        let patched = try LostAnswerTests.client([patch])
        #expect(patched.fail(.write, .notFound).finished == [1: .notFound])

        let deleted = try LostAnswerTests.client([
            Write(ScriptedClient.path("a"), .delete, precondition: .exists(true))
        ])
        deleted.fail(.write, .notFound)
        let missing = SyncDocument(ScriptedClient.path("a"), .missing, version: Timestamp(microseconds: 3)!)
        #expect(deleted.feed(.documentsRead(.success([missing]), read: 1)).finished == [1: .ok])

        let unconditional = try LostAnswerTests.client([.set(ScriptedClient.path("a"), LostAnswerTests.fields)])
        #expect(unconditional.fail(.write, .failedPrecondition).finished == [1: .failedPrecondition])
    }
}
