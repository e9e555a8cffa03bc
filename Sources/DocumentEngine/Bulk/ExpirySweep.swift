// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner
internal import Synchronization

extension Engine {
    /// Deletes the documents that have expired: those of a collection group with a field override that says `"ttl": true` whose
    /// field is a timestamp not after `now`. Other values, and a missing field, never expire. Subcollections stay (W-7).
    ///
    /// It reads in slices and deletes each document in a commit of its own, which waits among the others and goes ahead only if
    /// the document has not changed since it was read; so nobody waits for long, and a sweep may be broken off and begun again.
    ///
    /// - Parameters:
    ///   - now: by default the time at which the call begins.
    ///   - deleted: told of each document that was deleted.
    /// - Returns: how many were deleted.
    @discardableResult
    package func deleteExpired(
        now: Timestamp? = nil, deleted: (DocumentPath) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        let now = now ?? Timestamp(microseconds: Int64(clamping: System.now()))
        guard let now else { return 0 }
        var count = 0
        for override in try catalog().indexes.fieldOverrides where override.timeToLive == true {
            guard let path = override.path else { continue }
            for item in try collections(of: override.collectionGroup) {
                var slices = ExpirySlices(self, item.number, try CollectionPath(encoded: item.path), path, now)
                while let expired = try slices.next() {
                    for path in try delete(expired) {
                        deleted(path)
                        count += 1
                    }
                }
            }
        }
        return count
    }

    private func collections(of group: Text) throws(EngineError) -> [CollectionList.Item] {
        try read { (cursors) throws(EngineError) in
            var list = try CollectionList(
                .collectionGroup(group, under: nil), self.stores, backwards: false, &cursors)
            var items: [CollectionList.Item] = []
            while let item = try list.next(&cursors) { items.append(item) }
            return items
        }
    }

    /// - Returns: those that had not changed.
    private func delete(_ expired: [ExpirySlices.Expired]) throws(EngineError) -> [DocumentPath] {
        let outcomes = Mutex([Result<CommitResult, EngineError>?](repeating: nil, count: expired.count))
        let group = DispatchGroup()
        for (index, document) in expired.enumerated() {
            group.enter()
            let write = Write(document.path, .delete, precondition: .updateTime(document.updateTime))
            commit([write]) { outcome in
                outcomes.withLock { $0[index] = outcome }
                group.leave()
            }
        }
        group.wait()
        var deleted: [DocumentPath] = []
        for (document, outcome) in zip(expired, outcomes.withLock { $0 }) {
            switch outcome {
            case .success: deleted.append(document.path)
            case .failure(.refused(.failedPrecondition, _)), nil: continue
            case .failure(let error): throw error
            }
        }
        return deleted
    }
}

/// The expired documents of a collection, slice by slice, each read over a state of its own.
private struct ExpirySlices {
    struct Expired {
        let path: DocumentPath
        let updateTime: Timestamp
    }

    private let engine: Engine
    private let prefix: [UInt8]
    private let collection: CollectionPath
    private let field: FieldPath
    private let now: Timestamp
    /// Where the next slice begins; nil after the last.
    private var start: [UInt8]?

    /// A read ends after so many documents, so that it holds no old pages for long.
    private static let readLimit = 10_000
    /// And after so many that have expired, so that their commits do not fill the queue.
    private static let deleteLimit = 100

    init(_ engine: Engine, _ number: UInt64, _ collection: CollectionPath, _ field: FieldPath, _ now: Timestamp) {
        self.engine = engine
        prefix = OrderedInteger.bytes(number)
        self.collection = collection
        self.field = field
        self.now = now
        start = prefix
    }

    mutating func next() throws(EngineError) -> [Expired]? {
        guard let from = start else { return nil }
        let (expired, last) = try engine.read { (cursors) throws(EngineError) in try read(from, &cursors) }
        // No key is a prefix of another, so with one byte more the next slice begins after the last key.
        start = last.map { $0 + [0] }
        return expired
    }

    /// - Returns: what has expired, and the last key read if more may follow.
    private func read(
        _ from: [UInt8], _ cursors: inout CursorSet
    ) throws(EngineError) -> (expired: [Expired], last: [UInt8]?) {
        var cursor = try KeyCursor(engine.stores.keyed(engine.stores.documents), &cursors)
        var expired: [Expired] = []
        var count = 0
        var found = try cursor.seek(from.span.bytes, &cursors)
        while found, startsWith(cursor.key(cursors), prefix.span.bytes) {
            if let document = try expiredDocument(cursor, cursors) { expired.append(document) }
            count += 1
            if count == ExpirySlices.readLimit || expired.count == ExpirySlices.deleteLimit {
                return (expired, [UInt8](copying: cursor.key(cursors)))
            }
            found = try cursor.next(&cursors)
        }
        return (expired, nil)
    }

    private func expiredDocument(
        _ cursor: borrowing KeyCursor, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> Expired? {
        let key = cursor.key(cursors)
        let path = try collection.document(encodedID: key.extracting(prefix.count..<key.byteCount))
        do throws(StoredFormatError) {
            let stored = try StoredDocument(cursor.value(cursors), key: key, database: engine.database)
            guard case .timestamp(let time)? = try stored.value(at: field), time <= now else { return nil }
            return Expired(path: path, updateTime: try stored.updateTime())
        } catch {
            throw .damaged("\(path): \(error.description)")
        }
    }
}
