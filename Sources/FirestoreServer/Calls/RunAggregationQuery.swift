// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// The answer of an aggregation query.
    struct AggregationAnswer: Sendable {
        /// Nil if the query was planned only.
        let values: [(alias: Text, value: Value)]?
        let readTime: Timestamp
        let transaction: [UInt8]?
        let explanation: QueryExplanation?
    }

    extension FirestoreService {
        /// RunAggregationQuery.
        func runAggregationQuery(
            _ query: AggregationQuery, explain: ExplainMode?, at snapshot: Snapshot
        ) throws(RequestError) -> AggregationAnswer {
            let request = QueryRequest.aggregation(query)
            var explanation: QueryExplanation?
            var result: QueryResult?
            if explain == .plan {
                explanation = try snapshot.plan(request)
            } else {
                var run = MeasuredRun()
                result = try run.measure { () throws(RequestError) in try snapshot.run(request) }
                if explain == .analyze { explanation = try snapshot.explanation(of: request, run) }
            }
            return AggregationAnswer(
                values: result?.aggregates, readTime: snapshot.time, transaction: snapshot.newTransaction,
                explanation: explanation)
        }
    }
#endif
