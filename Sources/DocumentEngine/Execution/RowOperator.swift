// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A node of a running plan: an ordered stream of rows.
///
/// The requirements without a default define what a row consists of, so no operator can be implemented incompletely.
/// The defaults are correct for every operator; an operator replaces one if it has a faster way.
///
/// Classes only, so that a step is one call that neither copies nor counts references.
protocol RowOperator: AnyObject {
    var context: ExecutionContext { get }

    /// Moves to the first or next row. Returns false at the end.
    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool

    /// The key of the row's document in the documents store.
    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError)

    /// The collection of the row's document.
    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath

    /// The row's sort key: bytes that compare as the query orders rows.
    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError)

    /// The number at a field path, or nil for a value of another type. For aggregations.
    func number(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value?

    /// The vector at a field path, if it has this dimension. For vector searches.
    func vector(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]?

    /// The row's document, or nil if it must be looked up by its key.
    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord?

    /// Skips at most `limit` rows and returns their number.
    func skip(atMost limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Int

    /// Adds the numbers at a field path of all further rows, and returns the number of rows.
    func addNumbers(
        at path: FieldPath, to sum: inout NumberSum, _ transaction: inout Transaction
    ) throws(EngineError) -> Int

    /// Emits at most `limit` further rows into a reader and returns their number.
    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ transaction: inout Transaction
    ) throws(EngineError) -> Int
}

/// An operator with a residual filter, which may reject many entries before it finds a row.
protocol BudgetedOperator: RowOperator {
    /// The number of entries that the filter may still reject. At zero, `next` returns false although there may be more
    /// rows.
    var budget: Int { get set }
}

extension RowOperator {
    func skip(atMost limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Int {
        try skipEach(atMost: limit, &transaction)
    }

    /// Skips row by row.
    func skipEach(atMost limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&transaction) { count += 1 }
        return count
    }

    func addNumbers(
        at path: FieldPath, to sum: inout NumberSum, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        try addEachNumber(at: path, to: &sum, &transaction)
    }

    /// Adds numbers row by row.
    func addEachNumber(
        at path: FieldPath, to sum: inout NumberSum, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        var count = 0
        while try next(&transaction) {
            sum.add(try number(at: path, transaction))
            count += 1
        }
        return count
    }

    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        try emitEach(atMost: limit, into: &reader, &transaction)
    }

    /// Emits row by row.
    func emitEach(
        atMost limit: Int, into reader: inout RecordReader, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        var count = 0
        var key: [UInt8] = []
        while count < limit, try next(&transaction) {
            count += 1
            if let record = try record(transaction) {
                try reader.append(record, transaction)
            } else {
                key.removeAll(keepingCapacity: true)
                try appendDocumentKey(to: &key, transaction)
                let collection = reader.collection == nil ? try collection(transaction) : nil
                try reader.append(key.span.bytes, of: collection, transaction)
            }
        }
        return count
    }
}

// MARK: - Values from the row's document

extension RowOperator {
    func numberInRecord(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        let value = try valueInRecord(at: path, transaction)
        return value?.typeClass == .number ? value : nil
    }

    func vectorInRecord(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]? {
        guard case .vector(let vector)? = try valueInRecord(at: path, transaction), vector.count == dimension else {
            return nil
        }
        return vector
    }

    private func valueInRecord(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        let record = try context.record(of: self, transaction)
        do throws(StoredFormatError) { return try record.root.value(at: path) } catch { throw EngineError(error) }
    }
}

/// An operator that reads documents. It has no index entries with numbers and vectors.
protocol DocumentOperator: RowOperator {}

extension DocumentOperator {
    func number(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        try numberInRecord(at: path, transaction)
    }

    func vector(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]? {
        try vectorInRecord(at: path, dimension: dimension, transaction)
    }
}
