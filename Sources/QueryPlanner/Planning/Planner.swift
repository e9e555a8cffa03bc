// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// Decides whether production would run a query under a catalog, and how (I-25 to I-45).
///
/// A pure function of query and catalog. Documents do not matter.
package enum Planner {
    /// - Parameter cache: prepared queries of this catalog. It changes no result.
    package static func plan(
        _ query: Query, catalog: IndexCatalog, database: DatabaseID, cache: PlanCache? = nil
    ) throws(PlanningError) -> QueryPlan {
        try plan(query, nil, catalog, database, cache)
    }

    package static func plan(
        _ query: AggregationQuery, catalog: IndexCatalog, database: DatabaseID, cache: PlanCache? = nil
    ) throws(PlanningError) -> QueryPlan {
        try plan(query.query, query.aggregations, catalog, database, cache)
    }

    /// The plan of a query, or its scans if they are enough to find its rows.
    package static func access(
        _ query: Query, catalog: IndexCatalog, database: DatabaseID, cache: PlanCache? = nil
    ) throws(PlanningError) -> QueryAccess {
        let (prepared, leaves) = try prepared(query, nil, catalog, database, cache)
        return try prepared.access(to: query, leaves: leaves)
    }

    private static func plan(
        _ query: Query, _ aggregations: [Aggregation]?, _ catalog: IndexCatalog, _ database: DatabaseID,
        _ cache: PlanCache?
    ) throws(PlanningError) -> QueryPlan {
        try prepared(query, aggregations, catalog, database, cache).query.plan(for: query)
    }

    /// Validates a query and prepares it, unless the cache has it. `leaves` are its filters on single fields.
    private static func prepared(
        _ query: Query, _ aggregations: [Aggregation]?, _ catalog: IndexCatalog, _ database: DatabaseID,
        _ cache: PlanCache?
    ) throws(PlanningError) -> (query: PreparedQuery, leaves: [Filter]) {
        let known = cache?.prepared(for: query, aggregations)
        let leaves = try validate(query, aggregations, database, known)
        if let known { return (known, leaves) }
        let prepared = try PreparedQuery(query, aggregations, catalog, isScanned: false)
        cache?.insert(prepared)
        return (prepared, leaves)
    }

    /// The plan in permissive mode: each disjunct reads, filters and sorts the documents of the scope. Never throws
    /// ``PlanningError/missingIndex(_:)``.
    ///
    /// A row must have every field of ``NormalizedQuery/orders``. Its sort key consists of the document's own
    /// values; `.suffix(i)` is the value of order `i`.
    package static func planByScanning(
        _ query: Query, catalog: IndexCatalog, database: DatabaseID
    ) throws(PlanningError) -> QueryPlan {
        try planByScanning(query, nil, catalog, database)
    }

    package static func planByScanning(
        _ query: AggregationQuery, catalog: IndexCatalog, database: DatabaseID
    ) throws(PlanningError) -> QueryPlan {
        try planByScanning(query.query, query.aggregations, catalog, database)
    }

    private static func planByScanning(
        _ query: Query, _ aggregations: [Aggregation]?, _ catalog: IndexCatalog, _ database: DatabaseID
    ) throws(PlanningError) -> QueryPlan {
        _ = try validate(query, aggregations, database, nil)
        return try PreparedQuery(query, aggregations, catalog, isScanned: true).plan(for: query)
    }

    private static func validate(
        _ query: Query, _ aggregations: [Aggregation]?, _ database: DatabaseID, _ known: PreparedQuery?
    ) throws(PlanningError) -> [Filter] {
        do throws(InvalidQueryError) {
            return try QueryValidator.validate(query, aggregations, database: database, known)
        } catch {
            throw .invalid(error)
        }
    }

    /// The sort keys between the query's cursors: ranges over the concatenated key bytes of the orders' values, each
    /// in its direction. A name is encoded as in the scope.
    package static func cursorRanges(of query: NormalizedQuery) -> [KeyRange] {
        query.cursors?.ranges(query.orders.map { .stored($0.direction) }, backwards: false) ?? .everything
    }
}

/// Why a query has no plan.
package enum PlanningError: Error, Sendable {
    /// INVALID_ARGUMENT.
    case invalid(InvalidQueryError)
    /// FAILED_PRECONDITION.
    case missingIndex(MissingIndexError)
    /// INVALID_ARGUMENT: the query cannot use the index that it names.
    case hint(IndexHintError)
}
