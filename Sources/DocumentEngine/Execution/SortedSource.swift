// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// The documents that another source names, each read, checked against the disjunct's filters and sorted: where that source
/// is short, and in permissive mode, where it may be every document.
///
/// Memory holds the documents that match, at most twice as many as offset and limit ask for.
final class SortedSource: RowSource {
    private struct Match {
        let sortKey: [UInt8]
        let documentKey: [UInt8]
        let document: Document
    }

    private let source: RowSource
    private let filters: [Filter]
    private let query: NormalizedQuery
    /// Fields that must be present though nothing orders by them.
    private let aggregated: [FieldPath]
    private var matches: [Match] = []
    private var current = -1

    init(_ source: RowSource, _ filters: [Filter], _ query: NormalizedQuery, _ environment: SourceEnvironment) {
        self.source = source
        self.filters = filters
        self.query = query
        aggregated = query.aggregations.compactMap(\.kind.path)
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if current < 0 { try collect(&cursors) }
        current += 1
        return current < matches.count
    }

    @_lifetime(cursors: copy cursors)
    private func collect(_ cursors: inout CursorSet) throws(EngineError) {
        let wanted = query.limit.map { $0 + query.offset } ?? Int.max
        while try source.next(&cursors) {
            let document = try environment.document(of: source, cursors)
            guard let sortKey = query.sortKey(of: document), isMatch(document),
                cursorRanges.contains(where: { $0.contains(sortKey) })
            else {
                environment.counters.documentsRejected += 1
                continue
            }
            var key: [UInt8] = []
            try source.appendDocumentKey(to: &key, cursors)
            matches.append(Match(sortKey: sortKey, documentKey: key, document: kept(document)))
            if matches.count / 2 > wanted { keepFirst(wanted) }
        }
        keepFirst(wanted)
    }

    /// As much of a document as the query needs.
    private func kept(_ document: Document) -> Document {
        guard !query.aggregations.isEmpty, query.query.nearest == nil else { return document }
        var kept = document
        kept.fields = document.fields.selecting(aggregated)
        return kept
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

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        key += matches[current].documentKey
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        matches[current].document.path
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        key += matches[current].sortKey
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        let value = matches[current].document.fields[path]
        return value?.typeClass == .number ? value : nil
    }

    override func vector(
        at path: FieldPath, dimension: Int, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [Double]? {
        guard case .vector(let vector)? = matches[current].document.fields[path], vector.count == dimension else {
            return nil
        }
        return vector
    }

    override func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord? {
        DocumentRecord(matches[current].document, database: environment.database)
    }

    override func document(_ cursors: borrowing CursorSet) throws(EngineError) -> Document? {
        matches[current].document
    }
}
