// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import Synchronization

extension TransactionScheduler {
    /// See ``Engine/deleteExpired(now:deleted:progress:)``.
    func deleteExpired(
        now: Timestamp?, deleted: (DocumentPath) -> Void, progress: () throws(EngineError) -> Void
    ) throws(EngineError) -> Int {
        let now = now ?? Timestamp(microseconds: Int64(clamping: storage.now()))
        guard let now else { return 0 }
        var count = 0
        for override in try catalog().indexes.fieldOverrides where override.timeToLive == true {
            guard let path = override.path else { continue }
            for item in try collections(of: override.collectionGroup) {
                var slices = TimeToLiveScan(self, item.collectionID, try CollectionPath(encoded: item.path), path, now)
                while true {
                    try progress()
                    guard let expired = try slices.next() else { break }
                    let outcome = delete(expired)
                    for path in outcome.deleted { deleted(path) }
                    if let failure = outcome.failure { throw failure }
                    count += outcome.deleted.count
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

    /// - Returns: the deleted documents, without those that have changed since they were read, and why another was not deleted.
    private func delete(
        _ expired: [TimeToLiveScan.Expired]
    ) -> (deleted: [DocumentPath], failure: EngineError?) {
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
        var (deleted, failure): ([DocumentPath], EngineError?) = ([], nil)
        for (document, outcome) in zip(expired, outcomes.withLock { $0 }) {
            switch outcome {
            case .success: deleted.append(document.path)
            case .failure(.refused(.failedPrecondition, _)), nil: continue
            case .failure(let error): failure = failure ?? error
            }
        }
        return (deleted, failure)
    }
}

/// The expired documents of a collection, in slices. Each slice is a read of its own.
private struct TimeToLiveScan {
    struct Expired {
        let path: DocumentPath
        let updateTime: Timestamp
    }

    private let scheduler: TransactionScheduler
    private let collection: CollectionPath
    private let field: FieldPath
    private let now: Timestamp
    private var slices: EntrySlices

    init(
        _ scheduler: TransactionScheduler, _ collectionID: UInt64, _ collection: CollectionPath, _ field: FieldPath,
        _ now: Timestamp
    ) {
        self.scheduler = scheduler
        self.collection = collection
        self.field = field
        self.now = now
        slices = EntrySlices(KeyRange(id: collectionID), of: .documents)
    }

    /// Those of the next slice, which may be none; nil at the end.
    mutating func next() throws(EngineError) -> [Expired]? {
        guard let slice = try scheduler.read({ (transaction) throws(EngineError) in try slices.next(&transaction) })
        else { return nil }
        let bytes = slice.bytes.span.bytes
        var expired: [Expired] = []
        for index in slice.entries.indices {
            let (key, record) = (bytes.extracting(slice.key(index)), bytes.extracting(slice.value(index)))
            if let document = try expiredDocument(key, record) { expired.append(document) }
        }
        return expired
    }

    private func expiredDocument(_ key: RawSpan, _ record: RawSpan) throws(EngineError) -> Expired? {
        let path = try collection.document(key: key)
        do throws(StoredFormatError) {
            let stored = try StoredDocument(record, key: key, database: scheduler.database)
            guard case .timestamp(let time)? = try stored.value(at: field), time <= now else { return nil }
            return Expired(path: path, updateTime: try stored.updateTime())
        } catch {
            throw EngineError(error, in: path)
        }
    }
}
