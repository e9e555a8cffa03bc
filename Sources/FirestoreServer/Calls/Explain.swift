// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// What a request wants to know about its query.
    enum ExplainMode: Sendable {
        /// The plan, without running the query.
        case plan
        /// The plan, the results, and what they cost.
        case analyze
    }

    /// The explanation of a query, as production gives it.
    struct QueryExplanation: Sendable {
        let indexesUsed: [IndexUse]
        /// Nil for a query that was planned only.
        let statistics: Statistics?

        struct Statistics: Sendable {
            let resultsReturned: Int
            let duration: Duration
            let readOperations: Int
            /// Production's counters by name.
            let debug: [(name: String, count: Int)]
            let billing: [(name: String, count: Int)]
        }
    }

    extension QueryExplanation.Statistics {
        fileprivate init(_ counters: ProductionCounters, _ duration: Duration) {
            resultsReturned = counters.resultsReturned
            self.duration = duration
            readOperations = counters.readOperations
            debug = [
                ("index_entries_scanned", counters.indexEntriesScanned),
                ("documents_scanned", counters.documentsScanned),
            ]
            billing = [
                ("documents_billable", counters.documentsScanned),
                ("index_entries_billable", counters.indexEntriesBillable),
                ("min_query_cost", counters.minimalCost),
            ]
        }

        /// What a scan cost. Production would refuse the query, but clients raise an error where there are no statistics.
        fileprivate init(ofScan counters: ExecutionCounters, _ duration: Duration) {
            let documents = counters.documentsRead
            resultsReturned = counters.rows
            self.duration = duration
            readOperations = max(1, documents)
            debug = [("index_entries_scanned", 0), ("documents_scanned", documents)]
            billing = [
                ("documents_billable", documents), ("index_entries_billable", 0),
                ("min_query_cost", documents == 0 ? 1 : 0),
            ]
        }
    }

    extension Snapshot {
        /// Plans a query, and with `analyze` runs it twice: as fast as can be for its results, and as production would for what
        /// that would cost. A scan, which production has none of, runs once.
        func explain(
            _ request: QueryRequest, _ mode: ExplainMode
        ) throws(RequestError) -> (QueryExplanation, QueryResult?) {
            switch mode {
            case .plan: return (try plan(request), nil)
            case .analyze:
                let start = ContinuousClock.now
                let result = try run(request)
                let duration = ContinuousClock.now - start
                guard !result.wasScanned else {
                    let statistics = QueryExplanation.Statistics(ofScan: result.counters, duration)
                    return (QueryExplanation(indexesUsed: [], statistics: statistics), result)
                }
                let statistics = QueryExplanation.Statistics(
                    ProductionCounters(try productionRun(request)), duration)
                return (QueryExplanation(indexesUsed: result.plan.indexesUsed, statistics: statistics), result)
            }
        }

        private func plan(_ request: QueryRequest) throws(RequestError) -> QueryExplanation {
            do throws(QueryError) {
                let plan = try database.engine.plan(request)
                return QueryExplanation(indexesUsed: plan.plan.indexesUsed, statistics: nil)
            } catch {
                if case .planning(.missingIndex) = error {
                    throw RequestError(.failedPrecondition, MissingIndexError.planOnlyMessage)
                }
                throw RequestError(error, in: database)
            }
        }

        /// Runs a query as production would, for what that costs.
        func productionRun(_ request: QueryRequest) throws(RequestError) -> QueryResult {
            do throws(QueryError) {
                return try database.engine.run(request, at: time, by: .production)
            } catch {
                throw RequestError(error, in: database)
            }
        }
    }
#endif
