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
}
