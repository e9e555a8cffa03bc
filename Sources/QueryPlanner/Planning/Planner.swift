// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// Decides whether production would run a query under a catalog, and how it is run (section 4.4 and 4.5, Appendix B).
///
/// A pure function of the query and the catalog; the documents have no part in it.
package enum Planner {
    /// - Parameter cache: prepared queries of this catalog. Nil plans from the beginning, with the same result.
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

    /// The plan of a query, or as much of it as finding its rows takes.
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

    /// Validates a query and prepares it, unless the cache has it prepared. `leaves` are its filters on single fields.
    private static func prepared(
        _ query: Query, _ aggregations: [Aggregation]?, _ catalog: IndexCatalog, _ database: DatabaseID,
        _ cache: PlanCache?
    ) throws(PlanningError) -> (query: PreparedQuery, leaves: [Filter]) {
        let known = cache?.prepared(for: query, aggregations)
        let leaves = try validate(query, aggregations, database, isKnown: known != nil)
        if let known { return (known, leaves) }
        let prepared = try PreparedQuery(query, aggregations, catalog, isScanned: false)
        cache?.insert(prepared)
        return (prepared, leaves)
    }

    /// The plan of permissive mode: every disjunct reads the documents of the scope, filters and sorts them. Throws no
    /// ``PlanningError/missingIndex(_:)``.
    ///
    /// A row counts only if it has every field of ``NormalizedQuery/orders``; its sort key parts are the document's
    /// own values, `.suffix(i)` that of order `i`.
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
        _ = try validate(query, aggregations, database, isKnown: false)
        return try PreparedQuery(query, aggregations, catalog, isScanned: true).plan(for: query)
    }

    private static func validate(
        _ query: Query, _ aggregations: [Aggregation]?, _ database: DatabaseID, isKnown: Bool
    ) throws(PlanningError) -> [Filter] {
        do throws(InvalidQueryError) {
            return try QueryValidator.validate(query, aggregations, database: database, isKnown: isKnown)
        } catch {
            throw .invalid(error)
        }
    }

    /// Where the rows of a full scan lie between the query's cursors: ranges over the concatenated key bytes of the orders'
    /// values, each in its order's direction, the name as in the scope's own keys.
    package static func cursorRanges(of query: NormalizedQuery) -> [KeyRange] {
        query.cursors?.ranges(query.orders.map { .stored($0.direction) }, backwards: false) ?? .everything
    }
}
