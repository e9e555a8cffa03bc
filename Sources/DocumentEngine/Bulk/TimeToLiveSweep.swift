// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner
internal import Synchronization

extension TransactionScheduler {
    /// See ``Engine/deleteExpired(now:deleted:)``.
    func deleteExpired(now: Timestamp?, deleted: (DocumentPath) -> Void) throws(EngineError) -> Int {
        let now = now ?? Timestamp(microseconds: Int64(clamping: CommitClock.now()))
        guard let now else { return 0 }
        var count = 0
        for override in try catalog().indexes.fieldOverrides where override.timeToLive == true {
            guard let path = override.path else { continue }
            for item in try collections(of: override.collectionGroup) {
                var slices = TimeToLiveScan(self, item.collectionID, try CollectionPath(encoded: item.path), path, now)
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
        try read { (transaction) throws(EngineError) in
            var list = try CollectionList(
                .collectionGroup(group, under: nil), backwards: false, &transaction)
            var items: [CollectionList.Item] = []
            while let item = try list.next(&transaction) { items.append(item) }
            return items
        }
    }

    /// - Returns: those that had not changed.
    private func delete(_ expired: [TimeToLiveScan.Expired]) throws(EngineError) -> [DocumentPath] {
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
private struct TimeToLiveScan {
    struct Expired {
        let path: DocumentPath
        let updateTime: Timestamp
    }

    private let scheduler: TransactionScheduler
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

    init(
        _ scheduler: TransactionScheduler, _ collectionID: UInt64, _ collection: CollectionPath, _ field: FieldPath,
        _ now: Timestamp
    ) {
        self.scheduler = scheduler
        prefix = OrderedInteger.bytes(collectionID)
        self.collection = collection
        self.field = field
        self.now = now
        start = prefix
    }

    mutating func next() throws(EngineError) -> [Expired]? {
        guard let from = start else { return nil }
        let (expired, last) = try scheduler.read { (transaction) throws(EngineError) in try read(from, &transaction) }
        // No key is a prefix of another, so with one byte more the next slice begins after the last key.
        start = last.map { $0 + [0] }
        return expired
    }

    /// - Returns: what has expired, and the last key read if more may follow.
    private func read(
        _ from: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) -> (expired: [Expired], last: [UInt8]?) {
        var cursor = try LongKeyCursor(.documents, &transaction)
        var expired: [Expired] = []
        var count = 0
        var found = try cursor.seek(from.span.bytes, &transaction)
        while found, startsWith(cursor.key(transaction), prefix.span.bytes) {
            if let document = try expiredDocument(cursor, transaction) { expired.append(document) }
            count += 1
            if count == TimeToLiveScan.readLimit || expired.count == TimeToLiveScan.deleteLimit {
                return (expired, [UInt8](copying: cursor.key(transaction)))
            }
            found = try cursor.next(&transaction)
        }
        return (expired, nil)
    }

    private func expiredDocument(
        _ cursor: borrowing LongKeyCursor, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Expired? {
        let key = cursor.key(transaction)
        let path = try collection.document(encodedID: key.extracting(prefix.count..<key.byteCount))
        do throws(StoredFormatError) {
            let stored = try StoredDocument(cursor.value(transaction), key: key, database: scheduler.database)
            guard case .timestamp(let time)? = try stored.value(at: field), time <= now else { return nil }
            return Expired(path: path, updateTime: try stored.updateTime())
        } catch {
            throw .damaged("\(path): \(error.description)")
        }
    }
}
