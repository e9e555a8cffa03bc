// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

/// The records of one transaction: those of the file, and over them what the transaction has changed.
final class EngineRecords: ReplicaRecords {
    let engine: Engine
    /// The client whose transaction it is, and whether others have the file open.
    let client: Int
    let isShared: Bool
    /// The number of the last transaction in the log for other clients.
    var lastChange: Int
    var outcomes: [Int: SyncError?] = [:]
    var isAnnounced = false
    /// Whether the lists of targets are as the targets are.
    var areTargetsListed: Bool
    /// What the file held when the transaction began. Every transaction that changes anything changes it.
    private let storedHeader: [UInt8]?
    private var ownHeader: ReplicaHeader
    private var headerChanges = false
    private var pending = PendingRecords()
    /// Documents that are not stored yet, for ``commit()`` to encode; nil for a removed one.
    var documents: [DocumentPath: CachedDocument] = [:]

    /// - Parameters:
    ///   - client: whose transaction it is; 0 for a reader.
    ///   - isShared: whether others have the file open.
    init(_ engine: Engine, client: Int = 0, isShared: Bool = false) throws(ReplicaError) {
        self.engine = engine
        self.client = client
        self.isShared = isShared
        let key = RecordKey.header.bytes
        let bytes = try stored { () throws(EngineError) in try engine.replicaRecord(key) }
        storedHeader = bytes
        let content = try bytes.map { (bytes) throws(ReplicaError) in
            try RecordContent(bytes, key: key, engine.database)
        }
        areTargetsListed = content?.listsTargets ?? true
        ownHeader = try content.map { (content) throws(ReplicaError) in try ReplicaHeader(content) } ?? ReplicaHeader()
        lastChange = content?.fields["change"] == nil ? 0 : try content!.fields.integer("change")
    }

    var header: ReplicaHeader { ownHeader }

    func setHeader(_ header: ReplicaHeader) {
        headerChanges = headerChanges || header != ownHeader
        ownHeader = header
    }

    // MARK: Reading

    func content(at key: RecordKey) throws(ReplicaError) -> RecordContent? {
        let change = pending[key]
        let bytes =
            if let change { change } else {
                try stored { () throws(EngineError) in try engine.replicaRecord(key.bytes) }
            }
        return try bytes.map { (bytes) throws(ReplicaError) in
            try RecordContent(bytes, key: key.bytes, engine.database)
        }
    }

    /// The first records of a group from one member on, in order.
    func records(
        of group: [UInt8], from first: [UInt8] = [], upTo end: [UInt8]? = nil, limit: Int = .max
    ) throws(ReplicaError) -> [(member: [UInt8], value: [UInt8])] {
        let range = KeyRange(lower: group + first, upper: end.map { group + $0 } ?? KeyRange(prefix: group).upper)
        let changes = pending.changes(of: group)
        // As many stored records may be gone as have changed.
        let count = limit > .max - changes.count ? limit : limit + changes.count
        let found = try stored { () throws(EngineError) in try engine.replicaRecords(in: range, limit: count) }
        var records = found.map { (member: Array($0.key[group.count...]), value: $0.value) }
        guard !changes.isEmpty else { return records }
        records.removeAll { changes[$0.member] != nil }
        for case (let member, let value?) in changes where range.contains((group + member).span.bytes) {
            records.append((member, value))
        }
        records.sort { $0.member.lexicographicallyPrecedes($1.member) }
        return Array(records.prefix(limit))
    }

    /// Whether the transaction has changed records of a kind.
    func hasChanges(of kind: RecordKey.Kind) -> Bool { pending.changedGroups.contains { $0.first == kind.rawValue } }

    /// The targets whose data or documents the transaction has changed.
    var changedTargets: [Int] {
        var targets: Set<Int> = []
        for member in pending.changes(of: RecordKey.targets).keys {
            if let id = try? RecordContent.number(member) { targets.insert(id) }
        }
        for group in pending.changedGroups where group.first == RecordKey.Kind.key.rawValue {
            if let id = try? RecordContent.number(Array(group[1...])) { targets.insert(id) }
        }
        return Array(targets)
    }

    // MARK: Changing

    func set(_ fields: Fields, at key: RecordKey, version: Timestamp = .noVersion) {
        pending.set(RecordContent.bytes(of: fields, version: version, key: key.bytes, engine.database), at: key)
    }

    /// Stores a record whose key says all.
    func insert(_ key: RecordKey) { pending.set([], at: key) }

    func remove(_ key: RecordKey) { pending.set(nil, at: key) }

    /// Writes what has changed.
    func commit() throws(ReplicaError) {
        guard headerChanges || !pending.isEmpty || !documents.isEmpty || isAnnounced else { return }
        logChange()
        var fields = ownHeader.fields(engine.database)
        if lastChange > 0 { fields["change"] = .integer(Int64(lastChange)) }
        if areTargetsListed { fields["listsUnpinnedTargets"] = .boolean(true) }
        set(fields, at: .header)
        var views: [DocumentPath: Document?] = [:]
        for (path, document) in documents {
            views.updateValue(document.view, forKey: path)
            if let shadow = document.shadow {
                set(shadow, at: .shadow(of: path), version: document.base.version)
            } else {
                remove(.shadow(of: path))
            }
        }
        let change = ReplicaChange(
            basis: (RecordKey.header.bytes, storedHeader), documents: views, records: pending.all)
        try stored { () throws(EngineError) in try engine.commit(change) }
    }
}
