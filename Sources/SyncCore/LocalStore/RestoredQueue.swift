// SPDX-License-Identifier: Apache-2.0

/// What is irreplaceable in a replica: writes that the server does not have. Everything else can be fetched again.
package struct RestoredQueue: Sendable {
    /// In no particular order.
    package var batches: [(user: SyncUser, batch: MutationBatch)] = []
    package var rejected: [(user: SyncUser, batch: RejectedBatch)] = []
    /// The user whose writes are shown, and a number that no batch exceeds.
    package var header = ReplicaHeader()

    package init() {}

    /// Puts the queue into an empty replica. Documents show what the writes make of nothing, until the server is heard.
    package func store(in records: any ReplicaRecords) throws(ReplicaError) {
        var fresh = ReplicaHeader(user: header.user, highestBatch: header.highestBatch, highestSequence: 1)
        fresh.unclaimedFrom = header.unclaimedFrom
        fresh.spentMarkers = header.spentMarkers
        for id in batches.map(\.batch.id) + rejected.map(\.batch.batch.id) {
            fresh.highestBatch = max(fresh.highestBatch, id)
        }
        try records.setHeader(fresh)
        for (user, batch) in rejected { try records.setRejectedBatch(batch, of: user) }
        for (user, batch) in batches { try records.setBatch(batch, of: user) }
        let transaction = StoreTransaction(records, .leastRecentlyUsed, user: header.user, sequence: 1)
        let shown = batches.filter { $0.user == header.user }
        for path in Set(shown.flatMap(\.batch.paths)) {
            var document = try records.document(at: path)
            try transaction.recomputeOverlay(of: &document)
        }
    }
}
