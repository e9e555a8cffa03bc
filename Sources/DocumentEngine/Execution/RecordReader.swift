// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Reads the documents of rows by their keys, several at a time, into a list of records.
struct RecordReader: ~Copyable {
    private(set) var records: [DocumentRecord] = []
    /// The memory of the records.
    private(set) var byteCount = 0
    private(set) var documentLookups = 0
    /// Of the documents that were looked up.
    private(set) var bytesRead = 0
    /// The keys of the documents to be read next. ``endRow(_:)`` ends a row.
    var batch: LookupBatch
    /// Of rows whose keys are not in the batch yet, if ``collection`` is nil.
    var names: RowNames
    /// Of all rows; nil if they may come from several.
    let collection: CollectionPath?
    private let ids: IDTable

    /// - Parameter count: how many there will be at most, as far as that is known.
    init(_ ids: IDTable, in collection: CollectionPath?, count: Int) {
        self.ids = ids
        self.collection = collection
        let expected = count > 0 ? min(count, LookupBatch.capacity) : LookupBatch.capacity
        batch = LookupBatch(count: expected)
        names = RowNames(capacity: collection == nil ? expected : 0)
        records.reserveCapacity(min(count, 1_000))
    }

    /// Appends a row that comes with its document, behind those that wait to be read.
    mutating func append(_ record: DocumentRecord, _ transaction: borrowing Transaction) throws(EngineError) {
        try finish(transaction)
        records.append(record)
        byteCount += record.byteCount
    }

    /// Appends a row by its document's key.
    ///
    /// - Parameter path: the row's collection, if ``collection`` is nil.
    mutating func append(
        _ key: RawSpan, of path: CollectionPath?, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        if let path {
            var idStart = 0
            let collectionID = try OrderedInteger.read(key, &idStart)
            var name = KeyEncoder()
            name.append(segmentsOf: path.resource)
            name.append(copying: key.extracting(idStart..<key.byteCount))
            // Its end mark.
            name.append(path: .root)
            names.append(name.bytes.span.bytes, complemented: false, collectionID)
        } else {
            batch.append(RawSpan(), key, complemented: false)
        }
        try endRow(transaction)
    }

    /// The row whose key or name has been appended is complete.
    mutating func endRow(_ transaction: borrowing Transaction) throws(EngineError) {
        if batch.count + names.count == LookupBatch.capacity { try finish(transaction) }
    }

    /// Reads the documents in the batch, into one piece of memory.
    ///
    /// - Throws: if a row's name and number are of different collections, or if a document does not exist or is damaged.
    mutating func finish(_ transaction: borrowing Transaction) throws(EngineError) {
        guard batch.count + names.count > 0 else { return }
        defer {
            batch.removeAll()
            names.removeAll()
        }
        precondition((collection == nil ? batch.count : names.count) == 0, "rows come either by keys or by names")
        if collection == nil {
            try names.verify(ids, transaction)
            names.appendKeys(to: &batch)
        }
        transaction.find(&batch, in: .documents)
        let bytes = try transaction.valueByteCount(of: batch, in: .documents)
        documentLookups += batch.count
        bytesRead += bytes
        let nameBytes = collection == nil ? names.byteCount : batch.byteCount
        byteCount += nameBytes + bytes
        var arena = RecordArena(count: nameBytes + bytes, in: collection, database: ids.database)
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
            return try arena.copy(record, key: key, idOffset: idOffset, in: names.path(of: row))
        } catch {
            throw EngineError(error, in: try collection(of: row).document(key: key))
        }
    }

    private borrowing func collection(of row: Int) throws(EngineError) -> CollectionPath {
        if let collection { return collection }
        return try names.collection(of: row)
    }
}
