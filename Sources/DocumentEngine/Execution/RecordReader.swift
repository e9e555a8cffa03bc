// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Reads the documents of rows by their keys, several at a time, into a list of records.
struct RecordReader: ~Copyable {
    private(set) var records: [DocumentRecord] = []
    private(set) var documentLookups = 0
    /// Of the documents that were looked up.
    private(set) var bytesRead = 0
    /// The documents to be read next. A row's key is appended to its keys and ended by ``endRow(_:)``.
    var batch: LookupBatch
    /// The collections of the documents in the batch, each with the position of its first document.
    private var collections: [(path: CollectionPath, first: Int)] = []
    private let database: DatabaseID

    /// - Parameter count: how many there will be at most, as far as that is known.
    init(_ database: DatabaseID, count: Int) {
        self.database = database
        batch = LookupBatch(count: count > 0 ? count : LookupBatch.capacity)
        records.reserveCapacity(min(count, 1_000))
    }

    /// Appends a row that comes with its document, behind those that wait to be read.
    mutating func append(_ record: DocumentRecord, _ transaction: borrowing Transaction) throws(EngineError) {
        try finish(transaction)
        records.append(record)
    }

    /// The documents that follow are in a collection.
    mutating func enter(_ collection: CollectionPath) {
        if let last = collections.last, last.path == collection { return }
        collections.append((collection, batch.count))
    }

    /// The document whose key has been appended to the batch is to be read.
    mutating func endRow(_ transaction: borrowing Transaction) throws(EngineError) {
        batch.endKey()
        if batch.count == LookupBatch.capacity { try finish(transaction) }
    }

    /// Reads the documents in the batch.
    ///
    /// - Throws: if a document does not exist or is damaged. Earlier documents have been read.
    mutating func finish(_ transaction: borrowing Transaction) throws(EngineError) {
        guard batch.count > 0, let last = collections.last else { return }
        defer {
            batch.removeAll()
            collections.removeAll(keepingCapacity: true)
            collections.append((last.path, 0))
        }
        transaction.find(&batch, in: .documents)
        for index in collections.indices {
            let end = index + 1 < collections.count ? collections[index + 1].first : batch.count
            try copy(collections[index].first..<end, in: collections[index].path, transaction)
        }
    }

    /// Copies documents of one collection into one piece of memory.
    private mutating func copy(
        _ rows: Range<Int>, in collection: CollectionPath, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        guard !rows.isEmpty else { return }
        var bytes = 0
        for row in rows { bytes += try transaction.value(row, of: batch, in: .documents)?.byteCount ?? 0 }
        documentLookups += rows.count
        bytesRead += bytes
        let keys = batch.range(rows.upperBound - 1).upperBound - batch.range(rows.lowerBound).lowerBound
        var arena = RecordArena(count: keys + bytes, in: collection, database: database)
        for row in rows { records.append(try record(row, in: collection, copiedInto: &arena, transaction)) }
    }

    private borrowing func record(
        _ row: Int, in collection: CollectionPath, copiedInto arena: inout RecordArena,
        _ transaction: borrowing Transaction
    ) throws(EngineError) -> DocumentRecord {
        let key = batch.keys.span.bytes.extracting(batch.range(row))
        guard let record = try transaction.value(row, of: batch, in: .documents) else {
            throw .missing(try collection.document(key: key))
        }
        let idOffset = OrderedInteger.length(key.byte(at: 0))
        return try DocumentRecord(record, key, idOffset: idOffset, collection, copiedInto: &arena)
    }
}
