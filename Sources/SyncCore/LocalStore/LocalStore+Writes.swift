// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// Queues writes as one batch and shows them.
    ///
    /// - Parameter isSentAtOnce: whether the batch is sent next, so that its first attempt need not be counted later.
    func writeLocally(
        _ writes: [Write], at time: Timestamp, isSentAtOnce: Bool, marker: DocumentPath?
    ) throws(ReplicaError) -> (batch: Int, changes: DocumentChanges) {
        try write(.writeLocally) { (transaction: StoreTransaction) throws(ReplicaError) in
            try transaction.enqueue(writes, at: time, marker, isSentAtOnce: isSentAtOnce)
        }
    }

    /// Takes a batch that the server has committed out of the queue. Its results become the server's version of the
    /// documents, unless the listen has sent a newer one.
    func acknowledge(_ batch: MutationBatch, _ commit: CommitResult) throws(ReplicaError) -> DocumentChanges {
        let versions = batch.versions(commit)
        return try write(.acknowledgeBatch) { (transaction: StoreTransaction) throws(ReplicaError) in
            try transaction.noteSpent(batch.marker.map { [$0] } ?? [])
            transaction.records.noteOutcome(of: batch.id, nil)
            return try transaction.take(batch) { document in
                if document.version < versions[document.path]! { batch.applyCommitted(to: &document, commit) }
            }
        }
    }

    /// The same for a batch whose acknowledgement was lost, from documents that were read afterwards.
    func acknowledge(_ batch: MutationBatch, _ documents: [SyncDocument]) throws(ReplicaError) -> DocumentChanges {
        try write(.acknowledgeBatch) { (transaction: StoreTransaction) throws(ReplicaError) in
            try transaction.noteSpent(batch.marker.map { [$0] } ?? [])
            transaction.records.noteOutcome(of: batch.id, nil)
            return try transaction.take(batch) { document in
                let path = document.path
                guard var read = documents.first(where: { $0.path == path }), document.version < read.version else {
                    return
                }
                read.hasCommittedMutations = true
                document = read
            }
        }
    }

    func nextBatch(after id: Int) throws(ReplicaError) -> MutationBatch? {
        try read(.nextBatch) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.batch(after: id, of: user)
        }
    }

    func highestBatch() throws(ReplicaError) -> Int? {
        try read(.highestBatch) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.lastBatch(before: records.header.highestBatch + 1, of: user)
        }
    }
}

extension StoreTransaction {
    /// Queues writes as one batch on top of all others.
    func enqueue(
        _ writes: [Write], at time: Timestamp, _ marker: DocumentPath?, isSentAtOnce: Bool = false
    ) throws(ReplicaError) -> (batch: Int, changes: DocumentChanges) {
        var documents: [DocumentPath: CachedDocument] = [:]
        for path in Set(writes.map(\.path)) { documents[path] = try records.document(at: path) }
        var header = try records.header
        header.highestBatch += 1
        try records.setHeader(header)
        var batch = MutationBatch(
            id: header.highestBatch, localWriteTime: time,
            baseWrites: writes.compactMap { $0.baseWrite(on: documents[$0.path]!.local) }, writes: writes,
            marker: marker)
        if isSentAtOnce { try countAttempt(of: &batch) }
        try records.setBatch(batch, of: user)
        var changes: DocumentChanges = [:]
        for (path, var document) in documents {
            document.overlay = batch.overlay(on: document) ?? document.overlay
            try records.setDocument(document)
            changes[path] = document.local
        }
        return (batch.id, changes)
    }

    func countAttempt(of batch: inout MutationBatch) throws(ReplicaError) {
        if batch.attempts == 0 { try giveSpentMarkers(to: &batch) }
        batch.attempts += 1
    }

    /// Takes a batch out of the queue, with what it leaves of the server's version of its documents.
    func take(
        _ batch: MutationBatch, updating update: (inout SyncDocument) -> Void
    ) throws(ReplicaError) -> DocumentChanges {
        try records.removeBatch(batch.id, of: user)
        for path in batch.paths {
            var document = try records.document(at: path)
            let old = document.base
            update(&document.base)
            if document.base.version != old.version { try noteChange() }
            // The batches that are left may build on what the server has made of this one.
            try recomputeOverlay(of: &document, without: batch, from: old)
        }
        try touch(batch.paths)
        return try localDocuments(at: batch.paths)
    }
}

extension MutationBatch {
    /// The overlay of a document on which this batch's writes have been made after those of its overlay; nil if they
    /// change nothing.
    fileprivate func overlay(on document: CachedDocument) -> Overlay? {
        var local = document.local
        var changed = ChangedFields(of: document)
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
