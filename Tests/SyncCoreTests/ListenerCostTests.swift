// SPDX-License-Identifier: Apache-2.0

import DocumentModel
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
