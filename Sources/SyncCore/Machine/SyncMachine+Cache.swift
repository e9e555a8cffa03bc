// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

// The cache as the program sees and changes it.
extension SyncMachine {
    /// The bytes that the replica uses, without free pages.
    package func cacheSize() throws(ReplicaError) -> Int {
        try store.read(.executeQuery) { (records: any ReplicaRecords) throws(ReplicaError) in try records.size }
    }

    /// The server's time as of which the cache has all rows of the query; nil if it may lack some. Local writes come on
    /// top.
    ///
    /// A query that is listened to, or was, answers for itself, and for narrower queries: those of its collection, or of
    /// collections in its group, with at least its filters and the fields by which it is ordered, if it has no limit and
    /// no cursors itself. A limited query answers as long as none of its documents has changed. The cost does not grow with
    /// the number of queries that the cache knows.
    package func completeVersion(of query: SyncQuery) throws(ReplicaError) -> Timestamp? {
        try store.completeVersion(of: query)
    }

    /// What `read` finds in the cache, if that has all rows of the query meanwhile: another client may forget some.
    package func whileComplete<R>(_ query: SyncQuery, _ read: () -> R) throws(ReplicaError) -> R? {
        guard let version = try completeVersion(of: query) else { return nil }
        let result = read()
        return try completeVersion(of: query) == version ? result : nil
    }

    func pin(_ query: SyncQuery, _ isPinned: Bool) throws(SyncError) {
        try stored { () throws(ReplicaError) in try store.setPinned(isPinned, query) }
    }

    /// - Throws: for a document that has to stay. What has to stay of other queries is no error.
    func evict(_ query: SyncQuery) throws(SyncError) {
        guard isOwner else {
            throw SyncError(
                .failedPrecondition,
                "Another process has this database open and decides what its cache forgets. Evict there.")
        }
        let isGone = try stored { () throws(ReplicaError) in try store.evict(query) }
        if !isGone, let path = query.target.document {
            throw SyncError(
                .failedPrecondition, "\(path) stays in the cache: it is shown, listened to, pinned or waits to be sent."
            )
        }
    }
}
