// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
package import QueryPlanner

/// Random queries over given documents, from the whole grammar: filters with AND and OR, orders, cursors, offsets,
/// limits, projections, collection groups, kindless queries, aggregations and vector searches.
///
/// They follow production's rules, so that most of them are answered. A few of those that
/// ``anyQuery(_:)`` creates break a rule.
package struct QueryGenerator: Sendable {
    private let paths: [DocumentPath]
    private let documents: [Fields]
    private let values: ValueGenerator
    private let fieldPaths: [FieldPath]

    package init(
        _ documents: [DocumentPath: Fields], values: ValueGenerator = ValueGenerator(),
        fieldPaths: [FieldPath] = DocumentGenerator.paths
    ) {
        // Sorted, because a dictionary's order differs from run to run and the seed must repeat the query.
        let sorted = documents.sorted { NaiveOrder.compare($0.key.resource, $1.key.resource) < 0 }
        self.paths = sorted.map(\.key)
        self.documents = sorted.map(\.value)
        self.values = values
        self.fieldPaths = fieldPaths
    }

    /// A valid document query.
    package func query(_ random: inout SeededGenerator) -> Query {
        while true {
            let query = candidate(&random)
            if QueryRules.allow(query) { return query }
        }
    }

    /// A document query that may break a rule.
    package func anyQuery(_ random: inout SeededGenerator) -> Query {
        guard random.chance(0.2) else { return query(&random) }
        var query = candidate(&random)
        if random.chance(0.2) { query.orders += query.orders }
        if random.chance(0.2) { query.offset = -1 }
        if random.chance(0.1) { query.limit = -1 }
        if random.chance(0.2) { query.filter = .or([]) }
        if random.chance(0.2) { query.start = Cursor([.null, .null, .null, .null], before: true) }
        return query
    }

    /// A valid aggregation query.
    package func aggregationQuery(_ random: inout SeededGenerator) -> AggregationQuery {
        while true {
            var query = candidate(&random)
            query.projection = nil
            let aggregations = (0..<random.int(1..<4)).map { _ in aggregation(&random) }
            let result = AggregationQuery(query, aggregations)
            if QueryRules.allow(result) { return result }
        }
    }

    /// A valid vector search, with or without filters.
    package func nearestQuery(_ random: inout SeededGenerator) -> Query {
        let dimension = random.int(2..<4)
        let search = FindNearest(
            path: "emb", vector: (0..<dimension).map { _ in Double(random.int(-2..<3)) },
            measure: random.pick([.euclidean, .cosine, .dotProduct]), limit: random.int(1..<12),
            distanceField: random.chance(0.5) ? random.pick(["distance", "a"]) : nil,
            threshold: random.chance(0.3) ? Double(random.int(0..<4)) : nil)
        while true {
            var query = Query(from: CollectionSelector(collectionID: "c"), nearest: search)
            if random.chance(0.5) { query.filter = filter(&random, depth: 1) }
            if QueryRules.allow(query) { return query }
        }
    }

    /// A valid query of a few equalities that one document satisfies, with or without orders: what joins answer.
    package func equalityQuery(_ random: inout SeededGenerator) -> Query {
        while true {
            var query = Query(from: CollectionSelector(collectionID: "c", allDescendants: random.chance(0.2)))
            let witness = documents.isEmpty ? nil : random.pick(documents)
            let fields = fieldPaths.filter { witness?[$0] != nil }.shuffled(using: &random)
            let filters = fields.prefix(random.int(2..<5)).map { path -> Filter in
                if path == "tags", random.chance(0.5) {
                    return .field(path, .arrayContains, element(path, witness, &random))
                }
                let operand = operand(path, witness, &random)
                return random.chance(0.15) ? .field(path, .in, [operand, 1]) : .field(path, .equal, operand)
            }
            query.filter = .and(filters)
            if random.chance(0.5) { query.orders = orders(&random) }
            // An order that the equality makes redundant, but whose cursor value still counts.
            if random.chance(0.4), let path = fields.first {
                let order = Order(path, random.chance(0.5) ? .ascending : .descending)
                query.orders = [order] + query.orders.filter { $0.path != path }
            }
            if random.chance(0.4) { query.start = cursor(query.orders, &random) }
            if random.chance(0.3) { query.limit = random.int(1..<12) }
            if QueryRules.allow(query) { return query }
        }
    }

    private func candidate(_ random: inout SeededGenerator) -> Query {
        var query = Query(from: selector(&random))
        if random.chance(0.12) { query.parent = random.pick(["c/a1", "d/b2", "c/a1/c/x", "c/__id7__"]) }
        if query.from.collectionID != nil {
            if random.chance(0.75) { query.filter = filter(&random, depth: 2) }
            query.orders = orders(&random)
        }
        if random.chance(0.2) { query.start = cursor(query.orders, &random) }
        if random.chance(0.2) { query.end = cursor(query.orders, &random) }
        if random.chance(0.15) { query.offset = random.int(0..<4) }
        if random.chance(0.4) { query.limit = random.chance(0.05) ? 0 : random.int(1..<12) }
        query.limitToLast = query.limit != nil && !query.orders.isEmpty && random.chance(0.25)
        if random.chance(0.15) {
            query.projection = (0..<random.int(0..<3)).map { _ in random.pick(fieldPaths + [.documentName]) }
        }
        return query
    }

    private func filter(_ random: inout SeededGenerator, depth: Int) -> Filter {
        let witness = documents.isEmpty ? nil : random.pick(documents)
        return FilterGenerator(queries: self, witness: witness).filter(&random, depth: depth)
    }

    private func selector(_ random: inout SeededGenerator) -> CollectionSelector {
        let id: Text? = random.chance(0.05) ? nil : random.pick(["c", "c", "c", "d"])
        return CollectionSelector(collectionID: id, allDescendants: random.chance(0.3))
    }

    private func orders(_ random: inout SeededGenerator) -> [Order] {
        var orders = (0..<random.pick([0, 0, 1, 1, 1, 2, 3])).map { _ in
            Order(fieldPath(&random), random.chance(0.6) ? .ascending : .descending)
        }
        if random.chance(0.12) { orders.append(Order(.documentName, random.chance(0.6) ? .ascending : .descending)) }
        return orders
    }

    private func cursor(_ orders: [Order], _ random: inout SeededGenerator) -> Cursor {
        // A cursor without values is before or after everything.
        let count = orders.isEmpty || random.chance(0.05) ? 0 : random.int(1..<orders.count + 1)
        let index = documents.isEmpty ? nil : random.int(0..<documents.count)
        let bounds = orders.prefix(count).map { order -> Value in
            if order.path.isDocumentName { return nameOperand(&random) }
            // The values of one document start a page at that document.
            if random.chance(0.8), let index, let value = documents[index][order.path] { return value }
            return operand(order.path, nil, &random)
        }
        return Cursor(bounds, before: random.chance(0.5))
    }

    private func aggregation(_ random: inout SeededGenerator) -> Aggregation {
        let path = random.pick(fieldPaths)
        let kind: Aggregation.Kind =
            switch random.int(0..<4) {
            case 0: .sum(path)
            case 1: .average(path)
            case 2: .count(upTo: Int64(random.int(0..<10)))
            default: .count(upTo: nil)
            }
        return Aggregation(alias: nil, kind)
    }

    /// A field to filter or order by. The first of the paths, which most documents have, are more frequent than the
    /// last.
    func fieldPath(_ random: inout SeededGenerator) -> FieldPath {
        let index = min(random.int(0..<fieldPaths.count), random.int(0..<fieldPaths.count))
        return fieldPaths[index]
    }

    /// A value to compare a field with: usually one that a document has there, preferably the witness, a document that
    /// the whole filter should find.
    func operand(_ path: FieldPath, _ witness: Fields?, _ random: inout SeededGenerator) -> Value {
        if random.chance(0.8), let stored = stored(path, witness, &random) { return stored }
        return values.value(&random, depth: 1)
    }

    /// An element of an array that a document has there, or any value except an array.
    func element(_ path: FieldPath, _ witness: Fields?, _ random: inout SeededGenerator) -> Value {
        if case .array(let elements)? = stored(path, witness, &random), !elements.isEmpty, random.chance(0.85) {
            return random.pick(elements)
        }
        return values.value(&random, depth: 0)
    }

    /// A reference to a document, mostly an existing one.
    func nameOperand(_ random: inout SeededGenerator) -> Value {
        let generator = DocumentGenerator(values: values)
        let path = paths.isEmpty || random.chance(0.3) ? generator.path(&random) : random.pick(paths)
        return .reference(Reference(database: values.database, path: path.resource))
    }

    private func stored(_ path: FieldPath, _ witness: Fields?, _ random: inout SeededGenerator) -> Value? {
        if random.chance(0.7), let value = witness?[path] { return value }
        guard !documents.isEmpty else { return nil }
        for _ in 0..<4 {
            if let value = random.pick(documents)[path] { return value }
        }
        return nil
    }
}
