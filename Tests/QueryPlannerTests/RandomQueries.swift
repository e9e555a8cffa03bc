// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport

/// Random documents, queries and indexes over few names and few values, so that they meet.
struct RandomQueries {
    var generator: SeededGenerator
    static let database = DatabaseID(project: "hearth")
    static let fields: [FieldPath] = [
        FieldPath(name: "a"), FieldPath(name: "b"), FieldPath(name: "c"), FieldPath(["m", "x"]), FieldPath(name: "t"),
    ]
    private static let ids: [Text] = ["1", "2", "a", "b", "é", "__id3__", "__id-4__"]

    init(_ generator: SeededGenerator) {
        self.generator = generator
    }

    // MARK: - Documents

    mutating func documents() -> [DocumentPath: Fields] {
        var result: [DocumentPath: Fields] = [:]
        for _ in 0..<generator.int(0..<40) { result[documentPath()] = fields() }
        return result
    }

    mutating func documentPath() -> DocumentPath {
        var segments: [Text] = ["k", generator.pick(RandomQueries.ids)]
        while generator.chance(0.3) {
            segments += [generator.pick(["k", "z"]), generator.pick(RandomQueries.ids)]
        }
        return DocumentPath(ResourcePath(segments: segments))
    }

    private mutating func fields() -> Fields {
        var fields = Fields.empty
        for name in ["a", "b", "c"] as [Text] where generator.chance(0.8) { fields[name] = value() }
        if generator.chance(0.7) {
            fields["t"] = .array((0..<generator.int(0..<4)).map { _ in value(depth: 0) })
        }
        if generator.chance(0.7) {
            var inner = Fields.empty
            if generator.chance(0.8) { inner["x"] = value() }
            fields["m"] = .map(inner)
        }
        return fields
    }

    mutating func value(depth: Int = 1) -> Value {
        switch generator.int(0..<14) {
        case 0: return .null
        case 1: return .boolean(generator.chance(0.5))
        case 2, 3, 4: return .integer(Int64(generator.int(-1..<4)))
        case 5: return .double(generator.pick([0, 1, 2, 1.5, -0.0, .infinity, -.infinity, .nan]))
        case 6: return .timestamp(Timestamp(microseconds: Int64(generator.int(0..<3)))!)
        case 7, 8: return .string(generator.pick(["", "a", "ab", "b", "\u{0}", "a\u{0}", "é"]))
        case 9: return .bytes(generator.pick([[], [0], [1], [0, 255]]))
        case 10: return .reference(Reference(database: RandomQueries.database, path: documentPath().resource))
        case 11: return .vector(generator.pick([[1], [1, 2], [0]]))
        case 12 where depth > 0: return .array((0..<generator.int(0..<3)).map { _ in value(depth: 0) })
        case 13 where depth > 0:
            var inner = Fields.empty
            if generator.chance(0.5) { inner["x"] = value(depth: 0) }
            return .map(inner)
        default: return .integer(1)
        }
    }

    // MARK: - Queries

    /// Often invalid: the caller asks the validator.
    mutating func query() -> Query {
        var query = Query(from: CollectionSelector(collectionID: "k", allDescendants: generator.chance(0.25)))
        if generator.chance(0.1) {
            query.parent = DocumentPath(ResourcePath(segments: ["k", generator.pick(RandomQueries.ids)]))
        }
        let isKindless = generator.chance(0.05)
        if isKindless { query.from.collectionID = nil }
        if generator.chance(0.8) { query.filter = filter(depth: 2, names: isKindless) }
        for path in RandomQueries.fields.shuffled(using: &generator).prefix(generator.int(0..<3)) where !isKindless {
            query.orders.append(Order(path, direction()))
        }
        if generator.chance(0.2) { query.orders.append(Order(.documentName, isKindless ? .ascending : direction())) }
        if generator.chance(0.3) { query.start = cursor(query.orders) }
        if generator.chance(0.3) { query.end = cursor(query.orders) }
        if generator.chance(0.2) { query.offset = generator.int(0..<4) }
        if generator.chance(0.3) { query.limit = generator.int(0..<6) }
        query.limitToLast = query.limit != nil && !query.orders.isEmpty && generator.chance(0.3)
        return query
    }

    /// A query with one list of values, and at most one equality beside it.
    mutating func listQuery() -> Query {
        var query = query()
        query.offset = 0
        query.limitToLast = false
        let path = generator.pick(RandomQueries.fields)
        let op = generator.pick([FieldOperator.in, .arrayContainsAny])
        query.filter = .field(path, op, operand(of: path, op))
        if let list = query.filter, generator.chance(0.5) {
            let other = generator.pick(RandomQueries.fields)
            query.filter = .and([list, .field(other, .equal, value())].shuffled(using: &generator))
        }
        return query
    }

    private mutating func direction() -> Direction { generator.chance(0.6) ? .ascending : .descending }

    mutating func cursor(_ orders: [Order]) -> Cursor {
        let values = orders.prefix(generator.int(0..<(orders.count + 1))).map { order in
            order.path.isDocumentName ? name() : value()
        }
        return Cursor(values, before: generator.chance(0.5))
    }

    private mutating func name() -> Value {
        .reference(Reference(database: RandomQueries.database, path: documentPath().resource))
    }

    private mutating func filter(depth: Int, names: Bool) -> Filter {
        if depth > 0, generator.chance(0.5) {
            let parts = (0..<generator.int(1..<4)).map { _ in filter(depth: depth - 1, names: names) }
            return generator.chance(0.7) ? .and(parts) : .or(parts)
        }
        if names || generator.chance(0.08) { return nameFilter() }
        let path = generator.pick(RandomQueries.fields)
        if generator.chance(0.1) { return .unary(path, generator.pick(UnaryOperator.allCases)) }
        let op = generator.chance(0.4) ? .equal : generator.pick(FieldOperator.allCases)
        return .field(path, op, operand(of: path, op))
    }

    private mutating func nameFilter() -> Filter {
        let op = generator.pick(FieldOperator.allCases.filter { $0 != .arrayContains && $0 != .arrayContainsAny })
        return .field(.documentName, op, operand(of: .documentName, op))
    }

    mutating func operand(of path: FieldPath, _ op: FieldOperator) -> Value {
        switch op {
        case .in, .notIn, .arrayContainsAny: .array((0..<generator.int(1..<4)).map { _ in element(of: path) })
        default: element(of: path)
        }
    }

    private mutating func element(of path: FieldPath) -> Value { path.isDocumentName ? name() : value() }

    // MARK: - Indexes

    mutating func catalog() -> IndexCatalog {
        let composites = (0..<generator.int(0..<6)).map { _ in IndexCatalog.Composite(definition()) }
        let overrides = (0..<generator.int(0..<3)).map { _ in
            FieldOverride(
                collectionGroup: "k", path: generator.chance(0.2) ? nil : generator.pick(RandomQueries.fields),
                indexes: Set(
                    SingleFieldIndex.Mode.allCases.flatMap { mode in
                        [QueryScope.collection, .collectionGroup].map { SingleFieldIndex(mode, $0) }
                    }.filter { _ in generator.chance(0.5) }))
        }
        return IndexCatalog(composites: composites, fieldOverrides: overrides)
    }

    mutating func definition() -> IndexDefinition {
        let count = generator.chance(0.1) ? 0 : generator.int(2..<5)
        let paths = RandomQueries.fields.shuffled(using: &generator).prefix(count)
        var fields = paths.map { IndexField($0, .order(direction())) }
        if !fields.isEmpty, generator.chance(0.25) { fields[0] = IndexField(FieldPath(name: "t"), .contains) }
        return IndexDefinition(
            collectionGroup: "k", scope: generator.chance(0.7) ? .collection : .collectionGroup, fields: fields,
            nameDirection: generator.chance(0.7) ? fields.last?.direction ?? .descending : direction())
    }
}

extension IndexField {
    fileprivate var direction: Direction? { if case .order(let direction) = mode { direction } else { nil } }
}
