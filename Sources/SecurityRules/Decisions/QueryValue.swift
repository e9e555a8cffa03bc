// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner

/// `request.query` and `request.fields` of a query.
enum QueryValue {
    static func members(_ query: Query, database: Text) -> [RuleMap.Entry] {
        var parent = RuleValue.null
        if let path = query.parent { parent = .path(RulePath(document: path.resource, database: database)) }
        let members: [RuleMap.Entry] = [
            ("limit", query.limit.map { .int(Int64($0)) } ?? .null), ("offset", .int(Int64(query.offset))),
            ("orderBy", orders(query)), ("kind", query.from.collectionID.map(RuleValue.string) ?? .null),
            (query.from.allDescendants ? "ancestor" : "parent", parent),
            ("allDescendants", .bool(query.from.allDescendants)), ("distinct", .bool(false)),
            ("selectOnlyKeys", .bool(selectsOnlyKeys(query))), ("groupBy", .map(.empty)),
        ]
        return [("query", .map(RuleMap(members))), ("fields", fields(query))]
    }

    private static func orders(_ query: Query) -> RuleValue {
        .map(
            RuleMap(
                query.orders.map { order in
                    (Text(order.path.wire), .string(order.direction == .ascending ? "ASC" : "DESC"))
                }))
    }

    private static func selectsOnlyKeys(_ query: Query) -> Bool {
        guard let projection = query.projection else { return false }
        return projection.allSatisfy(\.isDocumentName)
    }

    private static func fields(_ query: Query) -> RuleValue {
        guard let projection = query.projection else { return .null }
        return .list(RuleList(projection.filter { !$0.isDocumentName }.map { .string(Text($0.wire)) }))
    }
}
