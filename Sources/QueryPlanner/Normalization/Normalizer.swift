// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog

/// Adds what a query implies: the complete order and the disjunctive normal form.
package enum Normalizer {
    /// - Throws: the errors of ``QueryValidator``.
    package static func normalize(
        _ query: Query, database: DatabaseID
    ) throws(InvalidQueryError) -> NormalizedQuery {
        try normalize(query, nil, database)
    }

    /// - Throws: the errors of ``QueryValidator``, and Q-59.
    package static func normalize(
        _ query: AggregationQuery, database: DatabaseID
    ) throws(InvalidQueryError) -> NormalizedQuery {
        try normalize(query.query, query.aggregations, database)
    }

    private static func normalize(
        _ query: Query, _ aggregations: [Aggregation]?, _ database: DatabaseID
    ) throws(InvalidQueryError) -> NormalizedQuery {
        _ = try QueryValidator.validate(query, aggregations, database: database)
        let outline = try outline(of: query, aggregations)
        let names = NameSpace(scope: outline.scope)
        return NormalizedQuery(query, outline, names, DisjunctiveForm.disjuncts(of: query.filter, names: names))
    }

    /// The query must be valid.
    ///
    /// - Throws: Q-59.
    static func outline(
        of query: Query, _ aggregations: [Aggregation]?
    ) throws(InvalidQueryError) -> QueryOutline {
        let named = named(aggregations ?? [])
        let scope = scope(of: query)
        let outline = QueryOutline(
            scope: scope, orders: orders(of: query, aggregations: named), aggregations: named,
            branches: DisjunctiveForm.branches(of: query.filter, names: NameSpace(scope: scope)))
        if !named.isEmpty { try checkOrderAfterName(query, outline) }
        return outline
    }

    ///
    static func scope(of query: Query) -> DocumentScope {
        guard let id = query.from.collectionID else {
            return query.from.allDescendants ? .descendants(of: query.parent) : .children(of: query.parent)
        }
        if query.from.allDescendants { return .collectionGroup(id, under: query.parent) }
        return .collection(CollectionPath((query.parent?.resource ?? .root).appending(id)))
    }

    /// With aggregations Q-58: aggregated fields come before `__name__`.
    static func orders(of query: Query, aggregations: [NormalizedAggregation]) -> [Order] {
        var orders = query.orders
        if query.limitToLast { orders = orders.map { Order($0.path, $0.direction.reversed) } }
        let direction = orders.last?.direction ?? .ascending
        if let last = orders.last, last.path.isDocumentName { return orders }
        var implied: [FieldPath] = []
        query.filter?.forEachLeaf { leaf in if leaf.isInequality { implied.append(leaf.path!) } }
        appendSorted(implied, direction, to: &orders)
        if !aggregations.isEmpty { appendSorted(aggregations.compactMap(\.kind.path), direction, to: &orders) }
        orders.append(Order(.documentName, direction))
        return orders
    }

    /// Appends the paths that are not ordered yet.
    private static func appendSorted(_ paths: [FieldPath], _ direction: Direction, to orders: inout [Order]) {
        for path in paths.count > 1 ? paths.sorted() : paths {
            guard !path.isDocumentName, !orders.contains(where: { $0.path == path }) else { continue }
            orders.append(Order(path, direction))
        }
    }

    /// The default alias counts unnamed aggregations only.
    static func named(_ aggregations: [Aggregation]) -> [NormalizedAggregation] {
        var unnamed = 0
        return aggregations.map { aggregation in
            if let alias = aggregation.alias, alias.utf8Count > 0 {
                return NormalizedAggregation(alias: alias, kind: aggregation.kind)
            }
            unnamed += 1
            return NormalizedAggregation(alias: Text("field_\(unnamed)"), kind: aggregation.kind)
        }
    }

    /// an index cannot have a field after the name.
    private static func checkOrderAfterName(
        _ query: Query, _ outline: QueryOutline
    ) throws(InvalidQueryError) {
        guard query.orders.contains(where: \.path.isDocumentName) else { return }
        let missing = Set(outline.aggregations.compactMap(\.kind.path)).filter { path in
            !outline.orders.contains { $0.path == path }
                && !outline.branches.allSatisfy { $0.equality(of: path) != nil }
        }
        guard missing.isEmpty else {
            let list = missing.sorted().map { "\($0)" }.joined(separator: ", ")
            throw InvalidQueryError(
                "This query requires an index with fields [\(list)] after __name__ and Firestore does not currently "
                    + "support such an index. Please try the query again with additional ordering on those fields.")
        }
    }
}

/// What fields, operators and orders of a query imply, independent of its values.
struct QueryOutline {
    /// The scope under this query's parent.
    let scope: DocumentScope
    let orders: [Order]
    let aggregations: [NormalizedAggregation]
    /// One disjunct for each branch. Branches that match nothing are included, because they count for admission.
    let branches: [Disjunct]
}

extension Aggregation.Kind {
    /// The aggregated field; nil for a count.
    package var path: FieldPath? {
        switch self {
        case .count: nil
        case .sum(let path), .average(let path): path
        }
    }
}
