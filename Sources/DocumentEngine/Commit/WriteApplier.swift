// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Applies commits in a write transaction, in two steps. ``apply(_:at:_:_:)`` decides the new documents, commit by
/// commit; ``finish(placingPages:_:)`` changes the stores. So a refused commit leaves no trace.
struct WriteApplier: ~Copyable {
    /// A document that the transaction changes: the stored version and the new one.
    private struct Change {
        let path: DocumentPath
        let old: Document?
        var new: Document?
    }

    private let database: DatabaseID
    private let catalog: CatalogSnapshot
    private let documents: LongKeyWriter
    private var allocator: IDAllocator
    private var indexes: IndexMaintainer
    /// In the order of their first change.
    private var changes: [Change] = []
    /// The positions of documents in `changes`, once there have been two: one alone is compared and not hashed.
    private var places: [DocumentPath: Int] = [:]
    /// The elements of `changes` before each step of the current commit; nil if the step added the element.
    private var undo: [(place: Int, change: Change?)] = []
    /// The records to delete and to put.
    private var removed = EntryBuffer()
    private var added = EntryBuffer()
    /// Pending changes are applied when they use this much memory.
    private static let pendingLimit = 64 << 20

    init(
        _ catalog: CatalogSnapshot, cached: WriterCache.Content, database: DatabaseID,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        self.init(
            catalog, database, try LongKeyWriter(.documents, &transaction),
            try IDAllocator(cached: cached.collectionIDs, &transaction),
            try IndexMaintainer(catalog, entryBuilders: cached.entryBuilders, &transaction))
    }

    // What can throw comes before: an initializer that throws halfway assembles in a copy.
    private init(
        _ catalog: CatalogSnapshot, _ database: DatabaseID, _ documents: LongKeyWriter, _ allocator: IDAllocator,
        _ indexes: consuming IndexMaintainer
    ) {
        self.catalog = catalog
        self.database = database
        self.documents = documents
        self.allocator = allocator
        self.indexes = indexes
    }

    // MARK: - Deciding

    /// Applies the writes of one commit in order, atomically. A write sees the earlier ones (W-5).
    ///
    /// - Returns: the results of the writes, or the refusal of the commit.
    /// - Throws: if LMDB fails. The whole transaction must then be aborted.
    mutating func apply(
        _ writes: [Write], at commitTime: Timestamp, _ log: inout ChangeLog, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Result<CommitResult, EngineError> {
        undo.removeAll(keepingCapacity: true)
        do throws(EngineError) {
            var results: [WriteResult] = []
            results.reserveCapacity(writes.count)
            if writes.count > 1 { places.reserveCapacity(places.count + writes.count) }
            for write in writes { results.append(try apply(write, at: commitTime, transaction)) }
            if log.isRecording { log.note(changesOfCommit(), at: commitTime) }
            return .success(CommitResult(commitTime: commitTime, results: results))
        } catch {
            for step in undo.reversed() {
                if let change = step.change {
                    changes[step.place] = change
                } else {
                    places[changes.removeLast().path] = nil
                }
            }
            if case .storage = error { throw error }
            return .failure(error)
        }
    }

    /// Why a check refuses the next commit; nil if it does not.
    ///
    /// - Throws: if LMDB fails, as ``apply(_:at:_:_:)`` does.
    mutating func refusal(
        by check: CommitCheck, at commitTime: Timestamp, _ transaction: borrowing Transaction
    ) throws(EngineError) -> EngineError? {
        do throws(EngineError) {
            try check(commitTime) { (path) throws(EngineError) in
                if let place = place(of: path) { return changes[place].new }
                return try stored(path, transaction)
            }
            return nil
        } catch {
            if case .storage = error { throw error }
            return error
        }
    }

    /// Makes a document this one, with its times; nil to delete it. Without preconditions.
    mutating func overwrite(
        _ path: DocumentPath, with document: Document?, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        replace(try stored(path, transaction), with: document, path, at: place(of: path))
    }

    /// The changes of the current commit. A document's old version is the one that the last earlier commit made, if
    /// any.
    func changesOfCommit() -> [DocumentChange] {
        var noted: Set<Int> = []
        return undo.compactMap { step in
            guard noted.insert(step.place).inserted else { return nil }
            let change = changes[step.place]
            let old = step.change.map(\.new) ?? change.old
            return old == nil && change.new == nil
                ? nil : DocumentChange(path: change.path, old: old, new: change.new)
        }
    }

    private mutating func apply(
        _ write: Write, at commitTime: Timestamp, _ transaction: borrowing Transaction
    ) throws(EngineError) -> WriteResult {
        let place = place(of: write.path)
        let old = if let place { changes[place].new } else { try stored(write.path, transaction) }
        try check(write.precondition, write.path, old)
        switch write.operation {
        case .verify: return WriteResult(updateTime: old?.updateTime, transformResults: [])
        case .delete:
            if old != nil { replace(old, with: nil, write.path, at: place) }
            return WriteResult(updateTime: nil, transformResults: [])
        case .update(let fields, let mask, let transforms):
            var new = Fields.merged(old?.fields, fields, mask: mask)
            var results: [Value] = []
            for transform in transforms {
                let (value, result) = transform.apply(to: new[transform.path], at: commitTime)
                new.set(value, at: transform.path)
                results.append(result)
            }
            if mask != nil || !transforms.isEmpty {
                do { try DocumentLimits.validate(write.path, new, database: database) } catch {
                    throw EngineError(error)
                }
            }
            do { try IndexLimits.validate(write.path, new, catalog.indexes) } catch { throw EngineError(error) }
            if let old, old.fields.isIdentical(to: new) {
                return WriteResult(updateTime: old.updateTime, transformResults: results)
            }
            let document = Document(
                path: write.path, fields: new, createTime: old?.createTime ?? commitTime, updateTime: commitTime)
            replace(old, with: document, write.path, at: place)
            return WriteResult(updateTime: commitTime, transformResults: results)
        }
    }

    private mutating func stored(
        _ path: DocumentPath, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Document? {
        guard let collectionID = try allocator.existingCollectionID(of: path.collection, transaction) else {
            return nil
        }
        let key = DocumentKey.bytes(of: path.id, in: collectionID)
        guard let record = try transaction.get(key.span.bytes, from: .documents) else { return nil }
        return try Document(path, record, key: key.span.bytes, database: database)
    }

    private func check(
        _ precondition: Precondition?, _ path: DocumentPath, _ old: Document?
    ) throws(EngineError) {
        let name = { [database] in Reference(database: database, path: path.resource).resourceName }
        switch precondition {
        case .exists(true)? where old == nil: throw .refused(.notFound, "No document to update: \(name())")
        case .exists(false)? where old != nil: throw .refused(.alreadyExists, "Document already exists: \(name())")
        case .updateTime(let time)? where old.map { $0.updateTime < time } ?? false:
            // So Google's own client tests, which are made for production.
            throw .refused(
                .invalidArgument, "Invalid base version, it is greater than the stored version: \(name())")
        case .updateTime(let time)? where old?.updateTime != time:
            throw .refused(
                .failedPrecondition,
                "the stored version (\(old?.updateTime.microseconds ?? 0)) does not match the required base version "
                    + "(\(time.microseconds))")
        default: break
        }
    }

    /// The position of a document in `changes`.
    private func place(of path: DocumentPath) -> Int? {
        guard places.isEmpty else { return places[path] }
        return !changes.isEmpty && changes[0].path == path ? 0 : nil
    }

    /// - Parameter place: the position of the document's change, if it has one.
    private mutating func replace(_ old: Document?, with new: Document?, _ path: DocumentPath, at place: Int?) {
        if let place {
            undo.append((place, changes[place]))
            changes[place].new = new
        } else {
            undo.append((changes.count, nil))
            if changes.count == 1 { places[changes[0].path] = 0 }
            if !changes.isEmpty { places[path] = changes.count }
            changes.append(Change(path: path, old: old, new: new))
        }
    }

    // MARK: - Changing the stores

    /// Writes documents and index entries, each store in key order. Call it once, before the commit.
    ///
    /// - Parameter placingPages: see ``Transaction/placePages()``.
    /// - Returns: whether anything changed.
    mutating func finish(
        placingPages: Bool, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        var isChanged = false
        // Read in place: copying an element would retain everything in it.
        let all = changes
        let changes = all.span
        for index in changes.indices where changes[index].old != nil || changes[index].new != nil {
            if placingPages, !isChanged { try transaction.placePages() }
            isChanged = true
            if removed.size + added.size + indexes.pendingSize > WriteApplier.pendingLimit { try flush(&transaction) }
            let collectionID = try allocator.collectionID(of: changes[index].path.collection, &transaction)
            let key = DocumentKey(changes[index].path, collectionID: collectionID)
            try indexes.note(
                changes[index].path, key, from: changes[index].old?.fields, to: changes[index].new?.fields, &allocator,
                &transaction)
            note(changes[index].new, key)
        }
        try flush(&transaction)
        return isChanged
    }

    /// What later transactions can reuse if this one commits.
    var cacheContent: WriterCache.Content {
        WriterCache.Content(
            catalogVersion: catalog.version, entryBuilders: indexes.entryBuilders.all,
            collectionIDs: allocator.collectionIDs.all)
    }

    private mutating func flush(_ transaction: inout Transaction) throws(EngineError) {
        try EntryDifference.apply(removing: &removed, adding: &added, documents, &transaction)
        try indexes.flush(&transaction)
    }

    private mutating func note(_ document: Document?, _ key: DocumentKey) {
        guard let document else { return removed.append(key: key.bytes, value: []) }
        let record = StoredDocumentEncoder.record(
            of: document.fields, createTime: document.createTime, updateTime: document.updateTime, key: key.bytes,
            database: database)
        added.append(key: key.bytes, value: record)
    }
}
