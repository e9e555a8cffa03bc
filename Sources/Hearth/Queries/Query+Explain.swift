// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

extension Query {
    /// Says how production and Hearth run the query, and with ``ExplainOptions/analyze`` runs it too.
    ///
    /// ```swift
    /// let results = try await query.explain(ExplainOptions(analyze: true))
    /// print(results.metrics.planSummary.executedPlan)
    /// print(results.metrics.executionStats?.readOperations ?? 0, "read operations in production")
    /// ```
    ///
    /// The names are those of Firestore's server libraries (P-9 to P-15).
    ///
    /// - Throws: as ``getDocuments(source:)``. A missing index is an error of a plan that is not run, too; its message is then
    ///   production's short one, with all there is to know in ``FirestoreError/missingIndex``.
    public nonisolated(nonsending) func explain(
        _ options: ExplainOptions = ExplainOptions()
    ) async throws -> ExplainResults<QuerySnapshot> {
        try await explainJob(options).value()
    }

    /// The same with a callback, which gets results or an error.
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

    /// Reads this index where the query runs, written as explanations print indexes: `(state ASC, population DESC)`.
    ///
    /// A hint changes neither whether the query is served nor its documents and their order. The call that runs the query
    /// throws `invalidArgument` if there is no such index, if it is being built, if it has another scope, or if documents that
    /// the query finds may be missing from it.
    public func usingIndex(_ index: String) -> Query {
        changed { $0.use(index: index) }
    }
}

extension AggregateQuery {
    /// Says how production and Hearth compute the aggregations; see ``Query/explain(_:)``.
    public nonisolated(nonsending) func explain(
        _ options: ExplainOptions = ExplainOptions()
    ) async throws -> ExplainResults<AggregateQuerySnapshot> {
        try await explainJob(options).value()
    }

    /// The same with a callback, which gets results or an error.
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

extension Synchronous where Base: Query {
    /// ``Query/explain(_:)``, blocking.
    public func explain(_ options: ExplainOptions = ExplainOptions()) throws -> ExplainResults<QuerySnapshot> {
        try base.explainJob(options).wait()
    }
}

extension Synchronous where Base == AggregateQuery {
    /// ``AggregateQuery/explain(_:)``, blocking.
    public func explain(_ options: ExplainOptions = ExplainOptions()) throws -> ExplainResults<AggregateQuerySnapshot> {
        try base.explainJob(options).wait()
    }
}
