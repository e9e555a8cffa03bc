// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Applies writes one after another inside a write transaction; a later one sees the earlier ones (W-5).
struct WriteApplier {
    private let stores: Stores
    private let database: DatabaseID
    private let catalog: CatalogSnapshot
    private let commitTime: Timestamp
    private let documents: KeyedWriter
    private var numbers: NumberGiver
    private var indexes: IndexMaintainer
    /// Index changes are applied once they take this much memory.
    private static let pendingLimit = 64 << 20

    @_lifetime(cursors: copy cursors)
    init(
        _ stores: Stores, _ catalog: CatalogSnapshot, database: DatabaseID, commitTime: Timestamp,
        _ cursors: inout CursorSet
    ) throws(EngineError) {
        self.stores = stores
        self.database = database
        self.catalog = catalog
        self.commitTime = commitTime
        documents = try KeyedWriter(stores.keyed(stores.documents), runs: Counter(.runs, stores), &cursors)
        numbers = try NumberGiver(stores, &cursors)
        indexes = try IndexMaintainer(stores, catalog, &cursors)
    }

    @_lifetime(cursors: copy cursors)
    mutating func apply(
        _ write: Write, _ changes: inout ChangeLog, _ cursors: inout CursorSet
    ) throws(EngineError) -> WriteResult {
        let old = try stored(write.path, cursors)
        try check(write.precondition, write.path, old)
        switch write.operation {
        case .verify: return WriteResult(updateTime: old?.updateTime, transformResults: [])
        case .delete:
            if let old {
                try replace(write.path, old, with: nil, &cursors)
                changes.note(write.path, from: old, to: nil)
            }
            return WriteResult(updateTime: nil, transformResults: [])
        case .update(let fields, let mask, let transforms):
            var new = merged(old?.fields, fields, mask)
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
            try replace(write.path, old, with: new, &cursors)
            changes.note(
                write.path, from: old,
                to: Document(
                    path: write.path, fields: new, createTime: old?.createTime ?? commitTime, updateTime: commitTime))
            return WriteResult(updateTime: commitTime, transformResults: results)
        }
    }

    /// Applies what is still waiting; to be called before the commit.
    @_lifetime(cursors: copy cursors)
    mutating func finish(_ cursors: inout CursorSet) throws(EngineError) {
        try indexes.flush(&cursors)
    }

    private func stored(_ path: DocumentPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Document? {
        guard let collection = try numbers.existing(path.collection, cursors) else { return nil }
        let key = DocumentKey(path, collection: collection).bytes
        guard let record = try stores.keyed(stores.documents).get(cursors, key.span.bytes) else { return nil }
        return try Document(path, record, key: key.span.bytes, database: database)
    }

    private func merged(_ old: Fields?, _ fields: Fields, _ mask: [FieldPath]?) -> Fields {
        guard let mask else { return fields }
        var new = old ?? .empty
        for path in mask { new.set(fields[path], at: path) }
        return new
    }

    private func check(
        _ precondition: Precondition?, _ path: DocumentPath, _ old: Document?
    ) throws(EngineError) {
        let name = { Reference(database: database, path: path.resource).resourceName }
        switch precondition {
        case .exists(true)? where old == nil: throw .refused(.notFound, "No document to update: \(name())")
        case .exists(false)? where old != nil: throw .refused(.alreadyExists, "Document already exists: \(name())")
        case .updateTime(let time)? where old?.updateTime != time:
            throw .refused(
                .failedPrecondition,
                "the stored version (\(old?.updateTime.microseconds ?? 0)) does not match the required base version "
                    + "(\(time.microseconds))")
        default: break
        }
    }

    @_lifetime(cursors: copy cursors)
    private mutating func replace(
        _ path: DocumentPath, _ old: Document?, with new: Fields?, _ cursors: inout CursorSet
    ) throws(EngineError) {
        // The entries of a document that this very commit has written may still be waiting.
        if old?.updateTime == commitTime || indexes.pendingSize > WriteApplier.pendingLimit { try finish(&cursors) }
        let collection = try numbers.collection(path.collection, &cursors)
        let key = DocumentKey(path, collection: collection)
        try indexes.note(path, key, from: old?.fields, to: new, &numbers, &cursors)
        guard let new else {
            _ = try documents.delete(key.bytes, &cursors)
            return
        }
        let record = StoredDocumentEncoder.record(
            of: new, createTime: old?.createTime ?? commitTime, updateTime: commitTime, key: key.bytes,
            database: database)
        try documents.put(key.bytes, record, &cursors)
    }
}

extension Document {
    /// The document in a stored record.
    init(_ path: DocumentPath, _ record: RawSpan, key: RawSpan, database: DatabaseID) throws(EngineError) {
        do throws(StoredFormatError) {
            let stored = try StoredDocument(record, key: key, database: database)
            self.init(
                path: path, fields: try stored.fields(), createTime: try stored.createTime(),
                updateTime: try stored.updateTime())
        } catch {
            throw .damaged("\(path): \(error.description)")
        }
    }
}
