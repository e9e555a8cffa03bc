// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What is known of a query that has been planned, for others that differ from it in values alone.
///
/// Fields, operators and orders decide whether a query is valid, what it implies and which indexes serve it. Only queries of the
/// commonest form have a shape: one conjunction of comparisons with plain values, no cursors, no vector search. Of their values
/// validity asks the size, which is checked each time.
final class KnownShape: Sendable {
    private let query: Query
    /// Those of the query, a conjunction.
    private let filters: [Filter]
    private let scope: DocumentScope
    private let orders: [Order]
    private let selection: IndexSelection

    /// Nil for a query of another form.
    init?(_ normalized: NormalizedQuery, _ selection: IndexSelection) {
        guard normalized.aggregations.isEmpty, KnownShape.hasCommonForm(normalized.query),
            let filters = KnownShape.filters(of: normalized.query),
            filters.allSatisfy({ KnownShape.isComparison($0) })
        else { return nil }
        query = normalized.query
        self.filters = filters
        scope = normalized.scope
        orders = normalized.orders
        self.selection = selection
    }

    /// Whether a query differs in values alone, its limit and offset among them.
    func isShape(of other: Query) -> Bool {
        guard KnownShape.hasCommonForm(other), other.from == query.from, other.orders == query.orders,
            other.parent == query.parent, let others = KnownShape.filters(of: other), others.count == filters.count
        else { return false }
        for index in filters.indices where !KnownShape.isAlike(filters[index], others[index]) { return false }
        return true
    }

    /// The plan of a query of this shape.
    func plan(_ query: Query) throws(InvalidQueryError) -> QueryPlan {
        let filters = KnownShape.filters(of: query) ?? []
        try QueryValidator.checkCounts(query)
        for filter in filters { try QueryValidator.checkOperandSize(filter) }
        let disjunct = Disjunct(filters, names: NameSpace(scope: scope))
        let normalized = NormalizedQuery(
            query: query, aggregations: [], scope: scope, orders: orders,
            disjuncts: disjunct.matchesNothing ? [] : [disjunct.conjunction], start: nil, end: nil,
            offset: query.offset, limit: query.limit, reversesRows: false)
        guard !disjunct.matchesNothing, query.limit != 0 else { return QueryPlan(query: normalized, disjuncts: []) }
        return QueryPlan(
            query: normalized, disjuncts: [Planner.plan(disjunct, selection, ScanBuilder(normalized))])
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

    private static func isAlike(_ own: Filter, _ other: Filter) -> Bool {
        guard case .field(let ownPath, let ownOperator, _) = own, case .field(let path, let op, let operand) = other
        else { return false }
        return op == ownOperator && path == ownPath && isPlain(operand)
    }

    private static func isPlain(_ operand: Value) -> Bool {
        switch operand {
        case .boolean, .integer, .timestamp, .string, .bytes: true
        case .double(let number): !number.isNaN
        default: false
        }
    }
}
