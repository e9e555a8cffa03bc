// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Runs a plan over one unchanging state of the database.
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
    func records(_ cursors: inout CursorSet) throws(EngineError) -> [DocumentRecord] {
        guard let rows = try rows(&cursors) else { return [] }
        var records = try context.records(of: rows, limit: plan.query.limit, &cursors)
        try lookBeyondLimit(rows, records.count, &cursors)
        context.counters.rows = records.count
        if changesFields { try changeFields(of: &records, rows as? VectorTopKOperator) }
        if plan.query.reversesRows { records.reverse() }
        return records
    }

    func aggregates(_ cursors: inout CursorSet) throws(EngineError) -> [(Text, Value)] {
        var aggregator = Aggregator(plan.query.aggregations)
        if aggregator.onlyCounts {
            aggregator.add(rows: try countRows(&cursors, upTo: aggregator.rowLimit))
        } else if aggregator.onlyField != nil, plan.query.limit == nil {
            if let rows = try rows(&cursors) { try aggregator.addAll(of: rows, &cursors) }
        } else {
            try forEachRow(&cursors) { (row, cursors) throws(EngineError) in try aggregator.add(row, cursors) }
        }
        context.counters.rows = 1
        return aggregator.results()
    }

    private func countRows(_ cursors: inout CursorSet, upTo rowLimit: Int?) throws(EngineError) -> Int {
        guard let rows = try rows(&cursors) else { return 0 }
        let count = try rows.skip(atMost: min(plan.query.limit ?? .max, rowLimit ?? .max), &cursors)
        try lookBeyondLimit(rows, count, &cursors)
        return count
    }

    private func forEachRow(
        _ cursors: inout CursorSet, _ body: (any RowOperator, borrowing CursorSet) throws(EngineError) -> Void
    ) throws(EngineError) {
        guard let rows = try rows(&cursors) else { return }
        var count = 0
        while count < plan.query.limit ?? .max, try rows.next(&cursors) {
            try body(rows, cursors)
            count += 1
        }
        try lookBeyondLimit(rows, count, &cursors)
    }

    /// The rows behind the offset; nil if there are none.
    private func rows(_ cursors: inout CursorSet) throws(EngineError) -> (any RowOperator)? {
        guard let rows = try builder.rows(&cursors) else { return nil }
        guard plan.query.offset > 0 else { return rows }
        let skipped = try rows.skip(atMost: plan.query.offset, &cursors)
        context.counters.rowsSkipped += skipped
        return skipped == plan.query.offset ? rows : nil
    }

    private func lookBeyondLimit(
        _ rows: any RowOperator, _ count: Int, _ cursors: inout CursorSet
    ) throws(EngineError) {
        guard context.asProduction, count == plan.query.limit, plan.readsOneEntryBeyondLimit else { return }
        _ = try rows.next(&cursors)
    }

    /// Whether the documents are delivered otherwise than they are stored.
    private var changesFields: Bool {
        plan.query.query.projection != nil || plan.query.query.nearest?.distanceField != nil
    }

    /// Leaves the projected fields in place, with the distances where those are asked for.
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
    /// A single scan reads one entry more than its limit; a join stops at its last match, an aggregation at its cap (P-7, P-8).
    fileprivate var readsOneEntryBeyondLimit: Bool {
        guard query.aggregations.isEmpty, disjuncts.count == 1 else { return false }
        switch disjuncts[0].access {
        case .documents, .index: return true
        case .join, .nearest, .fullScan: return false
        }
    }
}
