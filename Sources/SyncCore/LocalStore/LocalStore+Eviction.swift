// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// Forgets the cached rows of a query, and what its target had, but for what is shown, listened to, pinned or queued.
    ///
    /// A target that loses a document that way is forgotten too: it could not resume without it.
    ///
    /// - Returns: whether nothing of it had to be kept.
    func evict(_ query: SyncQuery) throws(ReplicaError) -> Bool {
        try write(.evictDocuments) { (transaction: StoreTransaction) throws(ReplicaError) in
            let records = transaction.records
            let (active, pins) = try transaction.referencesOfAllClients(targets.keys, pins)
            var paths = Set(try records.rows(of: query).map(\.path))
            if let path = query.target.document { paths.insert(path) }
            let target = try records.target(query.target.canonicalID)
            if let target { paths.formUnion(try records.keys(of: target.id)) }
            var isAnyKept = false
            for path in paths where try !transaction.evict(path, besides: active, pins) { isAnyKept = true }
            if let target, !target.isPinned, !active.contains(target.id) { try transaction.forget(target) }
            return !isAnyKept
        }
    }
}

extension StoreTransaction {
    /// - Returns: whether the replica knows nothing of the document any more.
    fileprivate func evict(
        _ path: DocumentPath, besides active: Set<Int>, _ pins: ReferenceSet
    ) throws(ReplicaError) -> Bool {
        guard !pins.contains(path), try !records.isQueued(path) else { return false }
        let targets = try records.targets(containing: path)
        guard !targets.contains(where: { $0.isPinned || active.contains($0.id) }) else { return false }
        for target in targets { try forget(target) }
        try forgetDocument(at: path)
        return true
    }
}
