// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
package import QueryPlanner

/// A row of a query's result.
package struct NaiveRow: Sendable {
    package let path: DocumentPath
    /// After projection. The distance of a vector search is in the field that it names.
    package let fields: Fields
}

/// Why a valid query fails whatever the indexes.
package enum NaiveFailure: Error {
    /// A cosine distance to a zero vector, which is the query's or a candidate's.
    case cosineOfZeroVector
}

/// Answers queries over documents in memory without an index, directly from the rules: the oracle for the engine.
///
/// It evaluates valid queries and checks nothing: errors are the validator's task, and the answer to an invalid query
/// is meaningless. It shares no code with the planner or the engine, only the data types.
package struct NaiveEvaluator {
    private let documents: [NaiveDocument]

    package init(_ documents: [DocumentPath: Fields]) {
        self.documents = documents.map { NaiveDocument(path: $0.key, fields: $0.value) }
    }

    /// The rows of a document query in order.
    package func rows(of query: Query) throws(NaiveFailure) -> [NaiveRow] {
        try documents(of: query, aggregated: []).map { document in
            NaiveRow(path: document.path, fields: NaiveProjection.apply(query.projection, to: document.fields))
        }
    }

    /// The results of an aggregation query, in the order of its aggregations.
    package func aggregates(of query: AggregationQuery) throws(NaiveFailure) -> [NaiveAggregate] {
        let aggregated = query.aggregations.compactMap(\.kind.path)
        let rows = try documents(of: query.query, aggregated: aggregated)
        return NaiveAggregate.results(of: query.aggregations, over: rows)
    }

    /// The documents that a query finds, in order, unprojected. Aggregated fields join the order and must exist
    ///
    private func documents(of query: Query, aggregated: [FieldPath]) throws(NaiveFailure) -> [NaiveDocument] {
        let orders = NaiveEvaluator.orders(of: query, aggregated: aggregated)
        let matching =
            documents
            .filter { NaiveEvaluator.isInScope($0.path, query) }
            .filter { document in query.filter.map { NaiveFilter.matches($0, document) } ?? true }
            .filter { document in orders.allSatisfy { document.exists($0.path) } }
            .sorted { NaiveEvaluator.compare($0, $1, orders) < 0 }
            .filter { NaiveEvaluator.isAfter($0, query.start, orders) }
            .filter { !NaiveEvaluator.isAfterEnd($0, query.end, orders) }
        if let nearest = query.nearest { return try NaiveNearest.rank(matching, nearest) }
        if query.limitToLast {
            // The last rows of this order are the first ones of the reversed order, including the offset.
            return matching.dropLast(query.offset).suffix(query.limit ?? Int.max)
        }
        return Array(matching.dropFirst(query.offset).prefix(query.limit ?? Int.max))
    }

    ///
    private static func isInScope(_ path: DocumentPath, _ query: Query) -> Bool {
        let segments = path.resource.segments
        let parent = query.parent?.resource.segments ?? []
        guard segments.count >= parent.count + 2 else { return false }
        guard zip(segments, parent).allSatisfy({ NaiveOrder.compare($0, $1) == 0 }) else { return false }
        guard query.from.allDescendants || segments.count == parent.count + 2 else { return false }
        guard let id = query.from.collectionID else { return true }
        return NaiveOrder.compare(segments[segments.count - 2], id) == 0
    }

    /// Q-5; with aggregated fields Q-58.
    private static func orders(of query: Query, aggregated: [FieldPath]) -> [Order] {
        var orders = query.orders
        let direction = orders.last?.direction ?? .ascending
        func append(_ paths: [FieldPath]) {
            for path in paths.sorted(by: { NaiveOrder.compare($0, $1) < 0 })
            where !orders.contains(where: { NaiveOrder.compare($0.path, path) == 0 }) {
                orders.append(Order(path, direction))
            }
        }
        append((query.filter.map { QueryRules.inequalityFields($0) } ?? []).filter { !isDocumentName($0) })
        append(aggregated)
        append([.documentName])
        return orders
    }

    private static func compare(_ lhs: NaiveDocument, _ rhs: NaiveDocument, _ orders: [Order]) -> Int {
        for order in orders {
            let result: Int
            if isDocumentName(order.path) {
                result = NaiveOrder.compare(lhs.path.resource, rhs.path.resource)
            } else if let left = lhs.value(at: order.path), let right = rhs.value(at: order.path) {
                result = NaiveOrder.compare(left, right)
            } else {
                preconditionFailure("documents that lack an order field were left out")
            }
            if result != 0 { return order.direction == .ascending ? result : -result }
        }
        return 0
    }

    /// The position of a document relative to a cursor's values, which may be fewer than the orders.
    /// Relative to no values, every document is at the cursor: startAfter() and endBefore() without values leave
    /// nothing, as recorded in 2020 (emptyCursors).
    private static func position(_ document: NaiveDocument, _ cursor: Cursor, _ orders: [Order]) -> Int {
        for (order, bound) in zip(orders, cursor.values) {
            let result: Int
            if isDocumentName(order.path) {
                guard case .reference(let reference) = bound else { continue }
                result = NaiveOrder.compare(document.path.resource, reference.path)
            } else if let value = document.value(at: order.path) {
                result = NaiveOrder.compare(value, bound)
            } else {
                preconditionFailure("documents that lack an order field were left out")
            }
            if result != 0 { return order.direction == .ascending ? result : -result }
        }
        return 0
    }

    private static func isAfter(_ document: NaiveDocument, _ start: Cursor?, _ orders: [Order]) -> Bool {
        guard let start else { return true }
        let place = position(document, start, orders)
        return start.before ? place >= 0 : place > 0
    }

    private static func isAfterEnd(_ document: NaiveDocument, _ end: Cursor?, _ orders: [Order]) -> Bool {
        guard let end else { return false }
        let place = position(document, end, orders)
        return end.before ? place >= 0 : place > 0
    }
}

/// A document as the naive evaluator sees it.
struct NaiveDocument {
    let path: DocumentPath
    var fields: Fields

    /// I-3: paths lead through maps only.
    func value(at path: FieldPath) -> Value? {
        var fields = fields.storage
        for (index, name) in path.segments.enumerated() {
            guard let field = fields.first(where: { NaiveOrder.compare($0.name, name) == 0 }) else { return nil }
            if index == path.segments.count - 1 { return field.value }
            guard case .map(let inner) = field.value else { return nil }
            fields = inner.storage
        }
        return nil
    }

    func exists(_ path: FieldPath) -> Bool { isDocumentName(path) || value(at: path) != nil }
}
