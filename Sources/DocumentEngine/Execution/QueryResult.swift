// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
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
    /// Whether there may be more rows within the limit: the records have as many bytes as were asked for.
    package let isCut: Bool
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
            execution: executed, counters: context.counters, wasScanned: wasScanned,
            isCut: context.isCut, transactionID: transaction.id)
    }
}

/// The work that an execution did. It does not depend on the machine.
package struct ExecutionCounters: Sendable, Hashable {
    /// Entries of indexes, or of the documents store, at which a cursor stopped.
    package var entriesScanned = 0
    /// Cursor movements other than a step to a neighbour.
    package var seeks = 0
    package var documentsRead = 0
    /// Documents that were looked up by their keys. The others came with their rows.
    package var documentLookups = 0
    /// Documents that were read and then rejected by a filter. Only scans without an index reject documents.
    package var documentsRejected = 0
    /// Bytes of the documents read.
    package var bytesRead = 0
    /// Rows skipped by an offset.
    package var rowsSkipped = 0
    /// Documents or aggregation rows delivered.
    package var rows = 0

    package init() {}
}
