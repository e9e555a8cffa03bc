// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The documents of one collection in the order of their IDs.
final class CollectionScanOperator: DocumentOperator {
    let context: ExecutionContext
    private let collection: CollectionPath
    private let collectionBytes: [UInt8]
    private let backwards: Bool
    // Unchecked, because an execution has one thread, and checks for exclusive access would slow every row.
    @exclusivity(unchecked) private var cursor: RangeCursor
    private var isPlaced = false

    init(
        _ collection: CollectionPath, collectionID: UInt64, _ cursor: RangeCursor, backwards: Bool,
        _ context: ExecutionContext
    ) {
        self.collection = collection
        collectionBytes = OrderedInteger.bytes(collectionID)
        self.cursor = cursor
        self.backwards = backwards
        self.context = context
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        if !isPlaced { context.counters.seeks += 1 }
        isPlaced = true
        guard try cursor.next(&transaction) else { return false }
        context.counters.entriesScanned += 1
        return true
    }

    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        key += collectionBytes
        try cursor.withEntry(transaction) { (id, _) throws(EngineError) in key.append(copying: id) }
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath {
        collection
    }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try cursor.withEntry(transaction) { (id, _) throws(EngineError) in
            key.append(copying: id, complemented: backwards)
        }
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? {
        try cursor.withWholeEntry(transaction) { (key, record) throws(EngineError) in
            context.counters.documentsRead += 1
            context.counters.bytesRead += record.byteCount
            return try DocumentRecord(
                record, key, idOffset: collectionBytes.count, collection, database: context.database)
        }
    }

    /// Copies records into arenas of growing size, so that a few documents do not use much memory.
    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        if !isPlaced { context.counters.seeks += 1 }
        isPlaced = true
        // A local copy, because every access to an object's property is checked for exclusivity.
        var cursor = cursor
        defer { self.cursor = cursor }
        var arena: RecordArena?
        var (copied, left, count, read) = (0, 0, 0, 0)
        while count < limit, try cursor.next(&transaction) {
            count += 1
            let record = try cursor.withWholeEntry(transaction) { (key, record) throws(EngineError) in
                let size = key.byteCount - collectionBytes.count + record.byteCount
                if size > left {
                    left = max(size, min(copied, CollectionScanOperator.largestArena))
                    arena = RecordArena(count: left, in: collection, database: context.database)
                }
                left -= size
                copied += size
                read += record.byteCount
                return try DocumentRecord(
                    record, key, idOffset: collectionBytes.count, collection, copiedInto: &arena!)
            }
            try reader.append(record, transaction)
        }
        context.counters.entriesScanned += count
        context.counters.documentsRead += count
        context.counters.bytesRead += read
        return count
    }

    /// In bytes. A longer record gets its own arena.
    private static let largestArena = 16_384
}
