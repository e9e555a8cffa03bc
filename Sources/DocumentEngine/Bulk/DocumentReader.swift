// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// Reads the documents of collections in batches, each in a read of its own, so that no read is long: a long one would keep the
/// pages that writers give up from being used again.
struct DocumentReader {
    private let scheduler: TransactionScheduler
    private var collections: ArraySlice<(path: CollectionPath, id: UInt64)>
    /// Where the collection's next document is at the earliest.
    private var from: [UInt8] = []

    private static let batchSize = 500

    /// - Parameter isWanted: whether a collection group is to be read.
    init(_ scheduler: TransactionScheduler, where isWanted: (Text) -> Bool) throws(EngineError) {
        self.scheduler = scheduler
        collections = try scheduler.read { (transaction) throws(EngineError) in
            var list = try CollectionList(.descendants(of: nil), backwards: false, &transaction)
            var collections: [(path: CollectionPath, id: UInt64)] = []
            while let item = try list.next(&transaction) {
                let path = try CollectionPath(encoded: item.path)
                if isWanted(path.group) { collections.append((path, item.collectionID)) }
            }
            return collections[...]
        }
    }

    /// The next documents; nil at the end.
    mutating func next() throws(EngineError) -> RecordBatch? {
        while let collection = collections.first {
            if from.isEmpty { from = OrderedInteger.bytes(collection.id) }
            let end = OrderedInteger.bytes(collection.id + 1)
            let (batch, after) = try scheduler.read { [from] (transaction) throws(EngineError) in
                try DocumentReader.read(collection, from, end, &transaction)
            }
            from = after ?? []
            if after == nil { collections.removeFirst() }
            if !batch.records.isEmpty { return batch }
        }
        return nil
    }

    private static func read(
        _ collection: (path: CollectionPath, id: UInt64), _ from: [UInt8], _ end: [UInt8],
        _ transaction: inout Transaction
    ) throws(EngineError) -> (RecordBatch, after: [UInt8]?) {
        var batch = RecordBatch(collection: collection.path, collectionID: collection.id)
        var cursor = try LongKeyCursor(.documents, &transaction)
        var after: [UInt8]?
        var isFound = try cursor.seek(from.span.bytes, &transaction)
        while isFound, cursor.key(transaction).compare(to: end) < 0 {
            if batch.records.entries.count == batchSize || batch.records.size > 4 << 20 {
                after = [UInt8](copying: cursor.key(transaction))
                break
            }
            batch.records.append(copying: cursor.key(transaction), cursor.value(transaction))
            isFound = try cursor.next(&transaction)
        }
        cursor.close(&transaction)
        return (batch, after)
    }
}
