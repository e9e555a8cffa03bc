// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What is known of a query that has been planned, for others that differ from it in values alone.
///
/// Fields, operators and orders decide whether a query is valid, what it implies and which indexes serve it. Only queries of the
/// commonest form have a shape: one conjunction of comparisons with plain values, no cursors, no vector search. Of their values
/// validity asks the size, which is checked each time.
final class KnownShape: Sendable {
    private let query: Query
    private let selection: IndexSelection
    private let builder: ScanBuilder
    /// The first query's scan, where it is all that is read and each of its entries is a row.
    private let scan: IndexScan?

    /// Nil for a query of another form, and for one whose values contradict each other: its scan is not known.
    init?(_ normalized: NormalizedQuery, _ selection: IndexSelection, _ disjuncts: [DisjunctPlan]) {
        guard let disjunct = disjuncts.first, normalized.aggregations.isEmpty,
            KnownShape.hasCommonForm(normalized.query),
            KnownShape.filters(of: normalized.query)?.allSatisfy({ KnownShape.isComparison($0) }) ?? false
        else { return nil }
        query = normalized.query
        self.selection = selection
        builder = ScanBuilder(normalized)
        if case .index(let scan) = disjunct.access, !disjunct.access.refusesEntries {
            self.scan = scan
        } else {
            scan = nil
        }
    }

    /// Whether a query differs in values alone, its limit and offset among them.
    func isShape(of other: Query) -> Bool {
        KnownShape.hasCommonForm(other) && other.from == query.from && other.orders == query.orders
            && other.parent == query.parent && KnownShape.isAlike(query.filter, other.filter)
    }

    /// The plan of a query of this shape.
    func plan(_ query: Query) throws(InvalidQueryError) -> QueryPlan {
        let disjunct = try disjunct(of: query)
        let normalized = NormalizedQuery(
            query: query, aggregations: [], scope: builder.query.scope, orders: builder.query.orders,
            disjuncts: disjunct.matchesNothing ? [] : [disjunct.conjunction], start: nil, end: nil,
            offset: query.offset, limit: query.limit, reversesRows: false)
        guard !disjunct.matchesNothing, query.limit != 0 else { return QueryPlan(query: normalized, disjuncts: []) }
        return QueryPlan(
            query: normalized, disjuncts: [Planner.plan(disjunct, selection, ScanBuilder(normalized))])
    }

    /// The scan whose entries are the rows of a query of this shape, its first ones, one for one; nil where a plan tells more.
    func scan(_ query: Query) throws(InvalidQueryError) -> IndexScan? {
        guard let scan, case .indexes(let candidates) = selection, query.offset == 0, query.limit != 0 else {
            return nil
        }
        let disjunct = try disjunct(of: query)
        return disjunct.matchesNothing ? nil : builder.scan(like: scan, candidates[0], disjunct)
    }

    private func disjunct(of query: Query) throws(InvalidQueryError) -> Disjunct {
        let filters = KnownShape.filters(of: query) ?? []
        try QueryValidator.checkCounts(query)
        for filter in filters { try QueryValidator.checkOperandSize(filter) }
        return Disjunct(filters, names: builder.names)
    }

    private static func hasCommonForm(_ query: Query) -> Bool {
        query.start == nil && query.end == nil && !query.limitToLast && query.projection == nil && query.nearest == nil
            && query.hint == nil
    }

    /// Nil for filters that are no conjunction.
    private static func filters(of query: Query) -> [Filter]? {
        switch query.filter {
        case nil: []
        case .and(let filters): filters
        case .field?: [query.filter!]
        case .unary, .or: nil
        }
    }

    private static func isComparison(_ filter: Filter) -> Bool {
        guard case .field(let path, let op, let operand) = filter, !path.isDocumentName else { return false }
        switch op {
        case .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .arrayContains: break
        case .notEqual, .in, .notIn, .arrayContainsAny: return false
        }
        return isPlain(operand)
    }

    private static func isAlike(_ own: Filter?, _ other: Filter?) -> Bool {
        switch (own, other) {
        case (nil, nil): true
        case (.field(let ownPath, let ownOperator, _), .field(let path, let op, let operand)):
            op == ownOperator && path == ownPath && isPlain(operand)
        case (.and(let own), .and(let others)):
            own.count == others.count && own.indices.allSatisfy { isAlike(own[$0], others[$0]) }
        default: false
        }
    }

    private static func isPlain(_ operand: Value) -> Bool {
        switch operand {
        case .boolean, .integer, .timestamp, .string, .bytes: true
        case .double(let number): !number.isNaN
        default: false
        }
    }
}
