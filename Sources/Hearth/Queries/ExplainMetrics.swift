// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
public import Foundation
internal import QueryPlanner

/// What ``Query/explain(_:)`` is to do.
public struct ExplainOptions: Sendable, Hashable {
    /// Whether the query is run too, for its rows and statistics. It is then run twice: as Hearth and as production runs it.
    public var analyze: Bool

    /// Options; without `analyze` a query is only planned.
    public init(analyze: Bool = false) {
        self.analyze = analyze
    }
}

/// The explanation of a query and, if it was run, its snapshot.
public struct ExplainResults<Snapshot: Sendable>: Sendable {
    /// How the query is run, and what that took.
    public let metrics: ExplainMetrics
    /// Nil without ``ExplainOptions/analyze``.
    public let snapshot: Snapshot?
}

/// How a query is run, and what that took.
public struct ExplainMetrics: Sendable {
    /// The plan.
    public let planSummary: PlanSummary
    /// Nil without ``ExplainOptions/analyze``.
    public let executionStats: ExecutionStats?
}

/// The plan of a query.
public struct PlanSummary: Sendable, Hashable {
    /// The indexes that production lists, one for each of its scans: `query_scope` is `Collection` or `Collection group`,
    /// `properties` for example `(state ASC, population DESC, __name__ DESC)` (P-10 to P-12).
    public let indexesUsed: [[String: String]]
    /// What production runs, as a tree with a line for each node.
    public let productionPlan: String
    /// What Hearth runs, which gives the same documents in the same order; once the query was run, what ran.
    public let executedPlan: String
}

/// What running a query took.
public struct ExecutionStats: Sendable, Hashable {
    /// Documents, or 1 for aggregations.
    public let resultsReturned: Int
    /// From asking to having the rows, in seconds.
    public let executionDuration: TimeInterval
    /// What production would have billed (P-15).
    public let readOperations: Int
    /// What production would have counted: `index_entries_scanned`, `documents_scanned`, and of its billing details
    /// `documents_billable`, `index_entries_billable` and `min_query_cost` (P-13).
    public let debugStats: [String: String]
    /// Entries of indexes, or documents in a scan of them, at which Hearth stopped.
    public let entriesScanned: Int
    /// Placements other than a step to the neighbour.
    public let seeks: Int
    /// Documents that Hearth read.
    public let documentsRead: Int
    /// Those of them that a filter refused.
    public let documentsRejected: Int
    /// The bytes of the documents read, as they are stored.
    public let bytesRead: Int
}

extension ExplainMetrics {
    /// Plans a request, and runs it where the options say so.
    static func of(
        _ request: QueryRequest, _ options: ExplainOptions, _ engine: Engine
    ) throws(FirestoreError) -> (ExplainMetrics, QueryResult?) {
        do throws(QueryError) {
            guard options.analyze else {
                let summary = PlanSummary(try engine.plan(request))
                return (ExplainMetrics(planSummary: summary, executionStats: nil), nil)
            }
            let start = ContinuousClock.now
            let result = try engine.run(request)
            let time = ContinuousClock.now - start
            let production = ProductionCounters(try engine.run(request, by: .production))
            let metrics = ExplainMetrics(
                planSummary: PlanSummary(result.execution),
                executionStats: ExecutionStats(result, time, production))
            return (metrics, result)
        } catch {
            let full = FirestoreError(error, engine)
            guard !options.analyze, let missing = full.missingIndex else { throw full }
            throw FirestoreError(.failedPrecondition, MissingIndexError.planOnlyMessage, missingIndex: missing)
        }
    }
}

extension PlanSummary {
    fileprivate init(_ execution: ExecutionPlan) {
        indexesUsed = execution.plan.indexesUsed.map {
            ["query_scope": $0.queryScope, "properties": $0.properties]
        }
        productionPlan = execution.plan.explanation.text
        executedPlan = execution.explanation.text
    }
}

extension ExecutionStats {
    fileprivate init(_ result: QueryResult, _ time: Duration, _ production: ProductionCounters) {
        resultsReturned = result.counters.rows
        executionDuration = time / .seconds(1)
        readOperations = production.readOperations
        debugStats = [
            "index_entries_scanned": String(production.indexEntriesScanned),
            "documents_scanned": String(production.documentsScanned),
            "documents_billable": String(production.documentsScanned),
            "index_entries_billable": String(production.indexEntriesBillable),
            "min_query_cost": String(production.minimalCost),
        ]
        entriesScanned = result.counters.entriesScanned
        seeks = result.counters.seeks
        documentsRead = result.counters.documentsRead
        documentsRejected = result.counters.documentsRejected
        bytesRead = result.counters.bytesRead
    }
}
