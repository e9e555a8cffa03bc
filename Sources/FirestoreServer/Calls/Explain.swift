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
        fileprivate init(ofScan run: MeasuredRun) {
            let documents = run.documentsRead
            resultsReturned = run.rows
            duration = run.duration
            readOperations = max(1, documents)
            debug = [("index_entries_scanned", 0), ("documents_scanned", documents)]
            billing = [
                ("documents_billable", documents), ("index_entries_billable", 0),
                ("min_query_cost", documents == 0 ? 1 : 0),
            ]
        }
    }

    /// What a query has cost that ran, be it in pages, for its explanation.
    struct MeasuredRun {
        private(set) var duration = Duration.zero
        private(set) var rows = 0
        /// By one page: each page of a scan reads all documents.
        private(set) var documentsRead = 0
        private(set) var wasScanned = false

        /// Runs the query or its next page. What happens between the calls, such as waiting for the client, does not count.
        mutating func measure(
            _ run: () throws(RequestError) -> QueryResult?
        ) throws(RequestError) -> QueryResult? {
            let start = ContinuousClock.now
            let result = try run()
            duration += ContinuousClock.now - start
            guard let result else { return nil }
            rows += result.counters.rows
            documentsRead = max(documentsRead, result.counters.documentsRead)
            wasScanned = wasScanned || result.wasScanned
            return result
        }
    }

    extension Snapshot {
        func plan(_ request: QueryRequest) throws(RequestError) -> QueryExplanation {
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

        /// Explains a query that ran as fast as can be for its results. It runs once more as production would, for what that would
        /// cost; but not a scan, which production has none of.
        func explanation(of request: QueryRequest, _ run: MeasuredRun) throws(RequestError) -> QueryExplanation {
            guard !run.wasScanned else {
                return QueryExplanation(indexesUsed: [], statistics: QueryExplanation.Statistics(ofScan: run))
            }
            let statistics = QueryExplanation.Statistics(try productionCounters(of: request), run.duration)
            return QueryExplanation(indexesUsed: try plan(request).indexesUsed, statistics: statistics)
        }

        /// What a query would cost in production.
        func productionCounters(of request: QueryRequest) throws(RequestError) -> ProductionCounters {
            do throws(QueryError) {
                return try database.engine.productionCounters(of: request, at: time)
            } catch {
                throw RequestError(error, in: database)
            }
        }
    }
#endif
