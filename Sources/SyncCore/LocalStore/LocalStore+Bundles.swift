// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// Whether this bundle, or a newer one of its name, was loaded before, and is still there.
    func hasLoaded(_ bundle: BundleRecord) throws(ReplicaError) -> Bool {
        try read(.loadBundle) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.bundle(bundle.id).map { $0.createTime >= bundle.createTime } ?? false
        }
    }

    /// Stores all of a bundle at once. What nobody listens to is collected as if somebody had listened to it until now. With the
    /// eager policy, which would forget it at once, it stays.
    func load(_ bundle: Bundle) throws(ReplicaError) -> DocumentChanges {
        let used = Set(targets.keys)
        defer {
            if policy == .leastRecentlyUsed {
                for id in targets.keys.sorted() where !used.contains(id) { try? release(id) }
            }
        }
        let umbrella = try allocate(SyncTarget(bundle: bundle.record.id))
        var named: [(query: NamedQuery, target: TargetData)] = []
        for query in bundle.queries { named.append((query, try allocate(query.query.target))) }
        let changes = try write(.loadBundle) { (transaction: StoreTransaction) throws(ReplicaError) in
            var documents: [DocumentPath: SyncDocument] = [:]
            for bundled in bundle.documents { documents[bundled.document.path] = bundled.document }
            try transaction.replaceKeys(of: umbrella.id, by: Set(documents.keys))
            for (query, target) in named {
                try transaction.records.setNamedQuery(query)
                guard isNewer(query, target) else { continue }
                try transaction.records.setTarget(target.resuming(at: query.readTime))
                try transaction.replaceKeys(of: target.id, by: bundle.rows(of: query.name))
            }
            try transaction.records.setBundle(bundle.record)
            // Its documents may be older than what the replica knows not to exist.
            try transaction.endWholeState()
            return try transaction.store(documents)
        }
        for (query, target) in named where isNewer(query, target) {
            targets[target.id] = target.resuming(at: query.readTime)
        }
        return changes
    }

    /// Whether the bundle's rows replace those of the target. What the owner listens to is the owner's.
    private func isNewer(_ query: NamedQuery, _ target: TargetData) -> Bool {
        target.snapshotVersion < query.readTime && (sharing.isOwner || !isCurrent(target))
    }

    func namedQuery(_ name: String) throws(ReplicaError) -> NamedQuery? {
        try read(.loadBundle) { (records: any ReplicaRecords) throws(ReplicaError) in try records.namedQuery(name) }
    }
}

extension StoreTransaction {
    fileprivate func replaceKeys(of target: Int, by paths: Set<DocumentPath>) throws(ReplicaError) {
        let old = try records.keys(of: target)
        try records.removeKeys(old, from: target)
        try records.addKeys(paths, to: target)
        try touch(old)
    }
}

extension TargetData {
    fileprivate func resuming(at time: Timestamp) -> TargetData {
        var target = self
        target.resumeToken = []
        target.snapshotVersion = time
        target.completeVersion = time
        return target
    }
}
