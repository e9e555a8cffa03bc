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
            if engine.isReplica, let reason = try refusal(of: request, engine) {
                return try ofRefused(request, reason, options, engine)
            }
            guard options.analyze else {
                let summary = PlanSummary(try engine.plan(request))
                return (ExplainMetrics(planSummary: summary, executionStats: nil), nil)
            }
            let start = ContinuousClock.now
            let result = try engine.run(request)
            let time = ContinuousClock.now - start
            let production = try engine.productionCounters(of: request)
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

// MARK: - On the cache of a remote database

extension ExplainMetrics {
    /// Why production would refuse the request for want of an index; nil if it would not.
    private static func refusal(of request: QueryRequest, _ engine: Engine) throws(QueryError) -> String? {
        do throws(QueryError) {
            _ = try engine.plan(request)
            return nil
        } catch {
            guard case .planning(.missingIndex(let missing)) = error else { throw error }
            return missing.message(in: engine.linked)
        }
    }

    /// The cache answers all the same. Production's figures are those of no work.
    private static func ofRefused(
        _ request: QueryRequest, _ reason: String, _ options: ExplainOptions, _ engine: Engine
    ) throws(QueryError) -> (ExplainMetrics, QueryResult?) {
        let start = ContinuousClock.now
        let result = try engine.run(request, allowScan: true)
        let time = ContinuousClock.now - start
        let summary = PlanSummary(
            indexesUsed: [], productionPlan: "Refused: \(reason)", executedPlan: result.execution.explanation.text)
        guard options.analyze else { return (ExplainMetrics(planSummary: summary, executionStats: nil), nil) }
        return (ExplainMetrics(planSummary: summary, executionStats: ExecutionStats(result, time, nil)), result)
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
    /// - Parameter production: nil if production would refuse.
    fileprivate init(_ result: QueryResult, _ time: Duration, _ production: ProductionCounters?) {
        resultsReturned = result.counters.rows
        executionDuration = time / .seconds(1)
        readOperations = production?.readOperations ?? 0
        debugStats = production?.debugStats ?? [:]
        entriesScanned = result.counters.entriesScanned
        seeks = result.counters.seeks
        documentsRead = result.counters.documentsRead
        documentsRejected = result.counters.documentsRejected
        bytesRead = result.counters.bytesRead
    }
}

extension ProductionCounters {
    fileprivate var debugStats: [String: String] {
        [
            "index_entries_scanned": String(indexEntriesScanned),
            "documents_scanned": String(documentsScanned),
            "documents_billable": String(documentsScanned),
            "index_entries_billable": String(indexEntriesBillable),
            "min_query_cost": String(minimalCost),
        ]
    }
}
