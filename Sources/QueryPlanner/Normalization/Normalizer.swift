// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog

/// Writes out what a query implies: complete orders, the disjunctive normal form, cursors in the direction of execution.
package enum Normalizer {
    /// - Throws: what ``QueryValidator`` refuses.
    package static func normalize(
        _ query: Query, database: DatabaseID
    ) throws(InvalidQueryError) -> NormalizedQuery {
        try QueryValidator.validate(query, database: database)
        return normalForm(of: query, aggregations: []).query
    }

    /// - Throws: what ``QueryValidator`` refuses, and Q-59.
    package static func normalize(
        _ query: AggregationQuery, database: DatabaseID
    ) throws(InvalidQueryError) -> NormalizedQuery {
        try normalForm(of: query, database: database).query
    }

    static func normalForm(
        of query: AggregationQuery, database: DatabaseID
    ) throws(InvalidQueryError) -> NormalForm {
        try QueryValidator.validate(query, database: database)
        let form = normalForm(of: query.query, aggregations: named(query.aggregations))
        try checkOrderAfterName(form)
        return form
    }

    /// The query must be valid.
    static func normalForm(of query: Query, aggregations: [NormalizedAggregation]) -> NormalForm {
        let scope = scope(of: query)
        let names = NameSpace(scope: scope)
        let all = DisjunctiveForm.disjuncts(of: query.filter).map { Disjunct($0, names: names) }
        var conjunctions: [Conjunction] = []
        for disjunct in all where !disjunct.matchesNothing { conjunctions.append(disjunct.conjunction) }
        var start = query.start
        var end = query.end
        if query.limitToLast {
            start = query.end.map { Cursor($0.values, before: !$0.before) }
            end = query.start.map { Cursor($0.values, before: !$0.before) }
        }
        let normalized = NormalizedQuery(
            query: query, aggregations: aggregations, scope: scope,
            orders: orders(of: query, aggregations: aggregations),
            disjuncts: conjunctions, start: start, end: end, offset: query.offset, limit: query.limit,
            reversesRows: query.limitToLast)
        return NormalForm(query: normalized, disjuncts: all)
    }

    ///
    private static func scope(of query: Query) -> DocumentScope {
        guard let id = query.from.collectionID else {
            return query.from.allDescendants ? .descendants(of: query.parent) : .children(of: query.parent)
        }
        if query.from.allDescendants { return .collectionGroup(id, under: query.parent) }
        return .collection(CollectionPath((query.parent?.resource ?? .root).appending(id)))
    }

    /// Q-5; with aggregations Q-58: the aggregated fields stand before `__name__`.
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

    /// Appends those that are not ordered by yet.
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

    /// no index has a field behind the name.
    private static func checkOrderAfterName(_ form: NormalForm) throws(InvalidQueryError) {
        guard form.query.query.orders.contains(where: \.path.isDocumentName) else { return }
        let missing = Set(form.query.aggregations.compactMap(\.kind.path)).filter { path in
            !form.query.orders.contains { $0.path == path }
                && !form.disjuncts.allSatisfy { $0.equality(of: path) != nil }
        }
        guard missing.isEmpty else {
            let list = missing.sorted().map { "\($0)" }.joined(separator: ", ")
            throw InvalidQueryError(
                "This query requires an index with fields [\(list)] after __name__ and Firestore does not currently "
                    + "support such an index. Please try the query again with additional ordering on those fields.")
        }
    }
}

/// A normalised query with every disjunct, also those that match nothing: they count for admission.
struct NormalForm {
    let query: NormalizedQuery
    let disjuncts: [Disjunct]
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
