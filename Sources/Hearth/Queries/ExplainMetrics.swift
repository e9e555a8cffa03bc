// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
public import Foundation
internal import QueryPlanner

/// Options of ``Query/explain(_:)``.
public struct ExplainOptions: Sendable, Hashable {
    /// Whether the query also runs, for its rows and statistics. It then runs twice: Hearth's way and production's way.
    public var analyze: Bool

    /// Creates options. Without `analyze`, the query is only planned.
    public init(analyze: Bool = false) {
        self.analyze = analyze
    }
}

/// The explanation of a query and, if the query ran, its snapshot.
public struct ExplainResults<Snapshot: Sendable>: Sendable {
    /// The plan and the execution statistics.
    public let metrics: ExplainMetrics
    /// Nil without ``ExplainOptions/analyze``.
    public let snapshot: Snapshot?
}

/// The plan of a query and, if the query ran, its execution statistics.
public struct ExplainMetrics: Sendable {
    /// The plan.
    public let planSummary: PlanSummary
    /// Nil without ``ExplainOptions/analyze``.
    public let executionStats: ExecutionStats?
}

/// The plan of a query.
public struct PlanSummary: Sendable, Hashable {
    /// The indexes that production lists, one for each of its scans: `query_scope` is `Collection` or `Collection
    /// group`, `properties` is for example `(state ASC, population DESC, __name__ DESC)`.
    public let indexesUsed: [[String: String]]
    /// Production's plan, as a tree with one line per node.
    public let productionPlan: String
    /// Hearth's plan, which gives the same documents in the same order, as a tree. If the query ran, the plan that ran.
    public let executedPlan: String
}

/// The execution statistics of a query.
public struct ExecutionStats: Sendable, Hashable {
    /// The number of documents, or 1 for aggregations.
    public let resultsReturned: Int
    /// The time from the request until the rows are available, in seconds.
    public let executionDuration: TimeInterval
    /// The read operations that production would have billed.
    public let readOperations: Int
    /// The counters of production: `index_entries_scanned`, `documents_scanned`, and the billing details
    /// `documents_billable`, `index_entries_billable` and `min_query_cost`.
    public let debugStats: [String: String]
    /// The number of index entries that Hearth visited, or of documents in a scan of documents.
    public let entriesScanned: Int
    /// The number of cursor movements, other than steps to a neighboring entry.
    public let seeks: Int
    /// The number of documents that Hearth read.
    public let documentsRead: Int
    /// The number of documents read that a filter rejected.
    public let documentsRejected: Int
    /// The size of the documents read, as they are stored, in bytes.
    public let bytesRead: Int
}

extension ExplainMetrics {
    /// Plans a request, and runs it if the options say so.
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
