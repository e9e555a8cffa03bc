// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import SyncCore
import Testing

@Suite struct ListenTests {
    @Test func noNumberIsUsedTwiceOnTheWire() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 1, at: 1)], at: 1)
        client.say(.existenceFilter(ExistenceFilter(count: 5, unchangedNames: nil), target: client.wireIDs.last!))
        client.boundary(at: 2)
        client.fail(.watch, .unavailable)
        let wait = client.effects.waits(.backoff(.watch)).last!
        client.feed(.timer(.backoff(.watch), ticket: wait.ticket))
        client.feed(.unlisten(listener: 1))
        client.listen(try ScriptedClient.collection(), ListenOptions(), 2)
        #expect(client.wireIDs.count == 4)
        #expect(Set(client.wireIDs).count == 4)
    }

    /// A crash between the two must not resume from documents that are known to be wrong.
    @Test func tokenIsForgottenBeforeTheListenThatReplacesAWrongResult() throws {
        let client = ScriptedClient()
        let query = try ScriptedClient.collection()
        client.listen(query)
        client.sync([ScriptedClient.document("a", 1, at: 1)], at: 1)
        #expect(try client.target(of: query)?.resumeToken == [1])
        client.say(.existenceFilter(ExistenceFilter(count: 5, unchangedNames: nil), target: client.wireIDs.last!))
        let effects = client.boundary(at: 2)
        #expect(try client.target(of: query)?.resumeToken == [])
        #expect(effects.listens.map(\.purpose) == [.existenceFilterMismatch])
        #expect(effects.listens.first?.resumeToken == [])
    }

    /// A result that is known to be wrong is listened to anew, with the token that is stored. What the server has said of the
    /// listen before is no news of this one, which would forget the token and keep the documents.
    @Test(arguments: ReplicaPlace.allCases) func wrongResultOfAnEndedListenIsFoundAgain(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make())
        let query = try ScriptedClient.collection()
        client.listen(query)
        client.sync([ScriptedClient.document("a", 1, at: 1), ScriptedClient.document("b", 2, at: 1)], at: 1)
        let one = ExistenceFilter(count: 1, unchangedNames: nil)
        client.say(.existenceFilter(one, target: client.wireIDs.last!))
        client.feed(.unlisten(listener: 1))
        #expect(client.listen(query, ListenOptions(), 2).listens.map(\.resumeToken) == [[1]])
        client.say(.target(.added, targets: [client.wireIDs.last!], resumeToken: [], readTime: nil))
        #expect(client.boundary(at: 2).listens.isEmpty)
        client.say(.existenceFilter(one, target: client.wireIDs.last!))
        #expect(client.boundary(at: 3).listens.map(\.purpose) == [.existenceFilterMismatch])
        let listens = client.sync([ScriptedClient.document("a", 1, at: 1)], at: 4).listens
        #expect(listens.map(\.target.document) == [ScriptedClient.path("b")])
        #expect(client.sync([], at: 5).snapshots.last?.documents.map(\.path.id) == ["a"])
        #expect(try client.replica.problems() == [])
    }

    /// A document leaves a limited result when the replica cannot be read. The next one comes in its place later.
    @Test(arguments: ReplicaPlace.allCases) func resultThatCouldNotBeFilledIsFilledLater(_ place: ReplicaPlace) throws {
        let client = ScriptedClient(in: try place.make())
        client.listen(try ScriptedClient.collection())
        client.sync((1...3).map { ScriptedClient.document("d\($0)", $0, at: 1) }, at: 1)
        let two = try ScriptedClient.collection(limit: 2)
        client.listen(two, ListenOptions(includesMetadataChanges: true, source: .cache), 2)
        client.replica.failing = [ReplicaOperation.executeQuery.rawValue]
        let short = client.feed(.write([Write(ScriptedClient.path("d1"), .delete)], write: 1))
        #expect(short.snapshots.filter { $0.query == two }.map { $0.documents.map(\.path.id) } == [["d2"]])
        let first = try #require(client.effects.waits(.storeRetry).last)
        #expect(client.feed(.timer(.storeRetry, ticket: first.ticket)).snapshots.isEmpty)
        client.replica.failing = []
        let second = try #require(client.effects.waits(.storeRetry).last)
        #expect(second.ticket != first.ticket)
        let full = client.feed(.timer(.storeRetry, ticket: second.ticket)).snapshots
        #expect(full.map { $0.documents.map(\.path.id) } == [["d2", "d3"]])
        #expect(full.flatMap(\.changes).map(\.document.path.id) == ["d3"])
        // Nothing is left to be done, and the network was on.
        #expect(client.effects.waits(.storeRetry).last?.ticket == second.ticket)
        #expect(client.connections[.watch] != nil)
    }

    /// A result that cannot be filled keeps nothing else back.
    @Test func resultThatCannotBeFilledKeepsNoUserBack() throws {
        let client = ScriptedClient(in: try ReplicaPlace.memory.make())
        client.listen(try ScriptedClient.collection())
        client.sync((1...3).map { ScriptedClient.document("d\($0)", $0, at: 1) }, at: 1)
        client.listen(try ScriptedClient.collection(limit: 2), ListenOptions(source: .cache), 2)
        client.replica.failing = [ReplicaOperation.executeQuery.rawValue]
        client.feed(.write([Write(ScriptedClient.path("d1"), .delete)], write: 1))
        client.feed(.changeUser(SyncUser("b")))
        #expect(try client.replica.shownUser() == SyncUser("b"))
        #expect(client.connections[.watch] != nil)
    }

    /// Production ends a listen whose token it does not take. The next one has none, and what matched before counts only
    /// once the server has said so again.
    @Test(arguments: ReplicaPlace.allCases) func badTokenIsForgottenAndTheListenStartsAgain(
        _ place: ReplicaPlace
    ) throws {
        let client = ScriptedClient(in: try place.make())
        let query = try ScriptedClient.collection()
        client.listen(query)
        client.sync([ScriptedClient.document("a", 1, at: 1), ScriptedClient.document("b", 2, at: 1)], at: 1)
        client.fail(.watch, .unavailable)
        #expect(client.connectAgain(.watch).listens.first?.resumeToken == [1])
        let refusal = SyncError(.invalidArgument, "The resume token is invalid.")
        let effects = client.say(.targetsRejected([client.wireIDs.last!], refusal))
        #expect(effects.listens.map(\.resumeToken) == [[]])
        #expect(effects.listens.map(\.expectedCount) == [nil])
        #expect(try client.target(of: query)?.resumeToken == [])
        #expect(effects.snapshots.map(\.isFromCache) == [true])
        #expect(effects.snapshots.last?.documents.map(\.path.id) == ["a", "b"])
        // `b` is in doubt: a listen of its own finds out.
        let listens = client.sync([ScriptedClient.document("a", 1, at: 1)], at: 2).listens
        #expect(listens.map(\.purpose) == [.limboResolution])
        #expect(listens.map(\.target.document) == [ScriptedClient.path("b")])
        #expect(client.sync([], at: 3).snapshots.last?.documents.map(\.path.id) == ["a"])
        #expect(try client.replica.problems() == [])
    }

    @Test func withoutATokenTheSameErrorIsTheListeners() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        let refusal = SyncError(.invalidArgument, "The query is invalid.")
        let effects = client.say(.targetsRejected([client.wireIDs.last!], refusal))
        #expect(effects.listens.isEmpty)
        let failures = effects.filter { if case .listenerFailed(refusal, 1) = $0 { true } else { false } }
        #expect(failures.count == 1)
    }

    /// Production may send RESET after CURRENT: the documents stay, the result counts as old until CURRENT.
    @Test func resetAfterCurrentShowsNoFlicker() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 1, at: 1)], at: 1)
        let target = client.wireIDs.last!
        client.say(.target(.reset, targets: [target], resumeToken: [], readTime: nil))
        client.say(.document(ScriptedClient.document("a", 1, at: 1), updated: [target], removed: []))
        let early = client.boundary(at: 2).snapshots
        #expect(early.map(\.isFromCache) == [true])
        #expect(early.flatMap(\.changes).isEmpty)
        client.say(.target(.current, targets: [target], resumeToken: [3], readTime: nil))
        let late = client.boundary(at: 3).snapshots
        #expect(late.map(\.isFromCache) == [false])
        #expect(late.flatMap(\.changes).isEmpty)
    }

    @Test func lastRowsAreTheFirstOfTheReversedOrder() throws {
        let last = try ScriptedClient.collection(limit: 2, takesLast: true)
        let first = try ScriptedClient.collection(limit: 2, .descending)
        #expect(last != first)
        #expect(last.target == first.target)
        let client = ScriptedClient()
        client.listen(last)
        client.sync([ScriptedClient.document("a", 1, at: 1), ScriptedClient.document("b", 2, at: 1)], at: 1)
        // Both share one listen, and the second is complete at once.
        let joined = client.listen(first, ListenOptions(), 2)
        #expect(joined.listens.isEmpty)
        #expect(joined.snapshots.map(\.isFromCache) == [false])
        #expect(client.effects.snapshots.map { $0.documents.map(\.path.id) } == [["a", "b"], ["b", "a"]])
    }

    @Test func listenerThatWaitsForTheServerHearsTheCacheOnlyOffline() throws {
        let client = ScriptedClient()
        client.feed(.write([.set(ScriptedClient.path("a"), Fields([Field("n", .integer(1))])!)], write: 1))
        #expect(client.listen(try ScriptedClient.collection(), ListenOptions(waitsForServer: true)).snapshots.isEmpty)
        #expect(client.feed(.disableNetwork).snapshots.map(\.isFromCache) == [true])
    }

    @Test func silenceOfTenSecondsIsOffline() throws {
        let client = ScriptedClient()
        let wait = try #require(client.listen(try ScriptedClient.collection()).waits(.onlineState).last)
        #expect(wait.milliseconds == 10_000)
        #expect(client.feed(.timer(.onlineState, ticket: wait.ticket)).snapshots.map(\.isFromCache) == [true])
    }

    @Test func messagesOfOldConnectionsAndUnknownTargetsAreIgnored() throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        let old = client.connections[.watch]!
        client.fail(.watch, .unavailable)
        let boundary = WatchChange.target(.none, targets: [], resumeToken: [1], readTime: Timestamp(microseconds: 1))
        #expect(client.feed(.watch(boundary, connection: old)).isEmpty)
        client.feed(.connectivityRestored)
        client.say(.target(.removed, targets: [99], resumeToken: [], readTime: nil))
        client.say(.targetsRejected([99, 98], SyncError(.permissionDenied, "")))
        client.say(.document(ScriptedClient.document("a", 1, at: 1), updated: [99], removed: [97]))
        client.say(.existenceFilter(ExistenceFilter(count: -1, unchangedNames: nil), target: 99))
        #expect(client.boundary(at: 1).snapshots.isEmpty)
        #expect(try !client.cached("a").base.isCached)
        #expect(client.feed(.unlisten(listener: 99)).isEmpty)
        #expect(client.feed(.timer(.onlineState, ticket: -1)).isEmpty)
    }
}
