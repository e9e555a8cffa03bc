// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

// Which of two clients of one file has the streams.
extension SharedClientTests {
    /// A takeover that could not be stored is tried again.
    @Test func theLastUserNamedBeforeTheEndOfATakeoverIsTheOne() throws {
        guest.feed(.changeUser(SyncUser("a")))
        files.guest.failing = [ReplicaOperation.request.rawValue]
        files.owner.close()
        guest.fire(.peers)
        guest.feed(.changeUser(SyncUser("b")))
        files.guest.failing = []
        guest.fire(.peers)
        #expect(try files.guest.shownUser() == SyncUser("b"))
    }

    @Test func aGuestThatTakesOverSendsNothingOfAnotherUser() throws {
        owner.feed(.disableNetwork)
        owner.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        guest.feed(.changeUser(SyncUser("b")))
        files.owner.close()
        guest.fire(.peers)
        #expect(try files.guest.shownUser() == SyncUser("b"))
        guest.feed(.write([.set(ScriptedClient.path("b"), .empty)], write: 1))
        #expect(guest.effects.sentWrites.map { $0.map(\.path.id) } == [["b"]])
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
        guest.listen(try ScriptedClient.collection())
        guest.fire(.peers)
        #expect(guest.fire(.peers).snapshots.map(\.isFromCache) == [true])
        guest.feed(.enableNetwork)
        #expect(guest.sync([], at: 3).snapshots.map(\.isFromCache) == [false])
    }

    /// Requests that come and go do not put it off.
    @Test func anOwnerWithoutTheNetworkThatIsAskedForMuchLeavesItToo() throws {
        let query = try ScriptedClient.collection()
        let wait = try #require(owner.feed(.disableNetwork).waits(.peers).last)
        for listener in 1..<4 {
            guest.listen(query, ListenOptions(), listener)
            owner.feed(.replicaChanged)
            guest.feed(.unlisten(listener: listener))
            owner.feed(.replicaChanged)
        }
        owner.feed(.timer(.peers, ticket: wait.ticket))
        guest.listen(query, ListenOptions(), 4)
        #expect(!guest.fire(.peers).listens.isEmpty)
    }

    /// Whoever is alone does what owners do, also without the network: users change, documents are forgotten.
    @Test func aClientThatIsLeftAloneWithoutTheNetworkIsTheOwner() throws {
        owner.feed(.disableNetwork)
        owner.fire(.peers)
        guest.fire(.peers)
        files.guest.close()
        for _ in 0..<2 { owner.fire(.peers) }
        owner.feed(.changeUser(SyncUser("b")))
        #expect(try files.owner.shownUser() == SyncUser("b"))
        let query = try ScriptedClient.collection()
        #expect(owner.feed(.evict(query, call: 1)).answers == [1: .ok])
    }

    /// The program would lose sight of what it has written.
    @Test func theNetworkIsNotLeftToAnotherUser() throws {
        guest.feed(.changeUser(SyncUser("b")))
        #expect(owner.feed(.disableNetwork).waits(.peers).isEmpty)
        guest.feed(.changeUser(SyncUser(nil)))
        owner.feed(.replicaChanged)
        owner.fire(.peers)
        guest.listen(try ScriptedClient.collection())
        #expect(!guest.fire(.peers).listens.isEmpty)
    }

    @Test func anotherUserDoesNotTakeTheNetworkThatIsLeft() throws {
        let third = ScriptedClient(in: try FileReplica(besides: files.guest))
        guest.feed(.changeUser(SyncUser("b")))
        owner.feed(.disableNetwork)
        owner.fire(.peers)
        guest.fire(.peers)
        #expect(try files.guest.shownUser() == SyncUser(nil))
        third.listen(try ScriptedClient.collection())
        #expect(!third.fire(.peers).listens.isEmpty)
    }

    /// Whoever wants the network has it, also as another user.
    @Test func whoWantsTheNetworkGoesFirst() throws {
        let third = ScriptedClient(in: try FileReplica(besides: files.guest))
        guest.feed(.disableNetwork)
        third.feed(.changeUser(SyncUser("b")))
        third.listen(try ScriptedClient.collection())
        files.owner.close()
        guest.fire(.peers)
        #expect(!third.fire(.peers).listens.isEmpty)
    }

    /// The other client's process has stopped, so that it does not take what is left to it.
    @Test func withoutAnOwnerAClientIsOfflineAfterAWhile() throws {
        owner.feed(.disableNetwork)
        owner.fire(.peers)
        let read = ListenOptions(waitsForServer: true)
        owner.listen(try ScriptedClient.collection(), read)
        for _ in 0..<20 where owner.effects.snapshots.isEmpty { owner.fire(.peers) }
        #expect(owner.effects.snapshots.map(\.isFromCache) == [true])
    }

    @Test func whoHasLeftTheNetworkOnceLooksFirstTheNextTimeToo() throws {
        guest.feed(.disableNetwork)
        files.owner.close()
        for _ in 0..<2 { guest.fire(.peers) }
        let third = ScriptedClient(in: try FileReplica(besides: files.guest))
        let fourth = ScriptedClient(in: try FileReplica(besides: files.guest))
        fourth.feed(.changeUser(SyncUser("b")))
        fourth.listen(try ScriptedClient.collection())
        guest.feed(.replicaChanged)
        guest.fire(.peers)
        third.feed(.disableNetwork)
        guest.fire(.peers)
        #expect(!fourth.fire(.peers).listens.isEmpty)
    }

    @Test func aStartThatFailsIsLeftToOthers() throws {
        files.owner.close()
        files.guest.close()
        let replica = try FileReplica(besides: files.guest)
        replica.failing = [ReplicaOperation.start.rawValue]
        let third = ScriptedClient(in: replica)
        let fourth = ScriptedClient(in: try FileReplica(besides: files.guest))
        #expect(!fourth.listen(try ScriptedClient.collection()).listens.isEmpty)
        replica.failing = []
        third.fire(.storeRetry)
        fourth.sync([ScriptedClient.document("a", 1, at: 1)], at: 3)
        #expect(third.listen(try ScriptedClient.collection()).snapshots.last?.documents.map(\.path.id) == ["a"])
    }

    /// Another client may be able to store what this one is not.
    @Test func aTakeoverThatFailsIsLeftToOthers() throws {
        let third = ScriptedClient(in: try FileReplica(besides: files.guest))
        guest.feed(.changeUser(SyncUser("b")))
        guest.listen(try ScriptedClient.collection())
        files.owner.close()
        files.guest.failing = [ReplicaOperation.takeOver.rawValue]
        guest.fire(.peers)
        #expect(!third.fire(.peers).listens.isEmpty)
        files.guest.failing = []
        guest.fire(.peers)
        #expect(try files.guest.shownUser() == SyncUser(nil))
    }

    /// Nobody says whether the server is reached until there is an owner again.
    @Test func aGuestWithoutTheNetworkStaysCurrentBetweenTwoOwners() throws {
        let third = ScriptedClient(in: try FileReplica(besides: files.guest))
        guest.listen(try ScriptedClient.collection())
        owner.feed(.replicaChanged)
        owner.sync([], at: 3)
        guest.feed(.replicaChanged)
        guest.feed(.disableNetwork)
        files.owner.close()
        #expect(guest.fire(.peers).snapshots.isEmpty)
        third.fire(.peers)
        #expect(guest.feed(.replicaChanged).snapshots.isEmpty)
    }

    /// The first attempt to start had begun a guest.
    @Test func anOwnerThatStartsWithoutTheNetworkIsOffline() throws {
        let replica = try FileReplica(besides: files.owner)
        replica.failing = [ReplicaOperation.look.rawValue]
        let third = ScriptedClient(in: replica)
        third.feed(.disableNetwork)
        files.owner.close()
        files.guest.close()
        replica.failing = []
        third.fire(.storeRetry)
        #expect(third.listen(try ScriptedClient.collection()).snapshots.map(\.isFromCache) == [true])
    }
}
