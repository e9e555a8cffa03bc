// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Runs a plan over one unchanging state of the database.
struct QueryExecutor {
    private let plan: QueryPlan
    private let environment: SourceEnvironment
    /// Whether to look beyond a limit, as production does (P-8).
    private let asProduction: Bool

    init(_ plan: QueryPlan, _ environment: SourceEnvironment, asProduction: Bool) {
        self.plan = plan
        self.environment = environment
        self.asProduction = asProduction
    }

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

    @_lifetime(cursors: copy cursors)
    func aggregates(_ cursors: inout CursorSet) throws(EngineError) -> [(Text, Value)] {
        var aggregator = Aggregator(plan.query.aggregations)
        try forEachRow(&cursors, upTo: aggregator.rowLimit) { (source, cursors) throws(EngineError) in
            try aggregator.add(source, cursors)
        }
        environment.counters.rows = 1
        return aggregator.results()
    }

    @_lifetime(cursors: copy cursors)
    private func forEachRow(
        _ cursors: inout CursorSet, upTo rowLimit: Int? = nil,
        _ body: (RowSource, borrowing CursorSet) throws(EngineError) -> Void
    ) throws(EngineError) {
        guard let source = try SourceBuilder(plan, environment).source(&cursors) else { return }
        for _ in 0..<plan.query.offset {
            guard try source.next(&cursors) else { return }
            environment.counters.rowsSkipped += 1
        }
        let limit = min(plan.query.limit ?? .max, rowLimit ?? .max)
        var count = 0
        while count < limit, try source.next(&cursors) {
            try body(source, cursors)
            count += 1
        }
        if asProduction, count == plan.query.limit, plan.readsOneEntryBeyondLimit { _ = try source.next(&cursors) }
    }

    private func document(_ source: RowSource, _ cursors: borrowing CursorSet) throws(EngineError) -> Document {
        var document: Document
        if let delivered = try source.document(cursors) {
            document = delivered
        } else {
            document = try fetch(source, cursors)
        }
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

    private func fetch(_ source: RowSource, _ cursors: borrowing CursorSet) throws(EngineError) -> Document {
        var key: [UInt8] = []
        try source.appendDocumentKey(to: &key, cursors)
        let stores = environment.stores
        guard let record = try stores.keyed(stores.documents).get(cursors, key.span.bytes) else {
            throw .damaged("an index entry names \(try source.path(cursors)), which does not exist")
        }
        environment.counters.documentsRead += 1
        environment.counters.bytesRead += record.byteCount
        return try Document(try source.path(cursors), record, key: key.span.bytes, database: environment.database)
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
