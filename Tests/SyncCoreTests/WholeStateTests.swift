// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// The first listens of a replica that had the whole database go on from what it has.
@Suite struct WholeStateTests {
    private static let time = Timestamp(microseconds: 10)!

    /// `a`, `b` and `c`, with `n` 1, 2 and 3, as of time 10.
    private static func client(in place: ReplicaPlace = .memory) throws -> ScriptedClient {
        let replica = try place.make()
        try replica.look { (records) throws(ReplicaError) in
            for (number, id) in ["a", "b", "c"].enumerated() {
                let document = ScriptedClient.document(id, Int64(number + 1), at: Int64(number + 1))
                try records.setDocument(CachedDocument(base: document))
            }
            var header = try records.header
            header.lastSnapshotVersion = time
            header.whole = WholeState(at: time)
            try records.setHeader(header)
        }
        return ScriptedClient(in: replica)
    }

    private static func whole(_ client: ScriptedClient) throws -> WholeState? {
        try client.replica.look { (records) throws(ReplicaError) in try records.header.whole }
    }

    private static func change(_ id: String, at time: Int64) -> [SyncDocument] {
        [ScriptedClient.document(id, time, at: time)]
    }

    @Test(arguments: ReplicaPlace.allCases) func firstListenGoesOn(_ place: ReplicaPlace) throws {
        let client = try WholeStateTests.client(in: place)
        try client.restart()
        let query = try ScriptedClient.collection()
        #expect(try client.machine.completeVersion(of: query) == WholeStateTests.time)
        let effects = client.listen(query)
        #expect(effects.snapshots.last?.documents.map(\.path.id) == ["a", "b", "c"])
        #expect(effects.snapshots.last?.isFromCache == true)
        let listen = try #require(effects.listens.last)
        #expect(listen.readTime == WholeStateTests.time && listen.resumeToken.isEmpty && listen.expectedCount == 3)
        let synced = client.sync([], at: 12)
        #expect(synced.snapshots.last?.isFromCache == false && synced.listens.isEmpty)
        #expect(try client.replica.problems() == [])
        // So does a limit, as nothing has changed.
        #expect(client.listen(try ScriptedClient.collection(limit: 2), .init(), 2).listens.last?.expectedCount == 2)
        #expect(
            client.listen(SyncQuery(document: ScriptedClient.path("x")), .init(), 3).listens.last?.expectedCount == 0)
    }

    /// Also of a query that was pinned before anybody listened to it.
    @Test(arguments: ReplicaPlace.allCases) func firstListenOfAPinnedQueryGoesOn(_ place: ReplicaPlace) throws {
        let client = try WholeStateTests.client(in: place)
        let query = try ScriptedClient.collection()
        #expect(client.feed(.pin(query, call: 1)).answers == [1: .ok])
        let listen = try #require(client.listen(query).listens.last)
        #expect(listen.readTime == WholeStateTests.time && listen.expectedCount == 3)
        #expect(client.sync([], at: 12).snapshots.last?.isFromCache == false)
        #expect(try client.replica.problems() == [])
    }

    /// What changed since is not counted: the server sends it if it matches. A limit may have other rows by now.
    @Test func changesSinceAreLeftToTheServer() throws {
        let client = try WholeStateTests.client()
        client.listen(SyncQuery(document: ScriptedClient.path("b")))
        client.sync(WholeStateTests.change("b", at: 11), at: 11)
        #expect(try WholeStateTests.whole(client)?.hasChanged == true)
        let all = client.listen(try ScriptedClient.collection(), .init(), 2).listens.last
        #expect(all?.readTime == WholeStateTests.time && all?.expectedCount == 2)
        #expect(client.listen(try ScriptedClient.collection(limit: 2), .init(), 3).listens.last?.readTime == nil)
    }

    @Test func writesOfTheProgramDoNotCount() throws {
        let client = try WholeStateTests.client()
        client.feed(.disableNetwork)
        client.feed(.write([Write(ScriptedClient.path("a"), .delete)], write: 1))
        client.feed(.write([.set(ScriptedClient.path("d"), Fields([Field("n", .integer(0))])!)], write: 2))
        client.listen(try ScriptedClient.collection())
        client.listen(try ScriptedClient.collection(limit: 2), .init(), 2)
        let listens = client.feed(.enableNetwork).listens
        #expect(listens.map(\.expectedCount) == [3, nil])
    }

    @Test(arguments: [StatusCode.invalidArgument, .failedPrecondition, .outOfRange])
    func refusedTimeIsNotTriedAgain(_ code: StatusCode) throws {
        let client = try WholeStateTests.client()
        client.listen(try ScriptedClient.collection())
        let effects = client.say(.targetsRejected([client.wireIDs.last!], SyncError(code, "too old")))
        #expect(effects.listens.map(\.readTime) == [nil])
        #expect(try WholeStateTests.whole(client) == nil)
        // The second refusal is the listener's.
        let again = client.say(.targetsRejected([client.wireIDs.last!], SyncError(code, "no")))
        #expect(again.contains { if case .listenerFailed = $0 { true } else { false } })
        #expect(client.listen(try ScriptedClient.collection(limit: 2), .init(), 2).listens.last?.readTime == nil)
    }

    @Test func whatIsForgottenEndsIt() throws {
        let evicted = try WholeStateTests.client()
        evicted.feed(.evict(SyncQuery(document: ScriptedClient.path("a")), call: 1))
        #expect(try WholeStateTests.whole(evicted) == nil)
        #expect(try evicted.machine.completeVersion(of: ScriptedClient.collection()) == nil)

        let damaged = try WholeStateTests.client(in: .file)
        try damaged.replica.restartAfterDamage()
        #expect(try WholeStateTests.whole(damaged) == nil)

        let refused = try WholeStateTests.client()
        refused.listen(try ScriptedClient.collection())
        refused.say(.target(.added, targets: [refused.wireIDs.last!], resumeToken: [], readTime: nil))
        refused.say(.existenceFilter(ExistenceFilter(count: 1, unchangedNames: nil), target: refused.wireIDs.last!))
        refused.say(.target(.current, targets: [refused.wireIDs.last!], resumeToken: [1], readTime: nil))
        #expect(refused.boundary(at: 12).listens.map(\.readTime) == [nil])
        #expect(try WholeStateTests.whole(refused) == nil)
    }
}
