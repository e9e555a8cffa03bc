// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Rows from one index.
final class IndexScanOperator: BudgetedOperator {
    let context: ExecutionContext
    var budget = Int.max
    // Unchecked, because an execution has one thread, and checks for exclusive access would slow every row.
    @exclusivity(unchecked) private var cursor: RangeCursor
    private let entries: EntryReader
    private let sortKey: [SortKeyPart]
    private var isPlaced = false
    /// The last requested field. Every row is asked for the same one.
    private var lastNumber: (path: FieldPath, place: EntryReader.NumberPlace?)?
    /// The number of entries rejected in a row.
    private var rejections = 0
    /// The number of steps that cost as much as a seek.
    private static let seekThreshold = 8

    init(_ cursor: RangeCursor, _ entries: EntryReader, _ sortKey: [SortKeyPart], _ context: ExecutionContext) {
        self.cursor = cursor
        self.entries = entries
        self.sortKey = sortKey
        self.context = context
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        countFirstSeek()
        var found = try cursor.next(&transaction)
        while found {
            context.counters.entriesScanned += 1
            guard entries.hasResidualFilter else { return true }
            let next = try cursor.withEntry(transaction) { (rest, _) throws(EngineError) in
                try entries.nextAllowed(rest)
            }
            guard let next else {
                rejections = 0
                return true
            }
            rejections += 1
            budget -= 1
            if budget <= 0 { return false }
            found = try skipRejected(to: next, &transaction)
        }
        return false
    }

    func skip(atMost limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Int {
        guard !entries.hasResidualFilter else { return try skipEach(atMost: limit, &transaction) }
        countFirstSeek()
        let count = try cursor.skip(atMost: limit, &transaction)
        context.counters.entriesScanned += count
        return count
    }

    /// Counts the first step, which is a seek.
    private func countFirstSeek() {
        if !isPlaced { context.counters.seeks += 1 }
        isPlaced = true
    }

    /// Moves past a rejected entry by a step, or past many of them by a seek.
    private func skipRejected(to next: [UInt8], _ transaction: inout Transaction) throws(EngineError) -> Bool {
        guard rejections % IndexScanOperator.seekThreshold == 0, !context.asProduction else {
            return try cursor.next(&transaction)
        }
        context.counters.seeks += 1
        return try cursor.skip(to: next, &transaction)
    }

    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try cursor.withEntry(transaction) { (rest, value) throws(EngineError) in
            try entries.appendDocumentKey(to: &key, suffix: rest, value: value)
        }
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath {
        if let collection = entries.collection { return collection }
        return try cursor.withEntry(transaction) { (rest, _) throws(EngineError) in try entries.path(rest).collection }
    }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try cursor.withEntry(transaction) { (rest, _) throws(EngineError) in
            try entries.appendSortKey(sortKey, suffix: rest, to: &key)
        }
    }

    func number(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        if lastNumber?.path != path { lastNumber = (path, try entries.numberPlace(of: path)) }
        guard let place = lastNumber?.place else { return nil }
        return try cursor.withEntry(transaction) { (rest, value) throws(EngineError) in
            try entries.number(at: place, suffix: rest, value: value)?.value
        }
    }

    func addNumbers(
        at path: FieldPath, to sum: inout NumberSum, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        guard !entries.hasResidualFilter, let place = try entries.numberPlace(of: path) else {
            return try addEachNumber(at: path, to: &sum, &transaction)
        }
        countFirstSeek()
        var numbers = NumberReader(entries, at: place)
        let count = try cursor.visit(atMost: .max, &transaction) { (rest, value, _) throws(EngineError) in
            sum.add(try numbers.number(suffix: rest, value: value))
        }
        context.counters.entriesScanned += count
        return count
    }

    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        guard !entries.hasResidualFilter else { return try emitEach(atMost: limit, into: &reader, &transaction) }
        countFirstSeek()
        let count = try cursor.visit(atMost: limit, &transaction) { (rest, value, transaction) throws(EngineError) in
            try entries.emit(suffix: rest, value: value, into: &reader, transaction)
        }
        context.counters.entriesScanned += count
        return count
    }

    func vector(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]? {
        try cursor.withEntry(transaction) { (_, value) throws(EngineError) in
            var offset = 0
            if entries.isGroup { _ = try OrderedInteger.read(value, &offset) }
            guard value.byteCount - offset == 8 * dimension else {
                throw .damaged("an index entry has a vector of another length")
            }
            return EntryValue.vector(value, at: offset, dimension)
        }
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? { nil }
}
