// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// Another user signs in while the store fails: writes of the user before are not sent with the credentials of the next.
@Suite struct UserChangeTests {
    private let client = ScriptedClient()

    /// All that was not stored is stored in turn. Then the user before signs in again.
    private func expectAnOrderlyEnd() throws {
        #expect(client.effects.sentWrites.isEmpty)
        if try client.replica.shownUser() != SyncUser("b") { client.fire(.storeRetry) }
        #expect(try client.replica.shownUser() == SyncUser("b"))
        #expect(client.effects.sentWrites.isEmpty)
        client.feed(.changeUser(SyncUser(nil)))
        #expect(client.effects.sentBatches == 1)
    }

    @Test func aStoreThatCanBeReadAgain() throws {
        client.listen(try ScriptedClient.collection())
        client.replica.failing = [ReplicaOperation.lastSnapshotVersion.rawValue]
        client.sync([], at: 3)
        client.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        client.replica.failing = []
        client.feed(.changeUser(SyncUser("b")))
        try expectAnOrderlyEnd()
    }

    @Test func aNetworkThatIsEnabledBeforeTheChangeIsStored() throws {
        client.feed(.disableNetwork)
        client.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        client.replica.failing = [ReplicaOperation.changeUser.rawValue]
        client.feed(.changeUser(SyncUser("b")))
        client.replica.failing = []
        client.feed(.enableNetwork)
        try expectAnOrderlyEnd()
    }

    /// To another user and back, while nothing can be stored. Then the first change is stored.
    private func goThereAndBack() throws {
        client.replica.failing = [ReplicaOperation.changeUser.rawValue]
        client.feed(.changeUser(SyncUser("b")))
        client.feed(.changeUser(SyncUser(nil)))
        client.replica.failing = []
        client.fire(.storeRetry)
        #expect(try client.replica.shownUser() == SyncUser("b"))
    }

    @Test func aUserWhoReturns() throws {
        client.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        #expect(client.effects.sentBatches == 1)
        try goThereAndBack()
        #expect(client.effects.sentBatches == 1)
        client.fire(.storeRetry)
        #expect(try client.replica.shownUser() == SyncUser(nil))
        #expect(client.effects.sentBatches == 2, "it is sent again on the new stream")
    }

    /// A user who is shown for a moment only has writes queued.
    @Test func aUserInBetween() throws {
        client.feed(.changeUser(SyncUser("b")))
        client.feed(.disableNetwork)
        client.feed(.write([.set(ScriptedClient.path("a"), .empty)], write: 1))
        client.feed(.changeUser(SyncUser(nil)))
        client.feed(.enableNetwork)
        try goThereAndBack()
        client.fire(.storeRetry)
        #expect(try client.replica.shownUser() == SyncUser(nil))
        #expect(client.effects.sentWrites.isEmpty)
    }
}
