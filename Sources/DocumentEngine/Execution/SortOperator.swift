// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Reads the documents of another operator, checks them against the disjunct's filters, and sorts them. It runs short
/// alternative scans, and in permissive mode all documents of a scope.
///
/// Memory holds the matching documents, at most twice as many as offset and limit require.
final class SortOperator: RowOperator {
    let context: ExecutionContext
    private struct Match {
        let sortKey: [UInt8]
        let documentKey: [UInt8]
        let collection: CollectionPath
        /// Nil if only numbers are needed.
        let record: DocumentRecord?
        /// The numbers of the aggregated fields.
        let numbers: [Value?]
    }

    private let input: any RowOperator
    private let filters: [Filter]
    private let query: NormalizedQuery
    /// Fields that must be present although the query does not order by them.
    private let aggregated: [FieldPath]
    private var matches: [Match] = []
    private var current = -1

    init(_ input: any RowOperator, _ filters: [Filter], _ query: NormalizedQuery, _ context: ExecutionContext) {
        self.input = input
        self.context = context
        self.filters = filters
        self.query = query
        aggregated = query.aggregations.compactMap(\.kind.path)
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        if current < 0 { try collect(&transaction) }
        current += 1
        return current < matches.count
    }

    private func collect(_ transaction: inout Transaction) throws(EngineError) {
        let wanted = query.limit.map { $0 + query.offset + context.changedDocuments } ?? Int.max
        while try input.next(&transaction) {
            let record = try context.record(of: input, transaction)
            let document = try record.decoded()
            guard let sortKey = query.sortKey(of: document), isMatch(document),
                cursorRanges.contains(where: { $0.contains(sortKey.span.bytes) })
            else {
                context.counters.documentsRejected += 1
                continue
            }
            var key: [UInt8] = []
            try input.appendDocumentKey(to: &key, transaction)
            matches.append(match(document, record, sortKey: sortKey, key: key))
            if matches.count / 2 > wanted { keepFirst(wanted) }
        }
        keepFirst(wanted)
    }

    /// The parts of a document that the query needs.
    private func match(_ document: Document, _ record: DocumentRecord, sortKey: [UInt8], key: [UInt8]) -> Match {
        let isAggregated = !query.aggregations.isEmpty && query.query.nearest == nil
        return Match(
            sortKey: sortKey, documentKey: key, collection: document.path.collection,
            record: isAggregated ? nil : record,
            numbers: aggregated.map { path in
                document.fields[path].flatMap { $0.typeClass == .number ? $0 : nil }
            })
    }

    private func keepFirst(_ count: Int) {
        matches.sort { compareBytes($0.sortKey, $1.sortKey) < 0 }
        if matches.count > count { matches.removeSubrange(count...) }
    }

    private func isMatch(_ document: Document) -> Bool {
        aggregated.allSatisfy { document.fields[$0] != nil }
            && FilterEvaluator.matches(filters, fields: document.fields, path: document.path)
    }

    private lazy var cursorRanges = Planner.cursorRanges(of: query)

    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        key += matches[current].documentKey
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath {
        matches[current].collection
    }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        key += matches[current].sortKey
    }

    func number(at path: FieldPath, _ transaction: borrowing Transaction) throws(EngineError) -> Value? {
        aggregated.firstIndex(of: path).flatMap { matches[current].numbers[$0] }
    }

    func vector(
        at path: FieldPath, dimension: Int, _ transaction: borrowing Transaction
    ) throws(EngineError) -> [Double]? {
        try vectorInRecord(at: path, dimension: dimension, transaction)
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? { matches[current].record }
}
