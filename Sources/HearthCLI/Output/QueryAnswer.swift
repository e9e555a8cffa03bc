// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

/// The outcome of a query, and what its printers need.
struct QueryAnswer {
    enum Outcome {
        case result(QueryRun)
        /// Planned, not run.
        case plan(QueryPlan)
        /// Planned for an edition that scans where no index serves, which the error names.
        case scan(MissingIndexError)
        case invalid(InvalidQueryError)
        case missingIndex(MissingIndexError)
        case failed(EngineError)
    }

    let input: QueryInput
    let outcome: Outcome
    /// The definitions in force, for the paste-ready form of a missing index.
    let catalog: IndexCatalog
    /// The database of the documents.
    let database: DatabaseID
    /// The database that links in messages name.
    let named: DatabaseID

    /// Whether indexes could serve the query: not if it is invalid.
    var isAboutIndexes: Bool {
        switch outcome {
        case .result, .plan, .scan, .missingIndex: true
        case .invalid, .failed: false
        }
    }

    /// What a command ends with that has this answer alone.
    var exitCode: Int32 {
        switch outcome {
        case .result, .plan, .scan: 0
        case .invalid, .missingIndex: 1
        case .failed(let error): error.exitCode
        }
    }
}

extension QueryAnswer.Outcome {
    init(_ error: PlanningError) {
        switch error {
        case .invalid(let error): self = .invalid(error)
        case .missingIndex(let error): self = .missingIndex(error)
        case .hint(let error): self = .invalid(InvalidQueryError(error.message))
        }
    }

    /// Plans a query. Of the queries that it can be, the first that is not served decides.
    static func plan(
        _ input: QueryInput, _ catalog: IndexCatalog, _ database: DatabaseID, _ cache: PlanCache? = nil
    ) -> QueryAnswer.Outcome {
        switch input.requests {
        case .failure(let error): return .invalid(error)
        case .success(let requests): return plan(requests, catalog, database, cache)
        }
    }

    static func plan(
        _ requests: [QueryRequest], _ catalog: IndexCatalog, _ database: DatabaseID, _ cache: PlanCache?
    ) -> QueryAnswer.Outcome {
        var served: QueryAnswer.Outcome?
        for request in requests {
            do throws(PlanningError) {
                let plan = try Planner.plan(request, catalog: catalog, database: database, cache: cache)
                served = served ?? .plan(plan)
            } catch {
                return QueryAnswer.Outcome(error)
            }
        }
        return served ?? .invalid(InvalidQueryError("The query is empty."))
    }

    /// The rule and the message of a finding; nil if the query is not refused.
    func refusal(_ catalog: IndexCatalog, _ database: DatabaseID) -> (rule: String, message: String)? {
        switch self {
        case .plan, .scan, .result, .failed: nil
        case .missingIndex(let error):
            (
                "missing-index",
                "\(error.message(in: database))\(error.noteOnClosest(in: catalog)) Add \(error.fixNode(catalog).text())"
            )
        case .invalid(let error): ("invalid-query", error.message)
        }
    }

    /// Runs a query, and measures the time of the engine with a monotonic clock.
    ///
    /// - Parameters:
    ///   - isCounted: whether the query also runs production's way, to count what production would have billed.
    ///   - showsRows: whether the documents are printed.
    static func run(
        _ request: QueryRequest, _ engine: Engine, allowScan: Bool, by strategy: ExecutionStrategy = .fastest,
        isCounted: Bool = false, showsRows: Bool = true
    ) -> QueryAnswer.Outcome {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(QueryError) {
            let result = try engine.run(request, allowScan: allowScan, by: strategy)
            let time = clock.now - start
            var production: ProductionCounters?
            if isCounted, !result.wasScanned {
                production =
                    strategy.isProduction
                    ? ProductionCounters(result) : try engine.productionCounters(of: request)
            }
            return .result(try QueryRun(result, time, production, decodes: showsRows))
        } catch {
            switch error {
            case .planning(let error): return QueryAnswer.Outcome(error)
            case .engine(let error): return .failed(error)
            }
        }
    }
}

/// The result of a query, and what it cost.
struct QueryRun {
    let result: QueryResult
    /// Empty for an aggregation, and if none are shown.
    let documents: [Document]
    let time: Duration
    /// The counts of production, if they were requested and production would have answered.
    let production: ProductionCounters?

    init(
        _ result: QueryResult, _ time: Duration, _ production: ProductionCounters?, decodes: Bool
    ) throws(QueryError) {
        self.result = result
        self.time = time
        self.production = production
        documents = decodes ? try result.documents : []
    }
}
