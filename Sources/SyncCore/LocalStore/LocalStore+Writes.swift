// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// Queues writes as one batch and shows them.
    func writeLocally(
        _ writes: [Write], at time: Timestamp
    ) throws(ReplicaError) -> (batch: Int, changes: DocumentChanges) {
        try write(.writeLocally) { (transaction: StoreTransaction) throws(ReplicaError) in
            let records = transaction.records
            var documents: [DocumentPath: CachedDocument] = [:]
            for path in Set(writes.map(\.path)) { documents[path] = try records.document(at: path) }
            var header = try records.header
            header.highestBatch += 1
            try records.setHeader(header)
            let batch = MutationBatch(
                id: header.highestBatch, localWriteTime: time,
                baseWrites: writes.compactMap { $0.baseWrite(on: documents[$0.path]!.local) }, writes: writes)
            try records.addBatch(batch, of: user)
            var changes: DocumentChanges = [:]
            for (path, var document) in documents {
                document.overlay = batch.overlay(on: document) ?? document.overlay
                try records.setDocument(document)
                changes[path] = document.local
            }
            return (batch.id, changes)
        }
    }

    /// Takes a batch that the server has committed out of the queue. Its results become the server's version of the
    /// documents, unless the listen has sent a newer one.
    func acknowledge(_ batch: MutationBatch, _ commit: CommitResult) throws(ReplicaError) -> DocumentChanges {
        try write(.acknowledgeBatch) { (transaction: StoreTransaction) throws(ReplicaError) in
            let versions = batch.versions(commit)
            try transaction.records.removeBatch(batch.id, of: user)
            for path in batch.paths {
                var document = try transaction.records.document(at: path)
                if document.base.version < versions[path]! { batch.applyCommitted(to: &document.base, commit) }
                // The batches that are left may build on what the server has made of this one.
                try transaction.recomputeOverlay(of: &document)
            }
            try transaction.touch(batch.paths)
            return try transaction.localDocuments(at: batch.paths)
        }
    }

    /// Takes a batch that the server has refused out of the queue.
    func reject(_ batch: MutationBatch) throws(ReplicaError) -> DocumentChanges {
        try write(.rejectBatch) { (transaction: StoreTransaction) throws(ReplicaError) in
            try transaction.records.removeBatch(batch.id, of: user)
            for path in batch.paths {
                var document = try transaction.records.document(at: path)
                try transaction.recomputeOverlay(of: &document)
            }
            try transaction.touch(batch.paths)
            return try transaction.localDocuments(at: batch.paths)
        }
    }

    func nextBatch(after id: Int) throws(ReplicaError) -> MutationBatch? {
        try read(.nextBatch) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.batch(after: id, of: user)
        }
    }

    func highestBatch() throws(ReplicaError) -> Int? {
        try read(.highestBatch) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.batches(of: user).last?.id
        }
    }

    /// Shows this user's writes instead of those that the replica shows.
    func changeUser(to newUser: SyncUser) throws(ReplicaError) -> DocumentChanges {
        let changes = try write(.changeUser) { (old: StoreTransaction) throws(ReplicaError) in
            let records = old.records
            var header = try records.header
            let oldUser = header.user
            header.user = newUser
            try records.setHeader(header)
            let new = StoreTransaction(records, policy, user: newUser, sequence: old.sequence)
            var paths: Set<DocumentPath> = []
            for batch in try records.batches(of: oldUser) + records.batches(of: newUser) {
                paths.formUnion(batch.paths)
            }
            for path in paths {
                var document = try records.document(at: path)
                try new.recomputeOverlay(of: &document)
            }
            return try new.localDocuments(at: paths)
        }
        user = newUser
        return changes
    }
}

extension MutationBatch {
    /// The overlay of a document on which this batch's writes have been made after those of its overlay; nil if they
    /// change nothing.
    fileprivate func overlay(on document: CachedDocument) -> Overlay? {
        var local = document.local
        var changed = document.base.isCached ? document.overlay?.changedFields ?? .some([]) : .whole
        applyLocally(to: &local, changing: &changed)
        return Overlay(of: local, changed: changed, batch: id)
    }

    /// The server's version of each document after the commit.
    fileprivate func versions(_ commit: CommitResult) -> [DocumentPath: Timestamp] {
        var versions: [DocumentPath: Timestamp] = [:]
        for path in paths { versions[path] = commit.commitTime }
        for (write, result) in zip(writes, commit.results) {
            versions[write.path] = result.updateTime ?? commit.commitTime
        }
        return versions
    }
}
