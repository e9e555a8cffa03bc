// SPDX-License-Identifier: Apache-2.0

/// What queries that share a ``PreparedQuery`` have in common: fields, operators, orders, the selected collections,
/// the index hint and the aggregations.
///
/// Admission depends on nothing else. The rest are values: operands and the lengths of lists, cursors, offset and
/// limit, the query vector, and the parent document.
struct PlanKey: Hashable {
    private let query: Query
    /// Nil for a document query.
    private let aggregations: [Aggregation]?
    /// Whether there is a hint, a projection, a vector search or an aggregation.
    private let hasExtras: Bool

    init(_ query: Query, _ aggregations: [Aggregation]?) {
        self.query = query
        self.aggregations = aggregations
        hasExtras = PlanKey.hasExtras(query, aggregations)
    }

    static func == (lhs: PlanKey, rhs: PlanKey) -> Bool { lhs.isKey(of: rhs.query, rhs.aggregations) }

    func isKey(of other: Query, _ aggregations: [Aggregation]?) -> Bool {
        query.limitToLast == other.limitToLast && (query.parent == nil) == (other.parent == nil)
            && hasExtras == PlanKey.hasExtras(other, aggregations)
            && query.from == other.from && query.orders == other.orders && PlanKey.isAlike(query.filter, other.filter)
            && (!hasExtras || hasSameExtras(other, aggregations))
    }

    private static func hasExtras(_ query: Query, _ aggregations: [Aggregation]?) -> Bool {
        query.projection != nil || query.nearest != nil || query.hint != nil || aggregations != nil
    }

    private func hasSameExtras(_ other: Query, _ aggregations: [Aggregation]?) -> Bool {
        query.projection == other.projection && query.hint == other.hint
            && PlanKey.isAlike(query.nearest, other.nearest) && self.aggregations == aggregations
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(query.from)
        hasher.combine(query.orders)
        hasher.combine(aggregations?.count)
        if let filter = query.filter { PlanKey.hash(filter, depth: 0, into: &hasher) }
    }

    /// How deep a filter is hashed. A query is looked up before it is validated, so its depth has no bound yet.
    private static let hashedDepth = 4

    private static func hash(_ filter: Filter, depth: Int, into hasher: inout Hasher) {
        switch filter {
        case .field(let path, let op, _):
            hasher.combine(path)
            hasher.combine(op)
        case .unary(let path, let op):
            hasher.combine(path)
            hasher.combine(op)
        case .and(let filters), .or(let filters):
            hasher.combine(filters.count)
            guard depth < hashedDepth else { return }
            for filter in filters { hash(filter, depth: depth + 1, into: &hasher) }
        }
    }

    private static func isAlike(_ own: Filter?, _ other: Filter?) -> Bool {
        switch (own, other) {
        case (nil, nil): true
        case (.field(let ownPath, let ownOperator, _), .field(let path, let op, _)):
            op == ownOperator && path == ownPath
        case (.unary(let ownPath, let ownOperator), .unary(let path, let op)): op == ownOperator && path == ownPath
        case (.and(let own), .and(let others)), (.or(let own), .or(let others)):
            own.count == others.count && own.indices.allSatisfy { isAlike(own[$0], others[$0]) }
        default: false
        }
    }

    private static func isAlike(_ own: FindNearest?, _ other: FindNearest?) -> Bool {
        switch (own, other) {
        case (nil, nil): true
        case (let own?, let other?): own.path == other.path && own.vector.count == other.vector.count
        default: false
        }
    }
}
