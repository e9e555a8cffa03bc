// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// The target's number, token and version: the stored ones if it was listened to before.
    ///
    /// - Parameters:
    ///   - query: the query whose target it is, so that a first listen may go on from the whole database.
    ///   - isRequested: whether another client is or may be the owner. It may forget a target that nobody has requested, and the next
    ///     listen gives it another number.
    func allocate(
        _ target: SyncTarget, of query: SyncQuery? = nil, isRequested: Bool = false
    ) throws(ReplicaError) -> TargetData {
        let data = try write(.allocateTarget) { (transaction: StoreTransaction) throws(ReplicaError) in
            if isRequested, let query {
                try transaction.records.setRequest(
                    TargetRequest(client: replica.peers.ownNumber, query: query, needsServer: false))
            }
            if var stored = try transaction.records.target(target.canonicalID) {
                stored.sequence = transaction.sequence
                // In a guest, the owner may be listening.
                if sharing.isOwner, !stored.resumes, targets[stored.id] == nil {
                    try transaction.forgetKeys(of: stored, atMost: .max)
                }
                return stored
            }
            return try transaction.add(target, of: query)
        }
        if let active = targets[data.id] { return active }
        targets[data.id] = data
        targetIDs[target.canonicalID] = data.id
        return data
    }

    /// Ends the use of a target. If the store fails, the order of collection suffers, and the target stays as current as it was.
    func release(_ id: Int) throws(ReplicaError) {
        guard let target = targets.removeValue(forKey: id) else { return }
        targetIDs[target.target.canonicalID] = nil
        let shown = pins.removeAll(of: id)
        try write(.releaseTarget) { (transaction: StoreTransaction) throws(ReplicaError) in
            if sharing.isOwner {
                try transaction.release(target)
            } else {
                try transaction.use(target)
            }
            try transaction.touch(shown)
        }
    }

    /// The target is used, and no longer kept current.
    func endSession(of id: Int) throws(ReplicaError) {
        guard let target = targets[id], target.session != 0 else { return }
        targets[id]?.session = 0
        try write(.releaseTarget) { (transaction: StoreTransaction) throws(ReplicaError) in
            guard var stored = try transaction.records.target(target.target.canonicalID) else { return }
            stored.session = 0
            try transaction.records.setTarget(stored)
        }
    }

    /// Lets collection spare a query's target, be it in use or not, or no longer.
    func setPinned(_ isPinned: Bool, _ query: SyncQuery) throws(ReplicaError) {
        let target = query.target
        let active = targetIDs[target.canonicalID]
        try write(.pinTarget) { (transaction: StoreTransaction) throws(ReplicaError) in
            let records = transaction.records
            var stored = try records.target(target.canonicalID)
            if stored == nil, isPinned { stored = try transaction.add(target, of: query) }
            guard var data = stored else { return }
            data.isPinned = isPinned
            try records.setTarget(data)
            if active == nil, sharing.isOwner { try transaction.release(data) }
        }
        if let active { targets[active]?.isPinned = isPinned }
    }
}

extension StoreTransaction {
    /// Notes a guest's last use. Everything else in the target is the owner's.
    fileprivate func use(_ target: TargetData) throws(ReplicaError) {
        guard var stored = try records.target(target.target.canonicalID) else { return }
        stored.sequence = sequence
        try records.setTarget(stored)
    }

    fileprivate func add(_ target: SyncTarget, of query: SyncQuery? = nil) throws(ReplicaError) -> TargetData {
        var header = try records.header
        header.highestTarget += 2
        try records.setHeader(header)
        var data = TargetData(target, id: header.highestTarget, sequence: sequence)
        if let query, let (keys, version) = try wholeKeys(of: query) {
            data.snapshotVersion = version
            data.completeVersion = version
            try records.addKeys(keys, to: data.id)
        }
        try records.setTarget(data)
        return data
    }
}
