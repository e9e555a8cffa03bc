// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// Decides which generated queries are valid, by rules, as far as the generators can break them.
package enum QueryRules {
    static func allow(_ query: AggregationQuery) -> Bool {
        guard allow(query.query) else { return false }
        // nothing can be summed after __name__.
        let endsInName = query.query.orders.last?.path.isDocumentName ?? false
        let orders = query.query.orders.map(\.path)
        let aggregated = query.aggregations.compactMap(\.kind.path)
        // aggregated fields join the order, which a kindless query may not have.
        guard query.query.from.collectionID != nil || aggregated.isEmpty else { return false }
        return !endsInName || aggregated.allSatisfy(orders.contains)
    }

    static func allow(_ query: Query) -> Bool {
        let leaves = query.filter.map(leaves) ?? []
        let inequalities = Set(leaves.filter(\.isInequality).map(\.path))
        return ordersAreAllowed(query.orders, inequalities) && namesAreAllowed(leaves, inequalities)
            && negationsAreAllowed(query.filter, leaves)
            && (query.filter.map { disjuncts($0) }?.allSatisfy { $0.filter(\.isMembership).count <= 1 } ?? true)
            && (query.filter.map { disjunctCount($0) } ?? 1) <= 30
    }

    /// including the implied orders.
    private static func ordersAreAllowed(_ orders: [Order], _ inequalities: Set<FieldPath>) -> Bool {
        let paths = orders.map(\.path)
        guard Set(paths).count == paths.count else { return false }
        guard let name = paths.firstIndex(of: .documentName) else { return true }
        return name == paths.count - 1 && inequalities.subtracting([.documentName]).isSubset(of: paths)
    }

    ///
    private static func namesAreAllowed(_ leaves: [Leaf], _ inequalities: Set<FieldPath>) -> Bool {
        let hasEquality = leaves.contains { $0.path.isDocumentName && !$0.isInequality }
        return !hasEquality || inequalities.isEmpty || inequalities.contains(.documentName)
    }

    ///
    private static func negationsAreAllowed(_ filter: Filter?, _ leaves: [Leaf]) -> Bool {
        guard leaves.filter(\.isNegation).count <= 1 else { return false }
        guard leaves.contains(where: { $0.fieldOperator == .notIn }) else { return true }
        return !(filter.map(containsOr) ?? false)
            && !leaves.contains { $0.fieldOperator == .in || $0.fieldOperator == .arrayContainsAny }
    }

    private static func containsOr(_ filter: Filter) -> Bool {
        switch filter {
        case .or: true
        case .and(let parts): parts.contains(where: containsOr)
        case .field, .unary: false
        }
    }

    /// One comparison of a filter.
    package struct Leaf {
        package let path: FieldPath
        package var fieldOperator: FieldOperator?
        package var operand = Value.null
        var unaryOperator: UnaryOperator?

        var isNegation: Bool {
            fieldOperator == .notEqual || fieldOperator == .notIn || unaryOperator == .isNotNull
                || unaryOperator == .isNotNaN
        }
        package var isMembership: Bool { fieldOperator == .arrayContains || fieldOperator == .arrayContainsAny }
        var isInequality: Bool {
            let ranges: [FieldOperator] = [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
            return isNegation || fieldOperator.map(ranges.contains) ?? false
        }
    }

    /// The fields with an inequality anywhere in the filter, with repetitions.
    package static func inequalityFields(_ filter: Filter) -> [FieldPath] {
        leaves(filter).filter(\.isInequality).map(\.path)
    }

    package static func leaves(_ filter: Filter) -> [Leaf] {
        switch filter {
        case .and(let parts), .or(let parts): parts.flatMap(leaves)
        case .field(let path, let fieldOperator, let operand):
            [Leaf(path: path, fieldOperator: fieldOperator, operand: operand)]
        case .unary(let path, let unaryOperator): [Leaf(path: path, unaryOperator: unaryOperator)]
        }
    }

    /// The conjunctions of a filter. Lists are not expanded.
    static func disjuncts(_ filter: Filter) -> [[Leaf]] {
        switch filter {
        case .or(let parts): parts.flatMap(disjuncts)
        case .and(let parts):
            parts.reduce([[]]) { combined, part in
                combined.flatMap { left in disjuncts(part).map { left + $0 } }
            }
        case .field, .unary: [leaves(filter)]
        }
    }

    ///
    package static func disjunctCount(_ filter: Filter) -> Int {
        switch filter {
        case .or(let parts): parts.map(disjunctCount).reduce(0, +)
        case .and(let parts): parts.map(disjunctCount).reduce(1, *)
        case .field(_, .in, .array(let values)), .field(_, .arrayContainsAny, .array(let values)): values.count
        case .field, .unary: 1
        }
    }
}
