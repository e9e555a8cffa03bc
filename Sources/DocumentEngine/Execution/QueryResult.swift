// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
package import QueryPlanner

/// The result of a query.
package struct QueryResult: Sendable {
    /// The documents in the query's order. Empty for an aggregation.
    package let records: [DocumentRecord]
    /// The values by alias, in the order of the request. Empty for a document query.
    package let aggregates: [(alias: Text, value: Value)]
    /// The plan that production runs.
    package let plan: QueryPlan
    /// The plan that ran, with the choices that depended on the data.
    package let execution: ExecutionPlan
    package let counters: ExecutionCounters
    /// Whether documents were scanned because there was no index (permissive mode).
    package let wasScanned: Bool
    /// LMDB's number of the last commit that the query saw.
    package let transactionID: Int
}

extension QueryResult {
    /// The documents with all their fields.
    package var documents: [Document] {
        get throws(QueryError) {
            var documents: [Document] = []
            documents.reserveCapacity(records.count)
            do throws(EngineError) {
                for record in records { documents.append(try record.decoded()) }
            } catch {
                throw .engine(error)
            }
            return documents
        }
    }
}

/// Why a query was not answered.
package enum QueryError: Error, Sendable {
    case planning(PlanningError)
    case engine(EngineError)
}

extension QueryExecutor {
    func result(wasScanned: Bool, _ transaction: inout Transaction) throws(EngineError) -> QueryResult {
        let isAggregation = !plan.query.aggregations.isEmpty
        let records = isAggregation ? [] : try records(&transaction)
        let aggregates = isAggregation ? try aggregates(&transaction) : []
        return QueryResult(
            records: records, aggregates: aggregates.map { (alias: $0.0, value: $0.1) }, plan: plan,
            execution: execution, counters: context.counters, wasScanned: wasScanned,
            transactionID: transaction.id)
    }
}
