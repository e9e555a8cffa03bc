// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// Makes the sources of rows that a plan describes.
struct OperatorBuilder {
    let execution: ExecutionPlan
    private let context: ExecutionContext
    private var plan: QueryPlan { execution.plan }

    init(_ execution: ExecutionPlan, _ context: ExecutionContext) {
        self.execution = execution
        self.context = context
    }

    /// Nil if there is nothing to read: a collection or an index without entries.
    func rows(_ cursors: inout CursorSet) throws(EngineError) -> (any RowOperator)? {
        if case .sequence(let positions) = execution.union {
            return ConcatenateOperator(positions, self, context)
        }
        var inputs: [any RowOperator] = []
        for index in plan.disjuncts.indices {
            if let input = try rows(index, &cursors) { inputs.append(input) }
        }
        if let nearest = plan.query.query.nearest { return VectorTopKOperator(inputs, nearest, context) }
        return inputs.count > 1 ? MergeOperator(inputs, context) : inputs.first
    }

    /// The rows of one disjunct.
    func rows(_ position: Int, _ cursors: inout CursorSet) throws(EngineError) -> (any RowOperator)? {
        let disjunct = plan.disjuncts[position]
        switch execution.strategies[position] {
        case .planned: return try planned(disjunct, position, &cursors)
        case .backwards(let backwards): return try planned(backwards, position, &cursors)
        case .sorted(let drivers): return try sorted(drivers, position, &cursors)
        case .adaptive(let drivers, let patience):
            let rows = try planned(disjunct, position, &cursors)
            context.decisions[position] = .planned
            // Only a residual filter makes the planned way worse than another.
            guard let rows = rows as? any BudgetedOperator else { return rows }
            return AdaptiveOperator(rows, drivers: drivers, patience: patience, at: position, self, context)
        }
    }

    private func planned(
        _ disjunct: DisjunctPlan, _ position: Int, _ cursors: inout CursorSet
    ) throws(EngineError) -> (any RowOperator)? {
        switch disjunct.access {
        case .documents(let scan): try OperatorBuilder.documents(scan, context, &cursors)
        case .index(let scan): try OperatorBuilder.index(scan, disjunct.sortKey, context, &cursors)
        case .join(let scans): try join(scans, disjunct.sortKey, &cursors)
        case .nearest(let scan): try OperatorBuilder.index(scan, [], context, &cursors)
        case .fullScan(let scan): try sorted([.documents(scan)], position, &cursors)
        }
    }

    /// The rows of a disjunct from the documents of the shortest of these scans.
    func sorted(
        _ drivers: [AccessPath], _ position: Int, _ cursors: inout CursorSet
    ) throws(EngineError) -> (any RowOperator)? {
        var shortest = drivers[0]
        if drivers.count > 1 {
            var race = try DriverRace(drivers, self, &cursors)
            shortest = try race.shortest(&cursors)
            context.decisions[position] = .sorted([shortest])
        }
        guard let rows = try scan(shortest, &cursors) else { return nil }
        return SortOperator(rows, plan.query.disjuncts[position].filters, plan.query, context)
    }

    /// The entries of one scan.
    func scan(_ driver: AccessPath, _ cursors: inout CursorSet) throws(EngineError) -> (any RowOperator)? {
        switch driver {
        case .documents(let scan): try OperatorBuilder.documents(scan, context, &cursors)
        case .index(let scan): try OperatorBuilder.index(scan, [], context, &cursors)
        case .join, .nearest, .fullScan: preconditionFailure("a driver is one scan")
        }
    }

    /// The documents of a scope in name order.
    static func documents(
        in scope: DocumentScope, _ context: ExecutionContext, _ cursors: inout CursorSet
    ) throws(EngineError) -> (any RowOperator)? {
        try documents(DocumentScan(scope: scope, ranges: [.all], backwards: false), context, &cursors)
    }

    private static func documents(
        _ scan: DocumentScan, _ context: ExecutionContext, _ cursors: inout CursorSet
    ) throws(EngineError) -> (any RowOperator)? {
        guard case .collection(let path) = scan.scope else {
            return try CollectionWalkOperator(scan, context, &cursors)
        }
        guard let number = try context.numbers.collection(path, cursors) else { return nil }
        let stores = context.stores
        let cursor = try RangeCursor(
            stores.keyed(stores.documents), prefix: OrderedInteger.bytes(number), ranges: scan.ranges,
            backwards: scan.backwards, &cursors)
        return CollectionScanOperator(path, number: number, cursor, backwards: scan.backwards, context)
    }

    /// The entries of one index.
    static func index(
        _ scan: IndexScan, _ sortKey: [SortKeyPart], _ context: ExecutionContext, _ cursors: inout CursorSet
    ) throws(EngineError) -> IndexScanOperator? {
        guard let (cursor, reader) = try opened(scan, context, &cursors) else { return nil }
        return IndexScanOperator(cursor, reader, sortKey, context)
    }

    private func join(
        _ scans: [IndexScan], _ sortKey: [SortKeyPart], _ cursors: inout CursorSet
    ) throws(EngineError) -> (any RowOperator)? {
        var members: [(RangeCursor, EntryReader)] = []
        for scan in scans {
            guard let member = try OperatorBuilder.opened(scan, context, &cursors) else { return nil }
            members.append(member)
        }
        return JoinOperator(members, sortKey, context)
    }

    private static func opened(
        _ scan: IndexScan, _ context: ExecutionContext, _ cursors: inout CursorSet
    ) throws(EngineError) -> (RangeCursor, EntryReader)? {
        let scope: QueryScope
        var collection: UInt64?
        if case .collection(let path) = scan.scope {
            scope = .collection
            collection = try context.numbers.collection(path, cursors)
            guard collection != nil else { return nil }
        } else {
            scope = .collectionGroup
        }
        guard let (store, index) = try located(scan.index, scope, context, cursors) else { return nil }
        var prefix: [UInt8] = []
        prefix.reserveCapacity(index.count + 9 + scan.prefix.count)
        prefix += index
        if let collection { OrderedInteger.append(collection, to: &prefix) }
        prefix += scan.prefix
        let cursor = try RangeCursor(store, prefix: prefix, ranges: scan.ranges, backwards: scan.backwards, &cursors)
        return (cursor, EntryReader(scan, collection: collection))
    }

    /// The store that holds an index's entries and what their keys begin with.
    private static func located(
        _ index: IndexReference, _ scope: QueryScope, _ context: ExecutionContext,
        _ cursors: borrowing CursorSet
    ) throws(EngineError) -> (KeyedStore, [UInt8])? {
        let stores = context.stores
        switch index {
        case .composite(let definition):
            guard let composite = context.catalog.composite(definition) else { return nil }
            return (stores.keyed(stores.compositeEntries), composite.prefix(scope))
        case .automatic(let group, let path, let index):
            let key = FieldIndexKey(
                collectionGroup: group, path: path, scope: index.scope, isContains: index.mode == .contains)
            guard let number = try context.numbers.fieldIndex(key, cursors) else { return nil }
            return (stores.keyed(stores.fieldEntries), OrderedInteger.bytes(number))
        }
    }
}
