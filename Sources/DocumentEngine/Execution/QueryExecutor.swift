// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Runs a plan in one read transaction.
struct QueryExecutor {
    let plan: QueryPlan
    let context: ExecutionContext
    private let builder: OperatorBuilder

    init(_ execution: ExecutionPlan, _ context: ExecutionContext) {
        plan = execution.plan
        self.context = context
        builder = OperatorBuilder(execution, context)
    }

    /// What ran, once the rows or aggregates were asked for.
    var executed: ExecutionPlan { builder.execution.executed(context.decisions) }

    /// The documents in the query's order, projected.
    func records(_ transaction: inout Transaction) throws(EngineError) -> [DocumentRecord] {
        guard let rows = try rows(&transaction) else { return [] }
        var records = try context.records(
            of: rows, in: plan.query.scope.collection, limit: plan.query.limit, &transaction)
        try lookBeyondLimit(rows, records.count, &transaction)
        context.counters.rows = records.count
        if changesFields { try changeFields(of: &records, rows as? VectorTopKOperator) }
        if plan.query.reversesRows { records.reverse() }
        return records
    }

    func aggregates(_ transaction: inout Transaction) throws(EngineError) -> [(Text, Value)] {
        var aggregator = Aggregator(plan.query.aggregations)
        if aggregator.onlyCounts {
            aggregator.add(rows: try countRows(&transaction, upTo: aggregator.rowLimit))
        } else if aggregator.onlyField != nil, plan.query.limit == nil {
            if let rows = try rows(&transaction) { try aggregator.addAll(of: rows, &transaction) }
        } else {
            try forEachRow(&transaction) { (row, transaction) throws(EngineError) in
                try aggregator.add(row, transaction)
            }
        }
        context.counters.rows = 1
        return aggregator.results()
    }

    /// What production would report, counted without the documents, which would take as much memory as an answer.
    func productionCounters(_ transaction: inout Transaction) throws(EngineError) -> ProductionCounters {
        if plan.query.aggregations.isEmpty {
            context.counters.rows = try countRows(&transaction, upTo: nil)
        } else {
            _ = try aggregates(&transaction)
        }
        return ProductionCounters(plan.query, context.counters)
    }

    private func countRows(_ transaction: inout Transaction, upTo rowLimit: Int?) throws(EngineError) -> Int {
        guard let rows = try rows(&transaction) else { return 0 }
        let count = try rows.skip(atMost: min(plan.query.limit ?? .max, rowLimit ?? .max), &transaction)
        try lookBeyondLimit(rows, count, &transaction)
        return count
    }

    private func forEachRow(
        _ transaction: inout Transaction, _ body: (any RowOperator, borrowing Transaction) throws(EngineError) -> Void
    ) throws(EngineError) {
        guard let rows = try rows(&transaction) else { return }
        var count = 0
        while count < plan.query.limit ?? .max, try rows.next(&transaction) {
            try body(rows, transaction)
            count += 1
        }
        try lookBeyondLimit(rows, count, &transaction)
    }

    /// The rows after the offset, or nil if there are none.
    private func rows(_ transaction: inout Transaction) throws(EngineError) -> (any RowOperator)? {
        guard let rows = try builder.rows(&transaction) else { return nil }
        guard plan.query.offset > 0 else { return rows }
        let skipped = try rows.skip(atMost: plan.query.offset, &transaction)
        context.counters.rowsSkipped += skipped
        return skipped == plan.query.offset ? rows : nil
    }

    private func lookBeyondLimit(
        _ rows: any RowOperator, _ count: Int, _ transaction: inout Transaction
    ) throws(EngineError) {
        guard context.asProduction, count == plan.query.limit, plan.readsOneEntryBeyondLimit else { return }
        _ = try rows.next(&transaction)
    }

    /// Whether the query delivers documents with other fields than the stored ones.
    private var changesFields: Bool {
        plan.query.query.projection != nil || plan.query.query.nearest?.distanceField != nil
    }

    /// Reduces documents to the projected fields, and adds distances if the query asks for them.
    private func changeFields(
        of records: inout [DocumentRecord], _ nearest: VectorTopKOperator?
    ) throws(EngineError) {
        let projection = plan.query.query.projection
        var distanceField = plan.query.query.nearest?.distanceField
        if let name = distanceField, projection?.contains(FieldPath(name: name)) == false { distanceField = nil }
        let distances = nearest?.distances ?? []
        for index in records.indices {
            var document = try records[index].decoded()
            if let projection {
                document.fields = document.fields.selecting(projection.filter { !$0.isDocumentName })
            }
            if let distanceField { document.fields[distanceField] = .double(distances[index]) }
            records[index] = DocumentRecord(document, database: context.database)
        }
    }
}

extension QueryPlan {
    /// A single scan reads one entry beyond its limit. A join stops at its last match, an aggregation at its cap (P-7,
    /// P-8).
    fileprivate var readsOneEntryBeyondLimit: Bool {
        guard query.aggregations.isEmpty, disjuncts.count == 1 else { return false }
        switch disjuncts[0].access {
        case .documents, .index: return true
        case .join, .nearest, .fullScan: return false
        }
    }
}
