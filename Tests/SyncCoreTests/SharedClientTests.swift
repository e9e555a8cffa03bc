// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import SyncCore
import Testing

/// Two clients of one file: the owner, which has the streams, and a guest.
@Suite struct SharedClientTests {
    let files: (owner: FileReplica, guest: FileReplica)
    let owner: ScriptedClient
    let guest: ScriptedClient

    init() throws {
        let file = try FileReplica()
        files = (file, try FileReplica(besides: file))
        owner = ScriptedClient(in: files.owner)
        guest = ScriptedClient(in: files.guest)
    }

    /// More transactions than the log for other clients keeps.
    private func outrunTheLog() throws {
        for _ in 0..<300 {
            try files.owner.look { (records) throws(ReplicaError) in records.announce() }
        }
    }

    /// Whose batch waits in the queue of a user who is not shown.
    @Test func aWriteOfAnotherUserIsNotTakenForAcknowledged() throws {
        guest.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        owner.feed(.changeUser(SyncUser("b")))
        try outrunTheLog()
        #expect(guest.feed(.replicaChanged).finished.isEmpty)
        owner.feed(.changeUser(SyncUser(nil)))
        owner.acknowledge(at: 3)
        #expect(guest.feed(.replicaChanged).finished == [1: .ok])
    }

    /// It was made before credentials named its user, and waits in the queue of that user, who is not shown any more.
    @Test func aWriteThatWasClaimedIsNotTakenForAcknowledged() throws {
        owner.feed(.changeUser(nil))
        guest.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        owner.feed(.changeUser(SyncUser("a")))
        owner.feed(.changeUser(SyncUser("b")))
        try outrunTheLog()
        #expect(guest.feed(.replicaChanged).finished.isEmpty)
        owner.feed(.changeUser(SyncUser("a")))
        owner.fail(.write, .permissionDenied)
        owner.feed(.changeUser(SyncUser("b")))
        try outrunTheLog()
        #expect(guest.feed(.replicaChanged).finished == [1: .permissionDenied])
        #expect(try files.owner.problems() == [])
    }

    @Test func aRefusedWriteOfAnotherUserIsRefused() throws {
        guest.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        owner.feed(.replicaChanged)
        owner.fail(.write, .permissionDenied)
        owner.feed(.changeUser(SyncUser("b")))
        try outrunTheLog()
        #expect(guest.feed(.replicaChanged).finished == [1: .permissionDenied])
    }

    /// Collection leaves documents of a target from which no listen goes on. The server sends all of them to the next
    /// listen, and does not name those that are gone.
    @Test func aGuestThatTakesOverKeepsNoDocumentsOfATargetWithoutAToken() throws {
        let query = try ScriptedClient.collection()
        try files.owner.look { (records) throws(ReplicaError) in
            var header = try records.header
            header.highestTarget = 2
            try records.setHeader(header)
            for id in ["a", "b"] {
                try records.setDocument(CachedDocument(base: ScriptedClient.document(id, 1, at: 1)))
            }
            try records.setTarget(TargetData(query.target, id: 2, sequence: 1))
            try records.addKeys([ScriptedClient.path("a"), ScriptedClient.path("b")], to: 2)
        }
        let cached = guest.listen(query, ListenOptions(includesMetadataChanges: true, source: .cache))
        #expect(cached.snapshots.last?.documents.map(\.path.id) == ["a", "b"])
        files.owner.close()
        guest.fire(.peers)
        let listen = try #require(guest.listen(query, ListenOptions(includesMetadataChanges: true), 2).listens.last)
        #expect(listen.resumeToken.isEmpty && listen.expectedCount == nil)
        guest.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        // Whether there still is a "b" is asked for.
        #expect(guest.effects.snapshots.last?.isFromCache == true)
        #expect(guest.machine.activeLimboDocuments == [ScriptedClient.path("b")])
        guest.sync([], at: 4)
        let last = guest.effects.snapshots.last
        #expect(last?.documents.map(\.path.id) == ["a"] && last?.isFromCache == false)
        #expect(try files.guest.problems() == [])
    }

    /// The owner's collection comes between the guest's listen and the next commit of the guest.
    @Test func collectionSparesTheTargetOfAGuestWhoseRequestIsNotComplete() throws {
        let query = try ScriptedClient.collection()
        files.guest.failing = [ReplicaOperation.request.rawValue]
        guest.listen(query)
        owner.feed(.collectGarbage(threshold: 0, percentile: 100))
        owner.listen(query)
        files.guest.failing = []
        guest.feed(.replicaChanged)
        owner.feed(.replicaChanged)
        owner.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        guest.feed(.replicaChanged)
        let last = try #require(guest.effects.snapshots.last)
        #expect(last.documents.map(\.path.id) == ["a"] && !last.isFromCache)
    }

    /// A client that could not start as the owner does not know yet that another one has.
    @Test func collectionSparesTheTargetOfAClientThatHasNotStarted() throws {
        let query = try ScriptedClient.collection()
        files.owner.close()
        let late = try FileReplica(besides: files.guest)
        late.failing = [ReplicaOperation.start.rawValue]
        let client = ScriptedClient(in: late)
        client.listen(query)
        guest.fire(.peers)
        guest.feed(.collectGarbage(threshold: 0, percentile: 100))
        guest.listen(query)
        late.failing = []
        client.fire(.storeRetry)
        guest.feed(.replicaChanged)
        guest.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        client.feed(.replicaChanged)
        let last = try #require(client.effects.snapshots.last)
        #expect(last.documents.map(\.path.id) == ["a"] && !last.isFromCache)
    }

    /// The guest's write comes to the owner's notice with the end of its stream.
    @Test func nothingIsSentOnAStreamThatHasEnded() throws {
        owner.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        guest.feed(.write([.set(ScriptedClient.path("b"), .empty)], write: 1))
        #expect(owner.fail(.write, .unavailable).sentBatches == 0)
        #expect(owner.connectAgain(.write).sentBatches == 2)
    }

    /// The owner has a listener to its cache left.
    @Test func aTargetThatIsNoLongerListenedToIsNotCurrent() throws {
        let query = try ScriptedClient.collection()
        owner.listen(query, ListenOptions(includesMetadataChanges: true, source: .cache))
        guest.listen(query)
        owner.feed(.replicaChanged)
        owner.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        guest.feed(.replicaChanged)
        #expect(guest.effects.snapshots.last?.isFromCache == false)
        guest.feed(.unlisten(listener: 1))
        owner.feed(.replicaChanged)
        let again = guest.listen(query, ListenOptions(includesMetadataChanges: true), 2)
        #expect(again.snapshots.first?.isFromCache == true)
    }

    /// The owner cannot store that it has ceased to listen.
    @Test func aTargetWhoseEndCouldNotBeStoredIsNotCurrent() throws {
        let query = try ScriptedClient.collection()
        owner.listen(query)
        owner.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        files.owner.failing = [ReplicaOperation.releaseTarget.rawValue]
        owner.feed(.unlisten(listener: 1))
        files.owner.failing = []
        let heard = guest.listen(query, ListenOptions(includesMetadataChanges: true))
        #expect(heard.snapshots.map(\.isFromCache) == [true])
        owner.feed(.replicaChanged)
        owner.sync([], at: 4)
        #expect(guest.feed(.replicaChanged).snapshots.map(\.isFromCache) == [false])
    }

    /// A read from the server that joins a listener to the cache waits for the server.
    @Test(arguments: [false, true]) func aListenerToTheCacheIsNoSourceForReadsFromTheServer(_ takesOver: Bool) throws {
        let query = try ScriptedClient.collection()
        owner.listen(query)
        guest.listen(query, ListenOptions(includesMetadataChanges: true, source: .cache))
        owner.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        #expect(guest.feed(.replicaChanged).snapshots.last?.isFromCache == false)
        if takesOver {
            files.owner.close()
            guest.fire(.peers)
        } else {
            owner.feed(.unlisten(listener: 1))
        }
        #expect(guest.feed(.replicaChanged).snapshots.isEmpty, "what it has heard, it keeps, as with official clients")
        let read = ListenOptions(includesMetadataChanges: true, waitsForServer: true)
        #expect(!guest.listen(query, read, 2).snapshots.contains { !$0.isFromCache })
        let reader = takesOver ? guest : owner
        reader.feed(.replicaChanged)
        reader.sync([ScriptedClient.document("a", 2, at: 4)], at: 5)
        guest.feed(.replicaChanged)
        #expect(guest.effects.snapshots.suffix(2).map(\.isFromCache) == [false, false])
    }

    @Test func aReadFromTheServerInOneClientDoesNotTakeWhatACacheListenerShows() throws {
        let query = try ScriptedClient.collection()
        owner.listen(query)
        owner.listen(query, ListenOptions(includesMetadataChanges: true, source: .cache), 2)
        owner.sync([], at: 3)
        owner.feed(.unlisten(listener: 1))
        let read = owner.listen(query, ListenOptions(waitsForServer: true), 3)
        #expect(read.snapshots.map(\.isFromCache) == [true], "the listener to the cache is told, and nobody else")
        #expect(owner.sync([], at: 4).snapshots.map(\.isFromCache) == [false, false])
    }

    /// A query and its mirror have one target. The server speaks of it once.
    @Test(arguments: [false, true]) func aReadFromTheServerBesidesAListenerToTheCacheOfItsMirror(_ isOpen: Bool) throws
    {
        let query = try ScriptedClient.collection(limit: 2)
        let mirror = try ScriptedClient.collection(limit: 2, takesLast: true, .descending)
        let read = ListenOptions(waitsForServer: true)
        owner.listen(mirror, ListenOptions(source: .cache))
        if isOpen { owner.listen(query, ListenOptions(source: .cache), 2) }
        for listener in 3..<6 {
            owner.listen(query, read, listener)
            #expect(owner.wireIDs.count == listener - 2)
            #expect(owner.sync([], at: Int64(listener)).snapshots.contains { !$0.isFromCache })
            owner.feed(.unlisten(listener: listener))
        }
    }

    /// A state comes before the server has sent all documents of a new stream.
    @Test func aGuestIsAsCurrentAsTheOwner() throws {
        let query = try ScriptedClient.collection()
        owner.listen(query)
        guest.listen(query)
        owner.feed(.replicaChanged)
        owner.sync([], at: 3)
        #expect(guest.feed(.replicaChanged).snapshots.last?.isFromCache == false)
        owner.fail(.watch, .unavailable)
        owner.connectAgain(.watch)
        let target = owner.wireIDs.last!
        owner.say(.target(.added, targets: [target], resumeToken: [], readTime: nil))
        owner.say(.document(ScriptedClient.document("a", 1, at: 4), updated: [target], removed: []))
        #expect(owner.boundary(at: 5).snapshots.last?.isFromCache == true)
        #expect(guest.feed(.replicaChanged).snapshots.last?.isFromCache == true)
    }

    /// Nothing else would wake the owner for the guest's write.
    @Test func aLookThatFailsIsRepeated() throws {
        files.owner.failing = [ReplicaOperation.look.rawValue]
        guest.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        let wait = try #require(owner.feed(.replicaChanged).waits(.peers).last)
        files.owner.failing = []
        #expect(owner.feed(.timer(.peers, ticket: wait.ticket)).sentBatches == 1)
    }
}
