// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Whose writes a replica shows, and whose those are that were made before credentials named a user.
extension LocalStore {
    /// Lets what is written from now on belong to the user whom credentials name next.
    func awaitUser() throws(ReplicaError) {
        try write(.changeUser) { (transaction: StoreTransaction) throws(ReplicaError) in
            var header = try transaction.records.header
            guard header.unclaimedFrom == nil else { return }
            header.unclaimedFrom = header.highestBatch + 1
            try transaction.records.setHeader(header)
        }
        isUserAwaited = true
    }

    /// Shows this user's writes instead of those that the replica shows, and gives the user those that nobody has claimed.
    ///
    /// - Returns: what has changed, and the batches that the user has got.
    func changeUser(to newUser: SyncUser) throws(ReplicaError) -> (changes: DocumentChanges, claimed: Set<Int>) {
        let result = try write(.changeUser) { (old: StoreTransaction) throws(ReplicaError) in
            var header = try old.records.header
            let (oldUser, unclaimed) = (header.user, header.unclaimedFrom ?? .max)
            header.user = newUser
            header.unclaimedFrom = nil
            try old.records.setHeader(header)
            let batches = try old.records.batches(of: oldUser)
            let claimed = batches.filter { $0.id >= unclaimed }
            let ids = Set(claimed.map(\.id))
            guard oldUser != newUser else { return (DocumentChanges(), ids) }
            let paths = Set((batches + (try old.records.batches(of: newUser))).flatMap(\.paths))
            let new = StoreTransaction(old.records, policy, user: newUser, sequence: old.sequence)
            try new.claim(claimed, from: oldUser)
            for path in paths {
                var document = try new.records.document(at: path)
                try new.recomputeOverlay(of: &document)
            }
            return (try new.localDocuments(at: paths), ids)
        }
        user = newUser
        isUserAwaited = false
        return result
    }
}

extension StoreTransaction {
    /// Puts batches of another user behind those of this one: no batch of anybody is later.
    fileprivate func claim(_ batches: [MutationBatch], from other: SyncUser) throws(ReplicaError) {
        for batch in batches {
            try records.removeBatch(batch.id, of: other)
            try records.setBatch(batch, of: user)
        }
        guard let first = batches.first else { return }
        // They were written on what the other user's writes had made.
        _ = try restartIncrements(of: Set(batches.flatMap(\.paths)), from: first.id)
    }
}
