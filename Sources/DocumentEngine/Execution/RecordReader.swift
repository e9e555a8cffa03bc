// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Reads the documents of rows by their keys, several at a time, into a list of records.
struct RecordReader: ~Copyable {
    private(set) var records: [DocumentRecord] = []
    private(set) var documentLookups = 0
    /// Of the documents that were looked up.
    private(set) var bytesRead = 0
    /// The keys of the documents to be read next. ``endRow(_:)`` ends a row.
    var batch: LookupBatch
    /// Of the documents in the batch, if ``collection`` is nil.
    var collections: RowCollections
    /// Of all rows; nil if they may come from several.
    let collection: CollectionPath?
    private let ids: IDTable

    /// - Parameter count: how many there will be at most, as far as that is known.
    init(_ ids: IDTable, in collection: CollectionPath?, count: Int) {
        self.ids = ids
        self.collection = collection
        let expected = count > 0 ? min(count, LookupBatch.capacity) : LookupBatch.capacity
        batch = LookupBatch(count: expected)
        collections = RowCollections(capacity: collection == nil ? expected : 0)
        records.reserveCapacity(min(count, 1_000))
    }

    /// Appends a row that comes with its document, behind those that wait to be read.
    mutating func append(_ record: DocumentRecord, _ transaction: borrowing Transaction) throws(EngineError) {
        try finish(transaction)
        records.append(record)
    }

    /// Appends a row by its document's key.
    ///
    /// - Parameter path: the row's collection, if ``collection`` is nil.
    mutating func append(
        _ key: RawSpan, of path: CollectionPath?, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        if let path {
            var encoder = KeyEncoder()
            encoder.append(segmentsOf: path.resource)
            collections.append(encoder.bytes.span.bytes, complemented: false, try OrderedInteger.read(key))
        }
        batch.append(RawSpan(), key, complemented: false)
        try endRow(transaction)
    }

    /// The row whose key and collection have been appended is complete.
    mutating func endRow(_ transaction: borrowing Transaction) throws(EngineError) {
        if batch.count == LookupBatch.capacity { try finish(transaction) }
    }

    /// Reads the documents in the batch, into one piece of memory.
    ///
    /// - Throws: if a row's name and number are of different collections, or if a document does not exist or is damaged.
    mutating func finish(_ transaction: borrowing Transaction) throws(EngineError) {
        guard batch.count > 0 else { return }
        defer {
            batch.removeAll()
            collections.removeAll()
        }
        transaction.find(&batch, in: .documents)
        if collection == nil { try collections.verify(ids, transaction) }
        let bytes = try transaction.valueByteCount(of: batch, in: .documents)
        documentLookups += batch.count
        bytesRead += bytes
        var arena = RecordArena(
            count: batch.byteCount + collections.byteCount + bytes, in: collection, database: ids.database)
        for row in 0..<batch.count { records.append(try record(row, copiedInto: &arena, transaction)) }
    }

    private borrowing func record(
        _ row: Int, copiedInto arena: inout RecordArena, _ transaction: borrowing Transaction
    ) throws(EngineError) -> DocumentRecord {
        let key = batch.key(row)
        guard let record = try transaction.value(row, of: batch, in: .documents) else {
            throw .missing(try collection(of: row).document(key: key))
        }
        let idOffset = OrderedInteger.length(key.byte(at: 0))
        do throws(StoredFormatError) {
            guard collection == nil else {
                return try arena.copy(record, key: key, idOffset: idOffset, in: RawSpan())
            }
            return try arena.copy(record, key: key, idOffset: idOffset, in: collections.path(of: row))
        } catch {
            throw EngineError(error, in: try collection(of: row).document(key: key))
        }
    }

    private borrowing func collection(of row: Int) throws(EngineError) -> CollectionPath {
        if let collection { return collection }
        return try collections.collection(of: row)
    }
}
