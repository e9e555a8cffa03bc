// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
internal import JSONText

/// Refuses the queries that production refuses, with its words (Q-14 to Q-62, QE-1 to QE-17). The first error in the
/// order of Q-47 wins.
package enum QueryValidator {
    package static func validate(_ query: Query, database: DatabaseID) throws(InvalidQueryError) {
        _ = try validate(query, nil, database: database)
    }

    /// - Parameters:
    ///   - aggregations: nil for a document query.
    ///   - known: what was prepared from a valid query with the same ``PlanKey``, if there is such. Then only the checks that
    ///     depend on values are made, in the same order.
    /// - Returns: the filters on single fields, in written order.
    static func validate(
        _ query: Query, _ aggregations: [Aggregation]?, database: DatabaseID, _ known: PreparedQuery? = nil
    ) throws(InvalidQueryError) -> [Filter] {
        let isKnown = known != nil
        if !isKnown { try checkSelector(query.from) }
        try checkCounts(query)
        guard isKnown || query.filter?.nests(atMost: 100) ?? true else {
            throw InvalidQueryError("Filters nest at most 100 deep.")
        }
        let leaves = query.filter?.leaves ?? []
        if !isKnown { try checkPaths(query, leaves: leaves) }
        try checkFilters(query, leaves: leaves, database: database, known)
        if !isKnown {
            try checkPathLengths(query, leaves: leaves)
            try checkNameEquality(leaves)
            try checkKind(query, leaves: leaves)
            try checkOrders(query, leaves: leaves)
        }
        try checkCursor(query.start, query: query, database: database)
        try checkCursor(query.end, query: query, database: database)
        try checkSizes(query, leaves: leaves, known)
        if !isKnown { try checkGroupUnderParent(query, leaves: leaves) }
        if let nearest = query.nearest { try checkNearest(nearest, query: query) }
        if !isKnown, let aggregations { try checkAggregations(aggregations, of: query) }
        return leaves
    }

    /// D-2.
    private static func checkSelector(_ selector: CollectionSelector) throws(InvalidQueryError) {
        guard let id = selector.collectionID else { return }
        guard id.utf8Count > 0 else { throw InvalidQueryError("The collection ID is the empty string.") }
        guard id.utf8Count <= DocumentLimits.maximumNameSize else {
            throw InvalidQueryError("The query kind is longer than 1500 bytes.")
        }
        guard !id.string.utf8.contains(UInt8(ascii: "/")) else {
            throw InvalidQueryError("Collection id \"\(id)\" is invalid because it contains \"/\".")
        }
        // `__esc…__` spells an ID from Datastore that Firestore does not otherwise allow. Production reads them.
        guard id != ".", id != "..", !id.isReserved || id.string.utf8.starts(with: "__esc".utf8) else {
            throw InvalidQueryError("Collection id \"\(id)\" is invalid because it is reserved.")
        }
    }

    ///
    private static func checkCounts(_ query: Query) throws(InvalidQueryError) {
        if let limit = query.limit { try checkCount(limit, name: "limit") }
        try checkCount(query.offset, name: "offset")
        guard query.limitToLast else { return }
        guard query.limit != nil else { throw InvalidQueryError("limitToLast needs a limit.") }
        guard !query.orders.isEmpty else {
            throw InvalidQueryError("limit(toLast:) queries require specifying at least one OrderBy() clause.")
        }
    }

    private static func checkCount(_ count: Int, name: String) throws(InvalidQueryError) {
        guard count >= 0 else { throw InvalidQueryError("\(name) is negative") }
        guard count <= Int(Int32.max) else {
            throw InvalidQueryError("Invalid value at 'structured_query.\(name).value' (TYPE_INT32), \(count)")
        }
    }

    /// without a collection ID, only `__name__` may be filtered, and only ordered ascending.
    private static func checkKind(_ query: Query, leaves: [Filter]) throws(InvalidQueryError) {
        guard query.from.collectionID == nil else { return }
        if let path = leaves.lazy.compactMap(\.path).first(where: { !$0.isDocumentName }) {
            throw InvalidQueryError("kind is required for filter: \(path)")
        }
        let ascending: Direction = query.limitToLast ? .descending : .ascending
        guard query.orders.allSatisfy({ $0.path.isDocumentName && $0.direction == ascending }), query.nearest == nil
        else { throw InvalidQueryError("kind is required for all orders except __key__ ascending") }
    }

    /// for explicit and implied orders alike.
    private static func checkOrders(_ query: Query, leaves: [Filter]) throws(InvalidQueryError) {
        // More orders are refused for their number, so they are not compared with each other.
        let orders = query.orders.prefix(101)
        for (place, order) in orders.enumerated() where !order.path.isDocumentName {
            guard orders[..<place].contains(where: { $0.path == order.path }) else { continue }
            throw InvalidQueryError("order by clause cannot contain duplicate fields \(order.path)")
        }
        guard let name = query.orders.firstIndex(where: \.path.isDocumentName) else { return }
        let impliesMore = leaves.contains { leaf in
            leaf.isInequality && !leaf.path!.isDocumentName && !orders.contains { $0.path == leaf.path! }
        }
        guard name == query.orders.count - 1, !impliesMore else {
            throw InvalidQueryError("order by clause cannot contain more fields after the key")
        }
    }

    /// Implied orders do not count.
    private static func checkCursor(
        _ cursor: Cursor?, query: Query, database: DatabaseID
    ) throws(InvalidQueryError) {
        guard let cursor else { return }
        guard cursor.values.count <= query.orders.count else {
            throw InvalidQueryError("Cursor has too many values.")
        }
        for (order, value) in zip(query.orders, cursor.values) where order.path.isDocumentName {
            guard case .reference(let reference) = value else {
                throw InvalidQueryError("Cursor __key__ value is not a document reference.")
            }
            try checkDocumentName(reference)
            guard reference.database == database else {
                throw InvalidQueryError("The cursor key is in a different database than the query")
            }
        }
    }

    static func checkDocumentName(_ reference: Reference) throws(InvalidQueryError) {
        guard reference.path.count % 2 == 1 || reference.path.isEmpty else { return }
        let name = reference.resourceName
        throw InvalidQueryError("Document parent name \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
    }

    /// Recorded in 2020 and still in force: under a parent, a group query may use only names.
    private static func checkGroupUnderParent(_ query: Query, leaves: [Filter]) throws(InvalidQueryError) {
        guard query.parent != nil, query.from.allDescendants, query.from.collectionID != nil else { return }
        guard leaves.allSatisfy({ $0.path!.isDocumentName }), query.orders.allSatisfy(\.path.isDocumentName) else {
            throw InvalidQueryError("collection group queries are only allowed at the root parent")
        }
    }
}

/// An invalid query: INVALID_ARGUMENT in production's words.
package struct InvalidQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Status: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
    }

    package let message: String
    /// The byte offset of the invalid value in the JSON source; nil if there is no source or no single location.
    package let offset: Int?

    package init(_ message: String, offset: Int? = nil) {
        self.message = message.boundedMessage
        self.offset = offset
    }

    package var status: Status { .invalidArgument }
    package var description: String { message }
}
