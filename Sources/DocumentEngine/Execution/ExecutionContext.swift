// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// The shared state of an execution's operators.
final class ExecutionContext {
    let ids: IDTable
    let catalog: CatalogSnapshot
    var database: DatabaseID { ids.database }
    /// Whether to visit entries as production does, so that the counters are production's.
    let asProduction: Bool
    var counters = ExecutionCounters()
    /// The ways that the data decided on, by the numbers of their disjuncts.
    var decisions: [Int: AccessStrategy] = [:]
    /// What has changed in the query's scope since the time at which it is answered; nil for the present.
    var past: PastVersions?

    init(
        _ ids: IDTable, _ catalog: CatalogSnapshot, asProduction: Bool = false
    ) {
        self.ids = ids
        self.catalog = catalog
        self.asProduction = asProduction
    }

    /// The documents of at most `limit` further rows.
    ///
    /// - Parameter collection: of all rows; nil if they may come from several.
    func records(
        of rows: any RowOperator, in collection: CollectionPath?, limit: Int?, _ transaction: inout Transaction
    ) throws(EngineError) -> [DocumentRecord] {
        try records(in: collection, limit: limit, &transaction) { (limit, reader, transaction) throws(EngineError) in
            _ = try rows.emit(atMost: limit, into: &reader, &transaction)
        }
    }

    /// The documents of the rows that a body emits, which gets the limit.
    func records(
        in collection: CollectionPath?, limit: Int?, _ transaction: inout Transaction,
        _ emit: (_ limit: Int, inout RecordReader, inout Transaction) throws(EngineError) -> Void
    ) throws(EngineError) -> [DocumentRecord] {
        var reader = RecordReader(ids, in: collection, count: limit ?? 0)
        do throws(EngineError) {
            try emit(limit ?? .max, &reader, &transaction)
        } catch {
            // Reports the problem of an earlier row first.
            try reader.finish(transaction)
            throw error
        }
        try reader.finish(transaction)
        counters.documentsRead += reader.documentLookups
        counters.documentLookups += reader.documentLookups
        counters.bytesRead += reader.bytesRead
        return reader.records
    }

    /// The document of the current row.
    func record(of rows: any RowOperator, _ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord {
        if let record = try rows.record(transaction) { return record }
        var key: [UInt8] = []
        try rows.appendDocumentKey(to: &key, transaction)
        let collection = try rows.collection(transaction)
        // See RowNames.
        guard try ids.collectionID(of: collection, transaction) == OrderedInteger.read(key.span.bytes) else {
            throw .differentCollections(collection)
        }
        guard let stored = try transaction.get(key.span.bytes, from: .documents) else {
            throw .missing(try collection.document(key: key.span.bytes))
        }
        counters.documentsRead += 1
        counters.documentLookups += 1
        counters.bytesRead += stored.byteCount
        return try DocumentRecord(
            stored, key.span.bytes, idOffset: OrderedInteger.length(key[0]), collection, database: database)
    }
}

extension EngineError {
    static func missing(_ path: DocumentPath) -> EngineError {
        .damaged("an index entry names \(path), which does not exist")
    }
}
