// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
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
    /// How many bytes of records are enough, if more rows can be asked for; nil for all rows.
    var byteGoal: Int?
    /// Whether there may be more rows because the records have as many bytes.
    private(set) var isCut = false
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
            if let byteGoal {
                isCut = try emit(rows, atMost: limit, byteGoal, into: &reader, &transaction)
            } else {
                _ = try rows.emit(atMost: limit, into: &reader, &transaction)
            }
        }
    }

    /// Emits rows until the reader has enough bytes, and returns whether there may be more then. The first rows are few, and each part
    /// has as many as the ones before let expect, so that not many large documents are read beyond that.
    private func emit(
        _ rows: any RowOperator, atMost limit: Int, _ byteGoal: Int, into reader: inout RecordReader,
        _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        var (left, part) = (limit, 4)
        while left > 0 {
            let wanted = min(left, part)
            let count = try rows.emit(atMost: wanted, into: &reader, &transaction)
            left -= count
            guard count == wanted, left > 0 else { return false }
            try reader.finish(transaction)
            if reader.byteCount >= byteGoal { return true }
            let rest = (byteGoal - reader.byteCount) * (limit - left) / max(1, reader.byteCount)
            part = max(1, min(LookupBatch.capacity, rest))
        }
        return false
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
