// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import ReplicaStore
import SyncCore
import Testing

/// Whether a document is known as a whole, read beside its client.
@Suite struct WholeReadTests {
    /// A merge shows a part of a document that is not cached. That a write of the whole is queued a moment later does not make
    /// the part a whole.
    @Test func aPartIsNoWholeBesideAWriteThatFollows() async throws {
        let replica = try FileReplica()
        let client = ScriptedClient(in: replica)
        client.feed(.disableNetwork)
        let path = ScriptedClient.path("a")
        let merge = Write(
            path, .update(Fields([Field("m", .integer(1))])!, mask: [FieldPath(name: "m")], transforms: []))
        let whole = Write.set(path, Fields([Field("n", .integer(1))])!)
        let engine = replica.engine
        let reader = Task.detached {
            var parts = 0
            while !Task.isCancelled {
                guard let document = try engine.wholeDocument(at: path) else { continue }
                if document.fields?["n" as Text] == nil { parts += 1 }
            }
            return parts
        }
        for round in 1...300 {
            client.feed(.write([merge], write: 2 * round - 1))
            client.feed(.write([whole], write: 2 * round))
            client.feed(.cancelWrite(batch: 2 * round, call: 2 * round))
            client.feed(.cancelWrite(batch: 2 * round - 1, call: 2 * round - 1))
        }
        reader.cancel()
        #expect(try await reader.value == 0)
        #expect(try client.machine.pendingWrites().isEmpty)
    }
}
