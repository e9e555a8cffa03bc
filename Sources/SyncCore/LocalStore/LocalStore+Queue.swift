// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// What leaves the queue without having reached the server's documents, and what comes back.
extension LocalStore {
    /// Takes a batch that the server has refused out of the queue, and keeps it with the cause.
    func reject(_ rejected: RejectedBatch) throws(ReplicaError) -> DocumentChanges {
        try write(.rejectBatch) { (transaction: StoreTransaction) throws(ReplicaError) in
            var rejected = rejected
            try transaction.noteSpent(rejected.batch.spentMarkers)
            rejected.batch.spentMarkers = []
            try transaction.records.setRejectedBatch(rejected, of: user)
            transaction.records.noteOutcome(of: rejected.batch.id, rejected.cause)
            return try transaction.withdraw(rejected.batch)
        }
    }

    /// Takes a batch that was never sent out of the queue.
    ///
    /// - Returns: nil if there is no such batch, or if it may have been sent.
    func cancel(_ id: Int) throws(ReplicaError) -> (batch: MutationBatch, changes: DocumentChanges)? {
        try write(.changeQueue) { (transaction: StoreTransaction) throws(ReplicaError) in
            guard let batch = try transaction.records.batch(id, of: user), batch.attempts == 0 else { return nil }
            transaction.records.noteOutcome(of: id, .cancelledWrite)
            return (batch, try transaction.withdraw(batch))
        }
    }

    /// Queues the writes of a batch that the server has refused again, as a new batch.
    ///
    /// - Returns: nil if there is no such batch.
    func retry(
        _ id: Int, at time: Timestamp, marker: ([Write]) -> DocumentPath?
    ) throws(ReplicaError) -> (batch: Int, changes: DocumentChanges)? {
        try write(.changeQueue) { (transaction: StoreTransaction) throws(ReplicaError) in
            guard let rejected = try transaction.records.rejectedBatch(id, of: user) else { return nil }
            try transaction.records.removeRejectedBatch(id, of: user)
            return try transaction.enqueue(rejected.batch.writes, at: time, marker(rejected.batch.writes))
        }
    }

    /// - Returns: false if there is no such batch.
    func dropRejected(_ id: Int) throws(ReplicaError) -> Bool {
        try write(.changeQueue) { (transaction: StoreTransaction) throws(ReplicaError) in
            guard try transaction.records.rejectedBatch(id, of: user) != nil else { return false }
            try transaction.records.removeRejectedBatch(id, of: user)
            return true
        }
    }

    /// Counts that batches are about to be sent. So it is known after a crash that they may have reached the server.
    ///
    /// - Returns: the batches as they are to be sent, without those that another client has cancelled.
    func countAttempts(of ids: [Int]) throws(ReplicaError) -> [Int: MutationBatch] {
        try write(.countAttempts) { (transaction: StoreTransaction) throws(ReplicaError) in
            var batches: [Int: MutationBatch] = [:]
            for id in ids {
                guard var batch = try transaction.records.batch(id, of: user) else { continue }
                try transaction.countAttempt(of: &batch)
                try transaction.records.setBatch(batch, of: user)
                batches[id] = batch
            }
            return batches
        }
    }

    func isQueued(_ id: Int) throws(ReplicaError) -> Bool {
        try read(.nextBatch) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.batch(id, of: user) != nil
        }
    }

    func lastBatch(before id: Int) throws(ReplicaError) -> Int? {
        try read(.nextBatch) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.lastBatch(before: id, of: user)
        }
    }

    func batches() throws(ReplicaError) -> [MutationBatch] {
        try read(.nextBatch) { (records: any ReplicaRecords) throws(ReplicaError) in try records.batches(of: user) }
    }

    func rejectedBatches() throws(ReplicaError) -> [RejectedBatch] {
        try read(.nextBatch) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.rejectedBatches(of: user)
        }
    }
}

extension StoreTransaction {
    /// Takes a batch out of the queue as if it had never been written.
    fileprivate func withdraw(_ batch: MutationBatch) throws(ReplicaError) -> DocumentChanges {
        // The others are not read if the overlay tells that no later increment can have started from the batch.
        var paths: Set<DocumentPath> = []
        for path in batch.paths where try records.document(at: path).overlay?.mayIncrement(after: batch.id) ?? true {
            paths.insert(path)
        }
        let changes = try take(batch) { _ in }
        guard try restartIncrements(of: paths, from: batch.id + 1) else { return changes }
        for path in paths {
            var document = try records.document(at: path)
            try recomputeOverlay(of: &document)
        }
        return try localDocuments(at: batch.paths)
    }

    /// Lets the increments of the batches from a number on start from what is before them now. Returns whether there are any.
    func restartIncrements(of paths: Set<DocumentPath>, from first: Int) throws(ReplicaError) -> Bool {
        var isAnyChanged = false
        for path in paths {
            var local = try records.document(at: path).base
            var changed = ChangedFields.whole
            for var batch in try records.batches(writing: path, of: user) {
                if batch.id >= first, batch.startIncrements(from: local) {
                    try records.setBatch(batch, of: user)
                    isAnyChanged = true
                }
                batch.applyLocally(to: &local, changing: &changed)
            }
        }
        return isAnyChanged
    }
}

extension ReplicaRecords {
    func batch(_ id: Int, of user: SyncUser) throws(ReplicaError) -> MutationBatch? {
        guard let batch = try batch(after: id - 1, of: user), batch.id == id else { return nil }
        return batch
    }

    /// The number of the user's last batch below `end`; nil without one. The queue may be long: it is halved, and not read.
    func lastBatch(before end: Int, of user: SyncUser) throws(ReplicaError) -> Int? {
        var end = end
        guard var last = try batch(after: 0, of: user)?.id, last < end else { return nil }
        while last + 1 < end {
            let middle = last + (end - last) / 2
            if let batch = try batch(after: middle - 1, of: user), batch.id < end {
                last = batch.id
            } else {
                end = middle
            }
        }
        return last
    }
}
