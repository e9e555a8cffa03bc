// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// Commits that must not happen twice leave a marker, by which a lost answer is made up for.
@Suite struct CommitMarkerTests {
    private static let markers = CollectionPath(ResourcePath(segments: ["markers"]))
    private static let increment = Write(
        ScriptedClient.path("a"),
        .update(.empty, mask: [], transforms: [FieldTransform(FieldPath(name: "n"), .increment(.integer(1)))]))

    private static func set(_ id: String) -> Write {
        .set(ScriptedClient.path(id), Fields([Field("n", .integer(0))])!)
    }

    private static func document(_ path: DocumentPath, at time: Int64) -> SyncDocument {
        SyncDocument(
            path, .found(Fields([Field("n", .integer(9))])!, createTime: Timestamp(microseconds: time)!),
            version: Timestamp(microseconds: time)!)
    }

    /// The marker that the last batch sent creates, and those that it deletes.
    private static func markers(_ client: ScriptedClient) throws -> (created: DocumentPath?, deleted: [DocumentPath]) {
        let writes = try #require(client.effects.sentWrites.last).filter { $0.path.collection == markers }
        let created = writes.first { if case .exists(false)? = $0.precondition { true } else { false } }?.path
        return (created, writes.map(\.path).filter { $0 != created })
    }

    /// The documents of each read.
    private static func asked(_ effects: [SyncEffect]) -> [[DocumentPath]] {
        effects.compactMap { if case .readDocuments(let paths, _) = $0 { paths } else { nil } }
    }

    private static func client(in place: ReplicaPlace = .memory) throws -> ScriptedClient {
        ScriptedClient(in: try place.make(), markers: markers)
    }

    @Test func onlyWhatMustNotHappenTwiceLeavesAMarker() throws {
        let path = ScriptedClient.path("a")
        let fields = Fields([Field("n", .integer(0))])!
        let marked = [
            CommitMarkerTests.increment,
            Write(path, .update(fields, mask: nil, transforms: []), precondition: .exists(false)),
            Write(path, .update(fields, mask: [], transforms: []), precondition: .updateTime(.noVersion)),
            Write(path, .delete, precondition: .exists(true)),
        ]
        let unmarked = [
            Write(path, .delete), .set(path, fields),
            Write(path, .update(fields, mask: [FieldPath(name: "n")], transforms: []), precondition: .exists(true)),
        ]
        for write in marked + unmarked {
            let client = try CommitMarkerTests.client()
            client.feed(.write([write], write: 1))
            let isMarked = try CommitMarkerTests.markers(client).created != nil
            #expect(isMarked == marked.contains { "\($0)" == "\(write)" }, "\(write)")
        }
        let without = ScriptedClient()
        without.feed(.write([CommitMarkerTests.increment], write: 1))
        #expect(without.effects.sentWrites.last?.count == 1)
    }

    @Test(arguments: ReplicaPlace.allCases) func markerTellsThatTheFirstAttemptWasCommitted(_ place: ReplicaPlace)
        throws
    {
        let client = try CommitMarkerTests.client(in: place)
        client.feed(.write([CommitMarkerTests.increment], write: 1))
        let marker = try #require(try CommitMarkerTests.markers(client).created)
        try client.restart()
        #expect(try CommitMarkerTests.markers(client).created == marker)
        let refused = client.fail(.write, .alreadyExists)
        #expect(CommitMarkerTests.asked(refused) == [[marker]])
        let told = client.feed(.documentsRead(.success([CommitMarkerTests.document(marker, at: 3)]), read: 1))
        #expect(CommitMarkerTests.asked(told) == [[ScriptedClient.path("a")]] && told.sentBatches == 0)
        client.feed(
            .documentsRead(.success([CommitMarkerTests.document(ScriptedClient.path("a"), at: 3)]), read: 2))
        #expect(try client.machine.pendingWrites().isEmpty && client.machine.rejectedWrites().isEmpty)
        let cached = try client.cached("a")
        #expect(cached.overlay == nil && cached.base.fields?[Text("n")] == .integer(9))
        // Markers are the server's only.
        let known = try client.replica.look { (records) throws(ReplicaError) in try records.document(at: marker) }
        #expect(!known.base.isCached)
        #expect(try client.replica.problems() == [])
    }

    /// A client whose marker has told that its write was committed, and that reads the document next.
    private static func clientThatReadsOn(in place: ReplicaPlace = .memory) throws -> (
        ScriptedClient, marker: DocumentPath
    ) {
        let client = try client(in: place)
        client.feed(.write([increment], write: 1))
        let marker = try #require(try markers(client).created)
        client.fail(.write, .unavailable)
        client.connectAgain(.write)
        client.fail(.write, .alreadyExists)
        client.feed(.documentsRead(.success([document(marker, at: 3)]), read: 1))
        return (client, marker)
    }

    /// Rules may let the user write documents that it may not read.
    @Test(arguments: ReplicaPlace.allCases) func documentsThatMayNotBeReadDecideNothing(_ place: ReplicaPlace) throws {
        let (client, _) = try CommitMarkerTests.clientThatReadsOn(in: place)
        let effects = client.feed(.documentsRead(.failure(SyncError(.permissionDenied, "")), read: 2))
        #expect(effects.finished == [1: .ok])
        #expect(try client.machine.pendingWrites().isEmpty && client.machine.rejectedWrites().isEmpty)
        #expect(try client.replica.problems() == [])
    }

    /// The documents are still to be had when the server is reached again. Until then, the write is shown.
    @Test func documentsThatCannotBeReadNowAreReadLater() throws {
        let (client, marker) = try CommitMarkerTests.clientThatReadsOn()
        let failed = client.feed(.documentsRead(.failure(SyncError(.unavailable, "")), read: 2))
        #expect(failed.finished.isEmpty && failed.sentBatches == 0)
        client.connectAgain(.write)
        #expect(CommitMarkerTests.asked(client.fail(.write, .alreadyExists)) == [[marker]])
    }

    /// Rules may refuse a second attempt for what the first has changed, so any refusal leads to the question.
    @Test(arguments: [StatusCode.permissionDenied, .notFound]) func noMarkerIsARefusal(_ code: StatusCode) throws {
        let client = try CommitMarkerTests.client()
        client.feed(.write([CommitMarkerTests.increment], write: 1))
        let marker = try #require(try CommitMarkerTests.markers(client).created)
        client.fail(.write, .unavailable)
        client.connectAgain(.write)
        #expect(client.fail(.write, code).reads == [1])
        let missing = SyncDocument(marker, .missing, version: Timestamp(microseconds: 3)!)
        #expect(client.feed(.documentsRead(.success([missing]), read: 1)).finished == [1: code])
        // The program's second try is another commit.
        client.feed(.retryRejectedWrite(batch: 1, write: 2))
        let second = try #require(try CommitMarkerTests.markers(client).created)
        #expect(second != marker)
    }

    @Test(arguments: ReplicaPlace.allCases) func spentMarkersAreDeletedByTheNextCommit(_ place: ReplicaPlace) throws {
        let client = try CommitMarkerTests.client(in: place)
        client.feed(.write([CommitMarkerTests.increment], write: 1))
        let first = try #require(try CommitMarkerTests.markers(client).created)
        #expect(try CommitMarkerTests.markers(client).deleted == [])
        client.acknowledge(at: 3, results: [.integer(1)])
        // A batch without a marker, and another user's, delete nothing.
        client.feed(.write([CommitMarkerTests.set("b")], write: 2))
        #expect(client.effects.sentWrites.last?.count == 1)
        client.acknowledge(at: 4)
        client.feed(.changeUser(SyncUser("u")))
        client.feed(.write([CommitMarkerTests.increment], write: 3))
        #expect(try CommitMarkerTests.markers(client).deleted == [])
        client.acknowledge(at: 5, results: [.integer(2)])
        client.feed(.changeUser(SyncUser(nil)))
        client.now += 1
        try client.restart()

        client.feed(.write([CommitMarkerTests.increment], write: 4))
        #expect(try CommitMarkerTests.markers(client).deleted == [first])
        client.feed(.write([CommitMarkerTests.increment], write: 5))
        #expect(try CommitMarkerTests.markers(client).deleted == [], "the batch before deletes it")
        // What was refused has deleted nothing.
        client.fail(.write, .permissionDenied)
        client.feed(.write([CommitMarkerTests.increment], write: 6))
        #expect(try CommitMarkerTests.markers(client).deleted == [first])
        #expect(try client.replica.problems() == [])
    }

    /// A batch without a marker that is sent again would undo what later ones have done to its documents.
    @Test func markedBatchWaitsForUnmarkedOnesOfItsDocuments() throws {
        let client = try CommitMarkerTests.client()
        client.feed(.write([CommitMarkerTests.set("a")], write: 1))
        client.feed(.write([CommitMarkerTests.set("b")], write: 2))
        client.feed(.write([CommitMarkerTests.increment], write: 3))
        client.feed(.write([CommitMarkerTests.increment], write: 4))
        #expect(client.effects.sentBatches == 2)
        #expect(client.acknowledge(at: 3).sentBatches == 2)
        #expect(try client.machine.pendingWrites().map(\.attempts) == [1, 1, 1])
    }
}
