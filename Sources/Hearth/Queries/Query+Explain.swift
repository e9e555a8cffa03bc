// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

extension Query {
    /// Explains how production and Hearth run the query. With ``ExplainOptions/analyze``, also runs it.
    ///
    /// ```swift
    /// let results = try await query.explain(ExplainOptions(analyze: true))
    /// print(results.metrics.planSummary.executedPlan)
    /// print(results.metrics.executionStats?.readOperations ?? 0, "read operations in production")
    /// ```
    ///
    /// The names are those of Firestore's server libraries.
    ///
    /// - Throws: as ``getDocuments(source:)``. A missing index is also an error of a plan that does not run. Its
    ///   message is then production's short one, and ``FirestoreError/missingIndex`` has the details.
    public nonisolated(nonsending) func explain(
        _ options: ExplainOptions = ExplainOptions()
    ) async throws -> ExplainResults<QuerySnapshot> {
        try await explainJob(options).value()
    }

    /// Explains the query and calls `completion` with the results or an error, on ``FirestoreSettings/dispatchQueue``.
    public func explain(
        _ options: ExplainOptions = ExplainOptions(),
        completion: @escaping (_ results: ExplainResults<QuerySnapshot>?, _ error: (any Error)?) -> Void
    ) {
        explainJob(options).start { completion($0.success, $0.failure) }
    }

    fileprivate func explainJob(_ options: ExplainOptions) -> Job<ExplainResults<QuerySnapshot>> {
        Job(firestore, .read) { [self] engine in
            let (metrics, result) = try ExplainMetrics.of(.documents(try planned()), options, engine)
            let snapshot = result.map { QuerySnapshot(self, $0.records) }
            return ExplainResults(metrics: metrics, snapshot: snapshot)
        }
    }

    /// Returns a query that reads this index, named as in explanations: `(state ASC, population DESC)`.
    ///
    /// A hint changes neither whether the query is served nor its documents and their order. The call that runs the
    /// query throws `invalidArgument` if there is no such index, if it is being built, if it has another scope, or if
    /// it may lack documents that the query finds.
    public func usingIndex(_ index: String) -> Query {
        changed(.other { $0.use(index: index) })
    }
}

extension AggregateQuery {
    /// Explains how production and Hearth compute the aggregations; see ``Query/explain(_:)``.
    public nonisolated(nonsending) func explain(
        _ options: ExplainOptions = ExplainOptions()
    ) async throws -> ExplainResults<AggregateQuerySnapshot> {
        try await explainJob(options).value()
    }

    /// Explains the aggregations and calls `completion` with the results or an error, on
    /// ``FirestoreSettings/dispatchQueue``.
    public func explain(
        _ options: ExplainOptions = ExplainOptions(),
        completion:
            @escaping (
                _ results: ExplainResults<AggregateQuerySnapshot>?, _ error: (any Error)?
            ) -> Void
    ) {
        explainJob(options).start { completion($0.success, $0.failure) }
    }

    fileprivate func explainJob(_ options: ExplainOptions) -> Job<ExplainResults<AggregateQuerySnapshot>> {
        Job(query.firestore, .read) { [self] engine in
            let (metrics, result) = try ExplainMetrics.of(.aggregation(try planned()), options, engine)
            return ExplainResults(metrics: metrics, snapshot: result.map { snapshot($0.aggregates.map(\.value)) })
        }
    }
}

extension BlockingAPI where Base: Query {
    /// The blocking form of ``Query/explain(_:)``.
    public func explain(_ options: ExplainOptions = ExplainOptions()) throws -> ExplainResults<QuerySnapshot> {
        try base.explainJob(options).wait()
    }
}

extension BlockingAPI where Base == AggregateQuery {
    /// The blocking form of ``AggregateQuery/explain(_:)``.
    public func explain(_ options: ExplainOptions = ExplainOptions()) throws -> ExplainResults<AggregateQuerySnapshot> {
        try base.explainJob(options).wait()
    }
}
