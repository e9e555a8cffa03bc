// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

// The query runs entry by entry as production runs it, for its counts alone. It is no part of an answer: memory holds no rows, and
// documents are read only where a row depends on them.
extension Engine {
    /// What production would report and bill for a query now.
    package func productionCounters(of request: QueryRequest) throws(QueryError) -> ProductionCounters {
        try answer(request) { (catalog, transaction) throws(EngineError) in
            switch self.plan(request, catalog, allowScan: false) {
            case .failure(let error): return .failure(error)
            case .success(let chosen):
                return .success(try self.productionCounters(chosen.plan, catalog, nil, &transaction))
            }
        }
    }

    /// The same at a time, as ``run(_:at:allowScan:by:byteGoal:)`` answers then.
    package func productionCounters(
        of request: QueryRequest, at time: Timestamp
    ) throws(QueryError) -> ProductionCounters {
        try answer(request, at: time, allowScan: false) { (chosen, catalog, past, transaction) throws(EngineError) in
            try self.productionCounters(chosen.plan, catalog, past, &transaction)
        }
    }

    private func productionCounters(
        _ plan: QueryPlan, _ catalog: CatalogSnapshot, _ past: PastVersions?, _ transaction: inout Transaction
    ) throws(EngineError) -> ProductionCounters {
        let context = ExecutionContext(ids, catalog, asProduction: true)
        context.past = past
        let execution = ExecutionStrategy.production.execution(of: plan)
        return try QueryExecutor(execution, context).productionCounters(&transaction)
    }
}
