// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport

/// A change of a document, as the index of listeners is asked about it.
struct ListenedChange {
    let path: DocumentPath
    let old: Document?
    let new: Document?

    init(_ path: DocumentPath, from old: Fields?, to new: Fields?) {
        let time = Timestamp(microseconds: 1)!
        self.path = path
        self.old = old.map { Document(path: path, fields: $0, createTime: time, updateTime: time) }
        self.new = new.map { Document(path: path, fields: $0, createTime: time, updateTime: time) }
    }
}

/// A kind of listeners of one collection, with a change that affects some of them and one that affects none.
struct ListenerKind {
    static let database = DatabaseID(project: "hearth")

    let name: String
    /// The query of each listener, by its number.
    let query: (Int) -> Query
    let concerned: ListenedChange
    /// The number of affected listeners; nil for all.
    let count: Int?
    let idle: ListenedChange

    static func query(
        _ filters: Filter..., orders: [Order] = [], start: Value? = nil, end: Value? = nil, limit: Int? = nil,
        ofGroup: Bool = false
    ) -> Query {
        Query(
            from: CollectionSelector(collectionID: "cities", allDescendants: ofGroup),
            filter: filters.isEmpty ? nil : .and(filters), orders: orders,
            start: start.map { Cursor([$0], before: true) }, end: end.map { Cursor([$0], before: true) }, limit: limit)
    }

    static func name(_ id: String) -> Value {
        .reference(Reference(database: database, path: ResourcePath(segments: ["cities", Text(id)])))
    }

    private static func integer(_ number: Int) -> Value { .integer(Int64(number)) }

    private static func inner(_ name: String, _ number: Int) -> FieldPath {
        FieldPath([Text(name), Text("u\(number)")])
    }

    private static func changed(_ fields: Fields) -> ListenedChange {
        ListenedChange("cities/x", from: fields, to: fields)
    }

    static var all: [ListenerKind] {
        ranges + fields + names + [
            ListenerKind(
                name: "equal queries",
                query: { _ in query(.field("n", .greaterThan, 5), orders: [Order("n")]) },
                concerned: changed(["n": 6]), count: nil, idle: changed(["n": 5]))
        ]
    }

    private static var ranges: [ListenerKind] {
        [
            ListenerKind(
                name: "closed ranges",
                query: { query(.field("n", .greaterThan, integer($0)), .field("n", .lessThan, integer($0 + 3))) },
                concerned: changed(["n": 500]), count: 2, idle: changed(["n": -1])),
            ListenerKind(
                name: "open ranges", query: { query(.field("n", .greaterThanOrEqual, integer(1_000 * $0))) },
                concerned: changed(["n": 2_999]), count: 3, idle: changed(["n": -1, "m": 7])),
            ListenerKind(
                name: "pages",
                query: { query(orders: [Order("n", .descending)], start: integer($0), end: integer($0 - 2)) },
                concerned: changed(["n": 500]), count: 2, idle: changed(["n": "text"])),
            ListenerKind(
                name: "ranges of a later order",
                query: {
                    query(
                        .field("n", .greaterThan, integer($0)), .field("n", .lessThan, integer($0 + 2)),
                        orders: [Order("m")])
                },
                concerned: changed(["m": 1, "n": 500]), count: 1, idle: changed(["m": 1, "n": -1])),
            ListenerKind(
                name: "a value and a range",
                query: {
                    query(
                        .field("user", .equal, "u"), .field("n", .greaterThan, integer(-$0)),
                        .field("n", .lessThan, integer(2 - $0)))
                },
                concerned: changed(["user": "u", "n": -7]), count: 1, idle: changed(["user": "v", "n": -7])),
        ]
    }

    private static var fields: [ListenerKind] {
        [
            ListenerKind(
                name: "a field for each user", query: { query(.field(inner("members", $0), .equal, true)) },
                concerned: changed(["members": .map(["u77": true, "v": true])]), count: 1,
                idle: changed(["members": .map(["u77": false])])),
            ListenerKind(
                name: "a field for each user, and a value",
                query: {
                    query(.field("done", .equal, false), .field(FieldPath(name: Text("u\($0)")), .equal, true))
                },
                concerned: changed(["done": false, "u77": true]), count: 1, idle: changed(["done": false, "v": true])),
            ListenerKind(
                name: "an order for each user", query: { query(orders: [Order(inner("scores", $0))]) },
                concerned: changed(["scores": .map(["u5": 1])]), count: 1, idle: changed(["scores": 1])),
        ]
    }

    private static var names: [ListenerKind] {
        [
            ListenerKind(
                name: "names",
                query: { query(orders: [Order(.documentName)], start: name("y\($0)"), limit: 5) },
                concerned: ListenedChange("cities/y0", from: ["a": 1], to: nil), count: 1, idle: changed(["a": 1])),
            ListenerKind(
                name: "names in a group",
                query: { query(.field(.documentName, .equal, name("y\($0)")), ofGroup: true) },
                concerned: ListenedChange("cities/y7", from: ["a": 1], to: nil), count: 1, idle: changed(["a": 1])),
        ]
    }
}
