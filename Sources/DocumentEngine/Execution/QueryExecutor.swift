// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Runs a plan over one unchanging state of the database.
struct QueryExecutor {
    let plan: QueryPlan
    let environment: SourceEnvironment
    private let builder: SourceBuilder

    init(_ execution: ExecutionPlan, _ environment: SourceEnvironment) {
        plan = execution.plan
        self.environment = environment
        builder = SourceBuilder(execution, environment)
    }

    /// What ran.
    var execution: ExecutionPlan { builder.execution }

    /// The documents in the query's order, projected.
    @_lifetime(cursors: copy cursors)
    func documents(_ cursors: inout CursorSet) throws(EngineError) -> [Document] {
        var documents: [Document] = []
        try forEachRow(&cursors) { (source, cursors) throws(EngineError) in
            documents.append(try self.document(source, cursors))
        }
        if plan.query.reversesRows { documents.reverse() }
        environment.counters.rows = documents.count
        return documents
    }

    /// The same as records, whose fields are read when they are asked for; nothing is counted.
    @_lifetime(cursors: copy cursors)
    func records(_ cursors: inout CursorSet) throws(EngineError) -> [DocumentRecord] {
        guard plan.query.query.projection == nil, plan.query.query.nearest == nil else {
            return try documents(&cursors).map { DocumentRecord($0, database: environment.database) }
        }
        guard let source = try source(&cursors) else { return [] }
        var records = try environment.records(of: source, limit: plan.query.limit, &cursors)
        if plan.query.reversesRows { records.reverse() }
        return records
    }

    @_lifetime(cursors: copy cursors)
    func aggregates(_ cursors: inout CursorSet) throws(EngineError) -> [(Text, Value)] {
        var aggregator = Aggregator(plan.query.aggregations)
        if aggregator.onlyCounts {
            aggregator.add(rows: try countRows(&cursors, upTo: aggregator.rowLimit))
        } else if aggregator.onlyField != nil, plan.query.limit == nil {
            if let source = try source(&cursors) { try aggregator.addAll(of: source, &cursors) }
        } else {
            try forEachRow(&cursors) { (source, cursors) throws(EngineError) in try aggregator.add(source, cursors) }
        }
        environment.counters.rows = 1
        return aggregator.results()
    }

    @_lifetime(cursors: copy cursors)
    private func countRows(_ cursors: inout CursorSet, upTo rowLimit: Int?) throws(EngineError) -> Int {
        guard let source = try source(&cursors) else { return 0 }
        let count = try source.skip(atMost: min(plan.query.limit ?? .max, rowLimit ?? .max), &cursors)
        try lookBeyondLimit(source, count, &cursors)
        return count
    }

    @_lifetime(cursors: copy cursors)
    private func forEachRow(
        _ cursors: inout CursorSet, _ body: (RowSource, borrowing CursorSet) throws(EngineError) -> Void
    ) throws(EngineError) {
        guard let source = try source(&cursors) else { return }
        var count = 0
        while count < plan.query.limit ?? .max, try source.next(&cursors) {
            try body(source, cursors)
            count += 1
        }
        try lookBeyondLimit(source, count, &cursors)
    }

    /// The rows behind the offset; nil if there are none.
    @_lifetime(cursors: copy cursors)
    private func source(_ cursors: inout CursorSet) throws(EngineError) -> RowSource? {
        guard let source = try builder.source(&cursors) else { return nil }
        guard plan.query.offset > 0 else { return source }
        let skipped = try source.skip(atMost: plan.query.offset, &cursors)
        environment.counters.rowsSkipped += skipped
        return skipped == plan.query.offset ? source : nil
    }

    @_lifetime(cursors: copy cursors)
    private func lookBeyondLimit(
        _ source: RowSource, _ count: Int, _ cursors: inout CursorSet
    ) throws(EngineError) {
        guard environment.asProduction, count == plan.query.limit, plan.readsOneEntryBeyondLimit else { return }
        _ = try source.next(&cursors)
    }

    private func document(_ source: RowSource, _ cursors: borrowing CursorSet) throws(EngineError) -> Document {
        var document = try environment.document(of: source, cursors)
        if let projection = plan.query.query.projection {
            document.fields = document.fields.selecting(projection.filter { !$0.isDocumentName })
        }
        if let nearest = plan.query.query.nearest, let name = nearest.distanceField,
            plan.query.query.projection?.contains(FieldPath(name: name)) ?? true
        {
            document.fields[name] = (source as? NearestSource).map { .double($0.distance) }
        }
        return document
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
