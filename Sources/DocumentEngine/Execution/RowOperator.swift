// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A node of a running plan: a stream of rows in an order.
///
/// The requirements without a default are what rows consist of, so an operator cannot be half implemented. The defaults follow
/// from the requirements and are right for every operator; an operator replaces one where it knows a faster way.
///
/// For classes only, so that a step is one call that neither copies nor counts references.
protocol RowOperator: AnyObject {
    var context: ExecutionContext { get }

    /// Moves to the first or next row; false past the last one.
    func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool

    /// The key of the row's document in the documents store.
    func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError)

    /// The collection of the row's document.
    func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath

    /// The row's place in the query's order, as bytes that compare as rows do.
    func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError)

    /// The number under a field path; nil for another type. For aggregations.
    func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value?

    /// The vector under a field path, if it has this dimension. For vector searches.
    func vector(
        at path: FieldPath, dimension: Int, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [Double]?

    /// The row's document, if the operator has it at hand; nil if it has to be looked up by its key.
    func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord?

    /// Moves past at most `limit` rows and returns how many those were.
    func skip(atMost limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Int

    /// Adds the numbers under a field path of all further rows and returns how many rows those were.
    func addNumbers(
        at path: FieldPath, to sum: inout NumberSum, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int

    /// Hands at most `limit` further rows to a reader and returns how many those were.
    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int
}

/// An operator with a residual filter, which may reject many entries before it comes to a row.
protocol BudgetedOperator: RowOperator {
    /// How many entries the filter may still reject. At zero `next` returns false though there may be rows.
    var budget: Int { get set }
}

extension RowOperator {
    func skip(atMost limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Int {
        try skipEach(atMost: limit, &cursors)
    }

    /// Skips row by row.
    func skipEach(atMost limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&cursors) { count += 1 }
        return count
    }

    func addNumbers(
        at path: FieldPath, to sum: inout NumberSum, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        try addEachNumber(at: path, to: &sum, &cursors)
    }

    /// Adds numbers row by row.
    func addEachNumber(
        at path: FieldPath, to sum: inout NumberSum, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        var count = 0
        while try next(&cursors) {
            sum.add(try number(at: path, cursors))
            count += 1
        }
        return count
    }

    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        try emitEach(atMost: limit, into: &reader, &cursors)
    }

    /// Emits row by row.
    func emitEach(
        atMost limit: Int, into reader: inout RecordReader, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&cursors) {
            count += 1
            if let record = try record(cursors) {
                try reader.append(record, cursors)
            } else {
                let start = reader.batch.keys.count
                try appendDocumentKey(to: &reader.batch.keys, cursors)
                let collection = try collection(cursors)
                let end = reader.batch.keys.count
                try context.requireNumber(
                    of: collection, in: reader.batch.keys.span.bytes.extracting(start..<end), cursors)
                reader.enter(collection)
                try reader.endRow(cursors)
            }
        }
        return count
    }
}

// MARK: - What the row's document answers

extension RowOperator {
    func numberInRecord(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        let value = try valueInRecord(at: path, cursors)
        return value?.typeClass == .number ? value : nil
    }

    func vectorInRecord(
        at path: FieldPath, dimension: Int, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [Double]? {
        guard case .vector(let vector)? = try valueInRecord(at: path, cursors), vector.count == dimension else {
            return nil
        }
        return vector
    }

    private func valueInRecord(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        let record = try context.record(of: self, cursors)
        do throws(StoredFormatError) { return try record.root.value(at: path) } catch { throw EngineError(error) }
    }
}

/// An operator that stands on its rows' documents, so that it has no entries to read numbers and vectors from.
protocol DocumentOperator: RowOperator {}

extension DocumentOperator {
    func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        try numberInRecord(at: path, cursors)
    }

    func vector(
        at path: FieldPath, dimension: Int, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [Double]? {
        try vectorInRecord(at: path, dimension: dimension, cursors)
    }
}
