// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// The cache of two clients of one file, as one of them reads it while the other one changes it.
@Suite struct SharedCacheTests {
    /// What is gone when the rows are read is not taken for the whole result.
    @Test(arguments: [false, true]) func aReadBesideAnEvictionIsNotComplete(isEvicted: Bool) throws {
        let file = try FileReplica()
        let owner = ScriptedClient(in: file)
        let guest = ScriptedClient(in: try FileReplica(besides: file))
        let query = try ScriptedClient.collection()
        owner.listen(query)
        owner.sync([ScriptedClient.document("a", 1, at: 1)], at: 1)
        owner.feed(.unlisten(listener: 1))
        let read = try guest.machine.whileComplete(query) {
            if isEvicted { owner.feed(.evict(query, call: 1)) }
            return true
        }
        #expect(read == (isEvicted ? nil : true))
        #expect(try owner.cached("a").base.isCached == !isEvicted)
    }
}
