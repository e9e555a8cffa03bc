// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Rows that several indexes have in common (I-33, P-6), found by a ``ZigZag``.
final class JoinOperator: BudgetedOperator {
    let context: ExecutionContext
    var budget = Int.max
    // Unchecked, because an execution has one thread, and checks for exclusive access would slow every row.
    @exclusivity(unchecked) private var zigZag: ZigZag
    private let sortKey: [SortKeyPart]

    init(
        _ members: [(RangeCursor, EntryReader)], _ sortKey: [SortKeyPart], _ context: ExecutionContext
    ) {
        zigZag = ZigZag(members, asProduction: context.asProduction)
        self.sortKey = sortKey
        self.context = context
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        defer { zigZag.count(in: &context.counters) }
        while try zigZag.next(&transaction) {
            if !zigZag.hasResidualFilter { return true }
            if try zigZag.isAllowed(transaction) { return true }
            budget -= 1
            if budget <= 0 { return false }
        }
        return false
    }

    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&transaction) {
            count += 1
            try zigZag.withEntry(of: 0, transaction) { (entries, rest, value) throws(EngineError) in
                try entries.emit(suffix: rest, value: value, into: &reader, transaction)
            }
        }
        return count
    }

    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try zigZag.withEntry(of: 0, transaction) { (reader, rest, value) throws(EngineError) in
            try reader.appendDocumentKey(to: &key, suffix: rest, value: value)
        }
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath {
        if let collection = zigZag.collection { return collection }
        return try zigZag.withEntry(of: 0, transaction) { (reader, rest, _) throws(EngineError) in
            try reader.path(rest).collection
        }
    }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try zigZag.withEntry(of: 0, transaction) { (reader, rest, _) throws(EngineError) in
            try reader.appendSortKey(sortKey, suffix: rest, to: &key)
        }
    }

    func number(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        for index in 0..<zigZag.memberCount {
            let found = try zigZag.withEntry(of: index, transaction) { (reader, rest, value) throws(EngineError) in
                try reader.number(at: path, suffix: rest, value: value)
            }
            if let found { return found }
        }
        return nil
    }

    func vector(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]? {
        preconditionFailure("an index of vectors is never joined")
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? { nil }
}
