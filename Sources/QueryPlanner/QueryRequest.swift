// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// A document query or an aggregation query, as read from a file or a command line.
package enum QueryRequest: Sendable {
    case documents(Query)
    case aggregation(AggregationQuery)

    /// The query whose rows are returned or aggregated.
    package var query: Query {
        switch self {
        case .documents(let query): query
        case .aggregation(let aggregation): aggregation.query
        }
    }

    /// Nil for a document query.
    var aggregations: [Aggregation]? {
        switch self {
        case .documents: nil
        case .aggregation(let aggregation): aggregation.aggregations
        }
    }
}

extension Planner {
    package static func plan(
        _ request: QueryRequest, catalog: IndexCatalog, database: DatabaseID, cache: PlanCache? = nil
    ) throws(PlanningError) -> QueryPlan {
        switch request {
        case .documents(let query): try plan(query, catalog: catalog, database: database, cache: cache)
        case .aggregation(let query): try plan(query, catalog: catalog, database: database, cache: cache)
        }
    }

    package static func planByScanning(
        _ request: QueryRequest, catalog: IndexCatalog, database: DatabaseID
    ) throws(PlanningError) -> QueryPlan {
        switch request {
        case .documents(let query): try planByScanning(query, catalog: catalog, database: database)
        case .aggregation(let query): try planByScanning(query, catalog: catalog, database: database)
        }
    }
}
