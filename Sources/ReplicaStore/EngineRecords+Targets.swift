// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

extension EngineRecords {
    func target(_ canonicalID: String) throws(ReplicaError) -> TargetData? {
        guard let member = try records(of: RecordKey.targets(canonicalID), limit: 1).first?.member else { return nil }
        return try target(RecordContent.number(member))
    }

    func target(_ id: Int) throws(ReplicaError) -> TargetData? {
        guard let content = try content(at: .target(id)) else { return nil }
        return try TargetData(id, content, engine.database)
    }

    func setTarget(_ target: TargetData) throws(ReplicaError) {
        if areTargetsListed { try relist(target) }
        set(target.fields(engine.database), at: .target(target.id), version: target.snapshotVersion)
        insert(.target(target.id, target.target.canonicalID))
    }

    func removeTarget(_ id: Int) throws(ReplicaError) {
        try removeKeys(Set(keys(of: id, atMost: .max)), from: id)
        guard let target = try target(id) else { return }
        remove(.target(id, target.target.canonicalID))
        remove(.target(id))
        if areTargetsListed { unlist(target) }
    }

    func keys(of target: Int, atMost limit: Int) throws(ReplicaError) -> [DocumentPath] {
        var paths: [DocumentPath] = []
        for record in try records(of: RecordKey.keys(of: target), limit: limit) {
            paths.append(try RecordContent.path(record.member))
        }
        return paths
    }

    func addKeys(_ paths: Set<DocumentPath>, to target: Int) {
        for path in paths {
            insert(.key(path, of: target))
            insert(.target(target, of: path))
        }
    }

    func removeKeys(_ paths: Set<DocumentPath>, from target: Int) {
        for path in paths {
            remove(.key(path, of: target))
            remove(.target(target, of: path))
        }
    }

    func isInTarget(_ path: DocumentPath) throws(ReplicaError) -> Bool {
        try !records(of: RecordKey.targets(of: path), limit: 1).isEmpty
    }

    func targets(containing path: DocumentPath) throws(ReplicaError) -> [TargetData] {
        var targets: [TargetData] = []
        for record in try records(of: RecordKey.targets(of: path)) {
            if let target = try target(RecordContent.number(record.member)) { targets.append(target) }
        }
        return targets
    }
}

// MARK: - Last uses

extension EngineRecords {
    func setLastUse(_ sequence: Int, of path: DocumentPath) throws(ReplicaError) {
        for use in try records(of: RecordKey.uses(of: path)) { try removeUse(use.member, of: path) }
        insert(.use(sequence, of: path))
        insert(.use(of: path, sequence))
    }

    /// - Parameter number: the last use's, as it stands in keys.
    func removeUse(_ number: [UInt8], of path: DocumentPath) throws(ReplicaError) {
        let sequence = try RecordContent.number(number)
        remove(.use(sequence, of: path))
        remove(.use(of: path, sequence))
    }

    func leastUses(_ limit: Int) throws(ReplicaError) -> [Int] {
        let targets = try targetUses(atMost: limit).map(\.sequence)
        let documents = try lastUses(atMost: limit).map(\.sequence)
        return Array((targets + documents).sorted().prefix(limit))
    }

    func documents(usedUpTo sequence: Int, atMost limit: Int) throws(ReplicaError) -> [DocumentPath] {
        try lastUses(upTo: sequence, atMost: limit).map(\.path)
    }

    /// The first last uses of documents in no target, in order.
    private func lastUses(
        upTo last: Int? = nil, atMost limit: Int
    ) throws(ReplicaError) -> [(sequence: Int, path: DocumentPath)] {
        let end = last.map { RecordKey.number($0 + 1) }
        var uses: [(sequence: Int, path: DocumentPath)] = []
        var next: [UInt8] = []
        while uses.count < limit {
            let records = try records(of: RecordKey.uses, from: next, upTo: end, limit: limit)
            for record in records where uses.count < limit {
                let use = try RecordContent.use(record.member)
                if try !isInTarget(use.path) { uses.append(use) }
            }
            guard records.count == limit, let last = records.last else { break }
            // No key is the beginning of another, so nothing lies between.
            next = last.member + [0]
        }
        return uses
    }

    func dropUsesInTargets(amongFirst count: Int) throws(ReplicaError) -> Bool {
        var isAnyDropped = false
        for record in try records(of: RecordKey.uses, limit: count) {
            let (sequence, path) = try RecordContent.use(record.member)
            guard try isInTarget(path) else { continue }
            try removeUse(RecordKey.number(sequence), of: path)
            isAnyDropped = true
        }
        return isAnyDropped
    }

    var size: Int {
        get throws(ReplicaError) {
            try stored { () throws(EngineError) in try engine.copiedByteCount(compacting: true) }
        }
    }
}

// MARK: - Bundles

extension EngineRecords {
    func bundle(_ id: String) throws(ReplicaError) -> BundleRecord? {
        try content(at: .bundle(id)).map { BundleRecord(id: id, createTime: $0.version) }
    }

    func setBundle(_ bundle: BundleRecord) { set(.empty, at: .bundle(bundle.id), version: bundle.createTime) }

    func removeBundle(_ id: String) { remove(.bundle(id)) }

    func namedQuery(_ name: String) throws(ReplicaError) -> NamedQuery? {
        guard let content = try content(at: .namedQuery(name)) else { return nil }
        return NamedQuery(
            name: name, query: try SyncQuery(content.fields, engine.database), readTime: content.version)
    }

    func setNamedQuery(_ query: NamedQuery) {
        set(query.query.fields(engine.database), at: .namedQuery(query.name), version: query.readTime)
    }
}
