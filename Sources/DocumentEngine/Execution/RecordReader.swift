// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Reads the documents of rows by their keys, into a list of records.
struct RecordReader {
    private(set) var records: [DocumentRecord] = []
    /// The key of the document to be read next: room that is used again for each row.
    var key: [UInt8] = []
    private let documents: KeyedStore
    private let database: DatabaseID
    private(set) var documentsRead = 0
    private(set) var bytesRead = 0

    /// - Parameter count: how many there will be at most, as far as that is known.
    init(_ stores: Stores, _ database: DatabaseID, count: Int) {
        documents = stores.keyed(stores.documents)
        self.database = database
        records.reserveCapacity(min(count, 1_000))
    }

    mutating func append(_ record: DocumentRecord) {
        records.append(record)
    }

    mutating func reverse() {
        records.reverse()
    }

    /// Reads the document under ``key``; false if there is none.
    mutating func read(in collection: CollectionPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Bool {
        guard let record = try documents.get(cursors, key.span.bytes) else { return false }
        documentsRead += 1
        bytesRead += record.byteCount
        records.append(
            try DocumentRecord(
                record, key.span.bytes, idOffset: OrderedInteger.length(key[0]), collection, database: database))
        return true
    }
}
