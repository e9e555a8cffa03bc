// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

@testable import SyncCore

/// What many listeners cost: each view is compared with what concerns it, and not at every boundary.
@Suite struct ListenerCostTests {
    private let client = ScriptedClient()

    private static func id(_ n: Int) -> String { "d\(1_000 + n)" }

    /// Boundaries carry a token for all targets, so that all are part of each event.
    @Test(arguments: [20, 200]) func oneBoundaryForEachOfManyListeners(_ count: Int) throws {
        for n in 0..<count {
            let query = SyncQuery(document: ScriptedClient.path(ListenerCostTests.id(n)))
            client.listen(query, ListenOptions(includesMetadataChanges: true), n)
            let document = ScriptedClient.document(ListenerCostTests.id(n), 1, at: Int64(n) + 10)
            // Every second one does not exist, which its target's being current says.
            client.sync(n.isMultiple(of: 2) ? [document] : [], at: Int64(n) + 10)
        }
        #expect(client.machine.viewUpdates <= 2 * count)
        #expect(client.effects.snapshots.filter { !$0.isFromCache }.count == count)
        for n in 0..<count {
            let base = try client.cached(ListenerCostTests.id(n)).base
            #expect(base.isCached && base.isFound == n.isMultiple(of: 2))
            // A document that does not exist is stored once, and not anew at each later boundary.
            #expect(base.version == Timestamp(microseconds: Int64(n) + 10))
        }
    }

    /// A first state is one transaction and one result, however large it is.
    @Test(arguments: ReplicaPlace.allCases) func aFirstStateOfManyDocuments(_ place: ReplicaPlace) throws {
        let count = Rounds.of(20_000)
        let client = ScriptedClient(in: try place.make())
        let query = try ScriptedClient.collection()
        client.listen(query)
        let documents = (0..<count).map { ScriptedClient.document("\(10_000 + $0)", Int64($0), at: 1) }
        #expect(client.sync(documents, at: 2).snapshots.map(\.documents.count) == [count])
        try client.restart()
        let again = client.listen(query)
        #expect(again.snapshots.map(\.documents.count) == [count])
        #expect(again.listens.map(\.resumeToken) == [[2]])
        #expect(again.listens.map(\.expectedCount) == [count])
        #expect(try client.replica.problems() == [])
    }

    /// Documents come in the order of their names. Wherever they belong, many of them are put there at once.
    @Test(arguments: [500, 4_000]) func manyRowsAtOnce(_ count: Int) throws {
        let query = try ScriptedClient.collection()
        let document = { (number: Int, n: Int, time: Int64) in
            ScriptedClient.document("\(10_000 + number)", Int64(n), at: time)
        }
        client.listen(query)
        // Each `n` once, in another order than that of the names.
        client.sync((0..<count).map { document($0, $0 * 7 % count, 1) }, at: 2)
        #expect(shown() == Array(0..<count))
        #expect(try moves(query) <= 2 * count)
        let target = client.wireIDs.last!
        for number in 0..<count {
            if number.isMultiple(of: 3) {
                let path = document(number, 0, 3).path
                client.say(.deletion(path, readTime: Timestamp(microseconds: 3), removed: [target]))
            } else {
                client.say(.document(document(number, -number, 3), updated: [target], removed: []))
            }
        }
        client.boundary(at: 3)
        #expect(shown() == (0..<count).reversed().filter { !$0.isMultiple(of: 3) }.map { -$0 })
        #expect(try moves(query) <= 4 * count)
    }

    private func moves(_ query: SyncQuery) throws -> Int {
        try #require(client.machine.views[query]).view.documents.moves
    }

    /// The field `n` of the documents of the last result.
    private func shown() -> [Int] {
        client.effects.snapshots.last!.documents.map { document in
            if case .integer(let n)? = document.fields?["n" as Text] { Int(n) } else { .max }
        }
    }

    /// A view that waits for news of an acknowledged write hears of every boundary.
    @Test func viewsThatWaitForTheServer() throws {
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 1, at: 2)], at: 3)
        let fields = Fields([Field("n", .integer(2))])!
        client.feed(.write([.set(ScriptedClient.path("a"), fields)], write: 1))
        client.acknowledge(at: 5)
        #expect(client.effects.snapshots.last?.hasPendingWrites == true)
        client.boundary(at: 6)
        #expect(client.effects.snapshots.last?.hasPendingWrites == false)
        let known = client.machine.viewUpdates
        client.boundary(at: 7)
        #expect(client.machine.viewUpdates == known)
    }
}
