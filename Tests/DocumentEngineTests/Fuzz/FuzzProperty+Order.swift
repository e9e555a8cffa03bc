// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

extension FuzzProperty {
    /// Explicit implied orders change nothing. Reversing all orders and cursors reverses the rows.
    static let reversal = FuzzProperty("reversal") { subject, request, _ in
        guard let (query, whole) = try whole(subject, request.query) else { return nil }
        var unordered = query
        unordered.orders = request.query.orders
        guard let implied = try subject.documents(of: unordered, "implied orders") else { return "refused" }
        if implied.map(\.path) != whole.map(\.path) {
            return "with its orders written out \(whole.map(\.path)), without \(implied.map(\.path))"
        }
        let reversed = query.with {
            $0.orders = $0.orders.map { Order($0.path, $0.direction.reversed) }
            $0.start = query.end.map { Cursor($0.values, before: !$0.before) }
            $0.end = query.start.map { Cursor($0.values, before: !$0.before) }
        }
        guard let backwards = try subject.documents(of: reversed, "reversed orders") else { return "refused" }
        return backwards.map(\.path) == whole.map(\.path).reversed()
            ? nil : "forwards \(whole.map(\.path)), reversed \(backwards.map(\.path))"
    }

    /// `limitToLast` is the end of the list, offset and limit are a slice of it, and a count is its length (Q-15, Q-16,
    ///
    static let slices = FuzzProperty("slices") { subject, request, random in
        guard let (query, whole) = try whole(subject, request.query) else { return nil }
        let paths = whole.map(\.path)
        let count = random.int(0..<paths.count + 3)
        let offset = random.int(0..<paths.count + 2)
        let last = query.with {
            $0.limit = count
            $0.limitToLast = true
        }
        guard let end = try subject.documents(of: last, "last rows") else { return "the last rows are refused" }
        if end.map(\.path) != paths.suffix(count) {
            return "the last \(count) of \(paths) are not \(end.map(\.path))"
        }
        let part = query.with {
            $0.limit = count
            $0.offset = offset
        }
        guard let slice = try subject.documents(of: part, "offset and limit") else { return "the slice is refused" }
        if slice.map(\.path) != Array(paths.dropFirst(offset).prefix(count)) {
            return "\(count) after \(offset) of \(paths) are not \(slice.map(\.path))"
        }
        for (counted, length) in [(query, paths.count), (last, end.count), (part, slice.count)] {
            let aggregation = AggregationQuery(counted, [Aggregation(alias: "n", .count(upTo: nil))])
            let outcome = try subject.run(.aggregation(aggregation), "count of rows")
            guard case .answer(let result) = outcome, case .integer(Int64(length))? = result.aggregates.first?.value
            else { return "the count of \(length) rows is \(outcome)" }
        }
        return nil
    }

    /// A query without limit and with all orders explicit, and its rows. Nil if orders cannot be explicit: in a
    /// kindless query, and in an invalid one.
    static func whole(_ subject: FuzzSubject, _ query: Query) throws -> (query: Query, rows: [Document])? {
        guard query.from.collectionID != nil, query.nearest == nil else { return nil }
        var whole = query
        whole.limit = nil
        whole.limitToLast = false
        whole.offset = 0
        whole.projection = nil
        whole.orders = orders(of: whole)
        return try subject.documents(of: whole, "explicit orders").map { (whole, $0) }
    }

    ///
    private static func orders(of query: Query) -> [Order] {
        let inequalities = Set((query.filter.map { QueryRules.inequalityFields($0) } ?? [])).subtracting(
            query.orders.map(\.path) + [.documentName])
        let direction = query.orders.last?.direction ?? .ascending
        var orders = query.orders + inequalities.sorted().map { Order($0, direction) }
        if !orders.contains(where: \.path.isDocumentName) { orders.append(Order(.documentName, direction)) }
        return orders
    }
}
