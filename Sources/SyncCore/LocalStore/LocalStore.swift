// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What the client does to its replica: each operation is one transaction.
final class LocalStore {
    let replica: any Replica
    let policy: CollectionPolicy
    var user: SyncUser
    /// Whether credentials are yet to name the user, by the last transaction.
    var isUserAwaited = false
    /// The targets in use, with tokens that may be newer than the stored ones.
    var targets: [Int: TargetData] = [:]
    var targetIDs: [String: Int] = [:]
    /// The documents that views show.
    var pins = ReferenceSet()
    var sharing = ReplicaSharing()

    init(_ replica: any Replica, _ policy: CollectionPolicy, user: SyncUser) {
        self.replica = replica
        self.policy = policy
        self.user = user
    }

    /// Runs a transaction that uses documents, and removes those that nothing needs any more if the policy says so.
    func write<Result>(
        _ operation: ReplicaOperation, _ body: (StoreTransaction) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        try read(operation) { (records: any ReplicaRecords) throws(ReplicaError) -> Result in
            var header = try records.header
            // A replica that shows another user's writes could not be opened yet: two users' writes must not mix.
            guard header.user == user || operation == .changeUser else {
                throw ReplicaError("The replica could not be opened for this user yet.")
            }
            header.highestSequence += 1
            try records.setHeader(header)
            let transaction = StoreTransaction(records, policy, user: user, sequence: header.highestSequence)
            let result = try body(transaction)
            try transaction.removeUnneeded(pins)
            return result
        }
    }

    func read<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        try replica.transaction(operation) { (records: any ReplicaRecords) throws(ReplicaError) -> Result in
            try noteForeignChanges(records)
            return try body(records)
        }
    }

    func lastSnapshotVersion() throws(ReplicaError) -> Timestamp {
        try read(.lastSnapshotVersion) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.header.lastSnapshotVersion
        }
    }

    /// The rows of a query, and the documents that the server has said match its target.
    func rows(
        of query: SyncQuery
    ) throws(ReplicaError) -> (documents: [SyncDocument], keys: Set<DocumentPath>) {
        let target = targetIDs[query.target.canonicalID]
        return try read(.executeQuery) { (records: any ReplicaRecords) throws(ReplicaError) in
            (try records.rows(of: query), try target.map { id throws(ReplicaError) in try records.keys(of: id) } ?? [])
        }
    }
}

/// Which documents a replica forgets.
package enum CollectionPolicy: Sendable, Hashable {
    /// Those that no target, view or write needs, at once.
    case eager
    /// Those used least recently, when ``SyncInput/collectGarbage(threshold:percentile:)`` says so.
    case leastRecentlyUsed
}

/// A transaction, with what the documents that it touches mean for collection.
final class StoreTransaction {
    let records: any ReplicaRecords
    let user: SyncUser
    let sequence: Int
    private let policy: CollectionPolicy
    private var candidates: Set<DocumentPath> = []

    init(_ records: any ReplicaRecords, _ policy: CollectionPolicy, user: SyncUser, sequence: Int) {
        self.records = records
        self.policy = policy
        self.user = user
        self.sequence = sequence
    }

    /// Notes that the document may have lost its last reference.
    func touch(_ paths: Set<DocumentPath>) throws(ReplicaError) {
        switch policy {
        case .eager: candidates.formUnion(paths)
        case .leastRecentlyUsed: for path in paths { try records.setLastUse(sequence, of: path) }
        }
    }

    func release(_ target: TargetData) throws(ReplicaError) {
        if policy == .eager, !target.isPinned { return try forget(target) }
        var target = target
        target.session = 0
        target.sequence = sequence
        try records.setTarget(target)
    }

    /// Removes a target. Its documents were last used when it was.
    func forget(_ target: TargetData) throws(ReplicaError) {
        try forgetKeys(of: target, atMost: .max)
        try records.removeTarget(target.id)
    }

    /// - Returns: how many of its documents the target lost.
    @discardableResult
    func forgetKeys(of target: TargetData, atMost limit: Int) throws(ReplicaError) -> Int {
        let keys = Set(try records.keys(of: target.id, atMost: limit))
        try records.removeKeys(keys, from: target.id)
        // A bundle that may have lost documents can be loaded again.
        if case .bundle(let id) = target.target.kind { try records.removeBundle(id) }
        switch policy {
        case .eager: candidates.formUnion(keys)
        case .leastRecentlyUsed: for path in keys { try records.setLastUse(target.sequence, of: path) }
        }
        return keys.count
    }

    fileprivate func removeUnneeded(_ pins: ReferenceSet) throws(ReplicaError) {
        for path in candidates where !pins.contains(path) {
            guard try !records.isInTarget(path), try !records.isQueued(path) else { continue }
            try forgetDocument(at: path)
        }
    }
}
