// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// What all operators of an execution share.
final class ExecutionContext {
    let stores: Stores
    let numbers: Numbers
    let catalog: CatalogSnapshot
    let database: DatabaseID
    /// Whether entries are visited as production visits them, so that the counters are its own.
    let asProduction: Bool
    var counters = ExecutionCounters()
    /// The ways that the data decided on, by the numbers of their disjuncts.
    var decisions: [Int: AccessStrategy] = [:]

    init(
        _ stores: Stores, _ numbers: Numbers, _ catalog: CatalogSnapshot, _ database: DatabaseID,
        asProduction: Bool = false
    ) {
        self.stores = stores
        self.numbers = numbers
        self.catalog = catalog
        self.database = database
        self.asProduction = asProduction
    }

    /// The documents of at most `limit` further rows of an operator.
    func records(
        of rows: any RowOperator, limit: Int?, _ cursors: inout CursorSet
    ) throws(EngineError) -> [DocumentRecord] {
        var reader = RecordReader(stores, database, count: limit ?? 0)
        do throws(EngineError) {
            _ = try rows.emit(atMost: limit ?? .max, into: &reader, &cursors)
        } catch {
            // What is wrong with an earlier row is told first.
            try reader.finish(cursors)
            throw error
        }
        try reader.finish(cursors)
        counters.documentsRead += reader.documentLookups
        counters.documentLookups += reader.documentLookups
        counters.bytesRead += reader.bytesRead
        return reader.records
    }

    /// The document of an operator's row.
    func record(of rows: any RowOperator, _ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord {
        if let record = try rows.record(cursors) { return record }
        var key: [UInt8] = []
        try rows.appendDocumentKey(to: &key, cursors)
        let collection = try rows.collection(cursors)
        try requireNumber(of: collection, in: key.span.bytes, cursors)
        let idOffset = OrderedInteger.length(key[0])
        guard let stored = try stores.keyed(stores.documents).get(cursors, key.span.bytes) else {
            throw .missing(try collection.document(encodedID: key.span.bytes.extracting(idOffset..<key.count)))
        }
        counters.documentsRead += 1
        counters.documentLookups += 1
        counters.bytesRead += stored.byteCount
        return try DocumentRecord(stored, key.span.bytes, idOffset: idOffset, collection, database: database)
    }

    /// That a document's key begins with the number of the collection under whose name it is delivered. An entry in group
    /// scope has both, the name in its key and the number in its value, and no checksum of its own.
    func requireNumber(
        of collection: CollectionPath, in key: RawSpan, _ cursors: borrowing CursorSet
    ) throws(EngineError) {
        guard try numbers.collection(collection, cursors) == OrderedInteger.read(key) else {
            throw .damaged("an index entry has a name in \(collection) and the number of another collection")
        }
    }
}

extension EngineError {
    static func missing(_ path: DocumentPath) -> EngineError {
        .damaged("an index entry names \(path), which does not exist")
    }
}
