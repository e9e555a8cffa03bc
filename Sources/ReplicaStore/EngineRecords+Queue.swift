// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

extension EngineRecords {
    /// One look for each user, however many batches there are.
    func users() throws(ReplicaError) -> Set<SyncUser> {
        var users: Set<SyncUser> = []
        for all in [RecordKey.allBatches, RecordKey.allRejectedBatches] {
            var range = KeyRange(prefix: all)
            while let key = try firstStoredKey(in: range) {
                let (user, end) = try RecordContent.user(Array(key[all.count...]))
                users.insert(user)
                let group = Array(key[..<(all.count + end)])
                range = KeyRange(lower: KeyRange.successor(of: group), upper: range.upper)
            }
        }
        return users
    }

    private func firstStoredKey(in range: KeyRange) throws(ReplicaError) -> [UInt8]? {
        try stored { () throws(EngineError) in try engine.replicaRecords(in: range, limit: 1) }.first?.key
    }

    func batch(after id: Int, of user: SyncUser) throws(ReplicaError) -> MutationBatch? {
        let next = try records(of: RecordKey.batches(of: user), from: RecordKey.number(id + 1), limit: 1).first
        return try next.map { (record) throws(ReplicaError) in try batch(record.member, record.value, of: user) }
    }

    func batches(of user: SyncUser) throws(ReplicaError) -> [MutationBatch] {
        try records(of: RecordKey.batches(of: user)).map { (record) throws(ReplicaError) in
            try batch(record.member, record.value, of: user)
        }
    }

    func batches(
        writing path: DocumentPath, of user: SyncUser, numbered numbers: Range<Int>
    ) throws(ReplicaError) -> [MutationBatch] {
        var batches: [MutationBatch] = []
        for number in try writers(of: path, user, numbers) {
            let key = RecordKey.batch(number, of: user)
            guard let content = try content(at: key) else {
                throw .damaged("the queue lacks write \(number) of \(path)")
            }
            batches.append(try MutationBatch(number, content))
        }
        return batches
    }

    func setBatch(_ batch: MutationBatch, of user: SyncUser) {
        set(batch.fields(engine.database), at: .batch(batch.id, of: user))
        for path in batch.paths { insert(.batch(batch.id, of: user, writing: path)) }
    }

    func removeBatch(_ id: Int, of user: SyncUser) throws(ReplicaError) {
        let key = RecordKey.batch(id, of: user)
        guard let content = try content(at: key) else { return }
        for path in try MutationBatch(id, content).paths { remove(.batch(id, of: user, writing: path)) }
        remove(key)
    }

    func isQueued(_ path: DocumentPath) throws(ReplicaError) -> Bool {
        try !records(of: RecordKey.batches(writing: path), limit: 1).isEmpty
    }

    func rejectedBatches(of user: SyncUser) throws(ReplicaError) -> [RejectedBatch] {
        let group = RecordKey.rejectedBatches(of: user)
        return try records(of: group).map { (record) throws(ReplicaError) in
            let content = try RecordContent(record.value, key: group + record.member, engine.database)
            return try RejectedBatch(RecordContent.number(record.member), content)
        }
    }

    func rejectedBatch(_ id: Int, of user: SyncUser) throws(ReplicaError) -> RejectedBatch? {
        try content(at: .rejectedBatch(id, of: user)).map { (content) throws(ReplicaError) in
            try RejectedBatch(id, content)
        }
    }

    func setRejectedBatch(_ batch: RejectedBatch, of user: SyncUser) {
        set(batch.fields(engine.database), at: .rejectedBatch(batch.batch.id, of: user))
    }

    func removeRejectedBatch(_ id: Int, of user: SyncUser) { remove(.rejectedBatch(id, of: user)) }

    private func batch(_ member: [UInt8], _ value: [UInt8], of user: SyncUser) throws(ReplicaError) -> MutationBatch {
        let key = RecordKey.batches(of: user) + member
        return try MutationBatch(RecordContent.number(member), RecordContent(value, key: key, engine.database))
    }

    /// The numbers of a user's batches that write a document, in ascending order.
    private func writers(
        of path: DocumentPath, _ user: SyncUser, _ numbers: Range<Int>
    ) throws(ReplicaError) -> [Int] {
        let first = RecordKey.batch(numbers.lowerBound, of: user, writing: path).member
        let end = RecordKey.batch(numbers.upperBound, of: user, writing: path).member
        let found = try records(of: RecordKey.batches(writing: path), from: first, upTo: end)
        return try found.map { (record) throws(ReplicaError) -> Int in
            let (_, start) = try RecordContent.user(record.member)
            return try RecordContent.number(Array(record.member[start...]))
        }
    }
}
