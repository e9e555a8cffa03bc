// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// Two clients of one file: the owner, which has the streams, and a guest.
@Suite struct SharedClientTests {
    private let files: (owner: FileReplica, guest: FileReplica)
    private let owner: ScriptedClient
    private let guest: ScriptedClient

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

    /// Until the new owner's request for all listens is stored, it takes note of users as a guest does.
    @Test func theLastUserNamedBeforeTheEndOfATakeoverIsTheOne() throws {
        guest.feed(.changeUser(SyncUser("a")))
        files.guest.failing = [ReplicaOperation.request.rawValue]
        files.owner.close()
        guest.fire(.peers)
        guest.feed(.changeUser(SyncUser("b")))
        files.guest.failing = []
        for _ in 0..<3 { guest.fire(.storeRetry) }
        #expect(try files.guest.shownUser() == SyncUser("b"))
    }

    @Test func aGuestThatTakesOverSendsNothingOfAnotherUser() throws {
        owner.feed(.disableNetwork)
        owner.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        guest.feed(.changeUser(SyncUser("b")))
        files.owner.close()
        guest.fire(.peers)
        guest.fire(.storeRetry)
        #expect(try files.guest.shownUser() == SyncUser("b"))
        guest.feed(.write([.set(ScriptedClient.path("b"), .empty)], write: 1))
        #expect(guest.effects.sentWrites.map { $0.map(\.path.id) } == [["b"]])
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

    /// The guest's write comes to the owner's notice with the end of its stream.
    @Test func nothingIsSentOnAStreamThatHasEnded() throws {
        owner.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        guest.feed(.write([.set(ScriptedClient.path("b"), .empty)], write: 1))
        #expect(owner.fail(.write, .unavailable).sentBatches == 0)
        #expect(owner.connectAgain(.write).sentBatches == 2)
    }

    /// As "Secondary client's online state is ignored" of the official scenarios.
    @Test func aGuestThatDisablesItsNetworkShowsWhatTheOwnerKnows() throws {
        let query = try ScriptedClient.collection()
        guest.listen(query)
        owner.feed(.replicaChanged)
        owner.sync([], at: 3)
        guest.feed(.replicaChanged)
        #expect(guest.feed(.disableNetwork).snapshots.isEmpty)
        owner.feed(.replicaChanged)
        owner.say(.document(ScriptedClient.document("a", 1, at: 4), updated: [owner.wireIDs.last!], removed: []))
        owner.boundary(at: 4)
        let last = try #require(guest.feed(.replicaChanged).snapshots.last)
        #expect(last.documents.map(\.path.id) == ["a"] && !last.isFromCache)
        owner.feed(.disableNetwork)
        #expect(guest.feed(.replicaChanged).snapshots.last?.isFromCache == true)
    }

    @Test func anOwnerThatDisablesItsNetworkLeavesItToAnother() throws {
        let query = try ScriptedClient.collection()
        owner.listen(query)
        guest.listen(query)
        owner.sync([], at: 3)
        guest.feed(.replicaChanged)
        owner.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        owner.feed(.disableNetwork)
        owner.fire(.peers)
        #expect(guest.fire(.peers).sentBatches == 1)
        guest.acknowledge(at: 4)
        guest.sync([ScriptedClient.document("a", 1, at: 4)], at: 5)
        #expect(guest.effects.snapshots.last?.isFromCache == false)
        let told = owner.feed(.replicaChanged)
        #expect(told.finished == [1: .ok] && told.snapshots.last?.isFromCache == false)

        owner.feed(.enableNetwork)
        owner.fire(.peers)
        #expect(owner.connections.isEmpty && guest.connections[.watch] != nil, "it does not take it back")
        guest.feed(.disableNetwork)
        guest.fire(.peers)
        owner.fire(.peers)
        #expect(owner.connections[.watch] != nil && guest.connections.isEmpty)
    }

    /// A document that was asked for is asked for by the next owner, and by the first one again.
    @Test func documentsInLimboAreAskedForByTheNextOwner() throws {
        let query = try ScriptedClient.collection()
        owner.listen(query)
        owner.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        owner.say(.removal(ScriptedClient.path("a"), removed: [owner.wireIDs[0]]))
        owner.boundary(at: 4)
        #expect(owner.machine.activeLimboDocuments.map(\.id) == ["a"])
        owner.feed(.disableNetwork)
        owner.fire(.peers)
        #expect(owner.machine.activeLimboDocuments.isEmpty && owner.machine.enqueuedLimboDocuments.map(\.id) == ["a"])
        guest.fire(.peers)
        guest.feed(.disableNetwork)
        owner.feed(.enableNetwork)
        guest.fire(.peers)
        owner.fire(.peers)
        #expect(owner.machine.activeLimboDocuments.map(\.id) == ["a"])
    }

    /// Nobody would ever answer it.
    @Test func aGuestThatDisablesItsNetworkIsOfflineWithoutAnOwner() throws {
        guest.feed(.disableNetwork)
        files.owner.close()
        #expect(guest.listen(try ScriptedClient.collection()).snapshots.map(\.isFromCache) == [true])
        guest.feed(.enableNetwork)
        guest.fire(.peers)
        #expect(guest.sync([], at: 3).snapshots.map(\.isFromCache) == [false])
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

    /// Nothing else would wake the owner for the guest's write.
    @Test func aLookThatFailsIsRepeated() throws {
        files.owner.failing = [ReplicaOperation.look.rawValue]
        guest.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        let wait = try #require(owner.feed(.replicaChanged).waits(.peers).last)
        files.owner.failing = []
        #expect(owner.feed(.timer(.peers, ticket: wait.ticket)).sentBatches == 1)
    }
}
