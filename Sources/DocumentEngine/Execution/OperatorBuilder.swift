// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner

/// Makes the row operators of a plan.
struct OperatorBuilder {
    let execution: ExecutionPlan
    let context: ExecutionContext
    var plan: QueryPlan { execution.plan }

    init(_ execution: ExecutionPlan, _ context: ExecutionContext) {
        self.execution = execution
        self.context = context
    }

    /// The rows of the plan. Nil if there is nothing to read, because a collection or an index has no entries.
    func rows(_ transaction: inout Transaction) throws(EngineError) -> (any RowOperator)? {
        // A plan without parts finds nothing: its limit is 0, or its filters contradict each other. The past changes neither.
        guard !plan.disjuncts.isEmpty else { return nil }
        if let past = context.past { return try rows(at: past, &transaction) }
        if case .sequence(let positions) = execution.union {
            return ConcatenateOperator(positions, self, context)
        }
        var inputs: [any RowOperator] = []
        for index in plan.disjuncts.indices {
            if let input = try rows(index, &transaction) { inputs.append(input) }
        }
        if let nearest = plan.query.query.nearest { return VectorTopKOperator(inputs, nearest, context) }
        return inputs.count > 1 ? MergeOperator(inputs, context) : inputs.first
    }

    /// The rows of one disjunct.
    func rows(_ position: Int, _ transaction: inout Transaction) throws(EngineError) -> (any RowOperator)? {
        let disjunct = plan.disjuncts[position]
        switch execution.strategies[position] {
        case .planned: return try planned(disjunct, position, &transaction)
        case .backwards(let backwards): return try planned(backwards, position, &transaction)
        case .sorted(let alternatives): return try sorted(alternatives, position, &transaction)
        case .adaptive(let alternatives, let budget):
            let rows = try planned(disjunct, position, &transaction)
            context.decisions[position] = .planned
            // Only a residual filter makes the planned way slower than another.
            guard let rows = rows as? any BudgetedOperator else { return rows }
            return AdaptiveOperator(rows, alternatives: alternatives, budget: budget, at: position, self, context)
        }
    }

    private func planned(
        _ disjunct: DisjunctPlan, _ position: Int, _ transaction: inout Transaction
    ) throws(EngineError) -> (any RowOperator)? {
        switch disjunct.access {
        case .documents(let scan): try OperatorBuilder.documents(scan, context, &transaction)
        case .index(let scan): try OperatorBuilder.index(scan, disjunct.sortKey, context, &transaction)
        case .join(let scans): try join(scans, disjunct.sortKey, &transaction)
        case .nearest(let scan): try OperatorBuilder.index(scan, [], context, &transaction)
        case .fullScan(let scan): try sorted([.documents(scan)], position, &transaction)
        }
    }

    /// The rows of a disjunct from the documents of the shortest of these scans.
    func sorted(
        _ alternatives: [AccessPath], _ position: Int, _ transaction: inout Transaction
    ) throws(EngineError) -> (any RowOperator)? {
        var shortest = alternatives[0]
        if alternatives.count > 1 {
            var trial = try ScanTrial(alternatives, self, &transaction)
            shortest = try trial.shortest(&transaction)
            context.decisions[position] = .sorted([shortest])
        }
        guard let rows = try scan(shortest, &transaction) else { return nil }
        return SortOperator(rows, plan.query.disjuncts[position].filters, plan.query, context)
    }

    /// The entries of one scan.
    func scan(_ alternative: AccessPath, _ transaction: inout Transaction) throws(EngineError) -> (any RowOperator)? {
        switch alternative {
        case .documents(let scan): try OperatorBuilder.documents(scan, context, &transaction)
        case .index(let scan): try OperatorBuilder.index(scan, [], context, &transaction)
        case .join, .nearest, .fullScan: preconditionFailure("an alternative is one scan")
        }
    }

    /// The documents of a scope in name order.
    static func documents(
        in scope: DocumentScope, _ context: ExecutionContext, _ transaction: inout Transaction
    ) throws(EngineError) -> (any RowOperator)? {
        try documents(DocumentScan(scope: scope, ranges: [.all], backwards: false), context, &transaction)
    }

    static func documents(
        _ scan: DocumentScan, _ context: ExecutionContext, _ transaction: inout Transaction
    ) throws(EngineError) -> (any RowOperator)? {
        guard case .collection(let path) = scan.scope else {
            return try CollectionWalkOperator(scan, context, &transaction)
        }
        guard let collectionID = try context.ids.collectionID(of: path, transaction) else { return nil }
        let cursor = try RangeCursor(
            .documents, prefix: OrderedInteger.bytes(collectionID), ranges: scan.ranges,
            backwards: scan.backwards, &transaction)
        return CollectionScanOperator(path, collectionID: collectionID, cursor, backwards: scan.backwards, context)
    }

    /// The entries of one index.
    static func index(
        _ scan: IndexScan, _ sortKey: [SortKeyPart], _ context: ExecutionContext, _ transaction: inout Transaction
    ) throws(EngineError) -> IndexScanOperator? {
        guard let (cursor, entries) = try entries(of: scan, context, &transaction) else { return nil }
        return IndexScanOperator(cursor, entries, sortKey, context)
    }

    private func join(
        _ scans: [IndexScan], _ sortKey: [SortKeyPart], _ transaction: inout Transaction
    ) throws(EngineError) -> (any RowOperator)? {
        var members: [(RangeCursor, EntryReader)] = []
        for scan in scans {
            guard let member = try OperatorBuilder.entries(of: scan, context, &transaction) else { return nil }
            members.append(member)
        }
        return JoinOperator(members, sortKey, context)
    }

    private static func entries(
        of scan: IndexScan, _ context: ExecutionContext, _ transaction: inout Transaction
    ) throws(EngineError) -> (RangeCursor, EntryReader)? {
        guard let (store, prefix, collectionID) = try located(scan, scan.prefix, context, transaction) else {
            return nil
        }
        return (
            try RangeCursor(store, prefix: prefix, ranges: scan.ranges, backwards: scan.backwards, &transaction),
            EntryReader(scan, collectionID: collectionID)
        )
    }

    /// The merged entries of a scan with each of several prefixes. Nil if there are none.
    static func merge(
        of scan: IndexScan, _ prefixes: [[UInt8]], _ context: ExecutionContext, _ transaction: inout Transaction
    ) throws(EngineError) -> ScanMerge? {
        guard let (store, start, collectionID) = try located(scan, [], context, transaction) else { return nil }
        var cursors: [RangeCursor] = []
        cursors.reserveCapacity(prefixes.count)
        for prefix in prefixes {
            cursors.append(
                try RangeCursor(
                    store, prefix: start + prefix, ranges: scan.ranges, backwards: scan.backwards, &transaction))
        }
        return ScanMerge(cursors, EntryReader(scan, collectionID: collectionID))
    }

    /// The store of a scan's entries, the start of their keys with `prefix` at its end, and in a collection's scope its ID.
    private static func located(
        _ scan: IndexScan, _ prefix: [UInt8], _ context: ExecutionContext, _ transaction: borrowing Transaction
    ) throws(EngineError) -> (StoreName, start: [UInt8], collectionID: UInt64?)? {
        let scope: QueryScope
        var collectionID: UInt64?
        if case .collection(let path) = scan.scope {
            scope = .collection
            collectionID = try context.ids.collectionID(of: path, transaction)
            guard collectionID != nil else { return nil }
        } else {
            scope = .collectionGroup
        }
        var start: [UInt8] = []
        start.reserveCapacity(prefix.count + 24)
        guard let store = try locate(scan.index, scope, context, transaction, &start) else { return nil }
        if let collectionID { OrderedInteger.append(collectionID, to: &start) }
        start += prefix
        return (store, start, collectionID)
    }

    /// The store of an index's entries, whose key prefix is appended to `start`.
    private static func locate(
        _ index: IndexReference, _ scope: QueryScope, _ context: ExecutionContext,
        _ transaction: borrowing Transaction, _ start: inout [UInt8]
    ) throws(EngineError) -> StoreName? {
        switch index {
        case .composite(let definition):
            guard let composite = context.catalog.composite(definition) else { return nil }
            start += composite.prefix(scope)
            return .compositeEntries
        case .automatic(let group, let path, let index):
            let key = FieldIndexKey(
                collectionGroup: group, path: path, scope: index.scope, isContains: index.mode == .contains)
            guard let indexID = try context.ids.indexID(of: key, transaction) else { return nil }
            OrderedInteger.append(indexID, to: &start)
            return .fieldEntries
        }
    }
}
