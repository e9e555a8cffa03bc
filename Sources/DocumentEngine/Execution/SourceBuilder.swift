// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// Makes the sources of rows that a plan describes.
final class SourceBuilder {
    /// What runs. Where the data decide on the way, what they decided.
    var execution: ExecutionPlan
    private let environment: SourceEnvironment
    private var plan: QueryPlan { execution.plan }

    init(_ execution: ExecutionPlan, _ environment: SourceEnvironment) {
        self.execution = execution
        self.environment = environment
    }

    /// Nil if there is nothing to read: a collection or an index without entries.
    @_lifetime(cursors: copy cursors)
    func source(_ cursors: inout CursorSet) throws(EngineError) -> RowSource? {
        if case .sequence(let positions) = execution.union {
            return SequenceSource(positions, self, environment)
        }
        var sources: [RowSource] = []
        for index in plan.disjuncts.indices {
            if let source = try source(index, &cursors) { sources.append(source) }
        }
        if let nearest = plan.query.query.nearest { return NearestSource(sources, nearest, environment) }
        return sources.count > 1 ? MergeSource(sources, environment) : sources.first
    }

    /// The rows of one disjunct.
    @_lifetime(cursors: copy cursors)
    func source(_ position: Int, _ cursors: inout CursorSet) throws(EngineError) -> RowSource? {
        let disjunct = plan.disjuncts[position]
        switch execution.ways[position] {
        case .planned: return try planned(disjunct, position, &cursors)
        case .backwards(let backwards): return try planned(backwards, position, &cursors)
        case .sorted(let drivers): return try sorted(drivers, position, &cursors)
        case .adaptive(let drivers, let patience):
            guard let source = try planned(disjunct, position, &cursors) else { return nil }
            return AdaptiveSource(source, drivers: drivers, patience: patience, at: position, self, environment)
        }
    }

    @_lifetime(cursors: copy cursors)
    private func planned(
        _ disjunct: DisjunctPlan, _ position: Int, _ cursors: inout CursorSet
    ) throws(EngineError) -> RowSource? {
        switch disjunct.access {
        case .documents(let scan): try SourceBuilder.documents(scan, environment, &cursors)
        case .index(let scan): try SourceBuilder.index(scan, disjunct.sortKey, environment, &cursors)
        case .join(let scans): try join(scans, disjunct.sortKey, &cursors)
        case .nearest(let scan): try SourceBuilder.index(scan, [], environment, &cursors)
        case .fullScan(let scan): try sorted([.documents(scan)], position, &cursors)
        }
    }

    /// The rows of a disjunct from the documents of the shortest of these scans.
    @_lifetime(cursors: copy cursors)
    func sorted(
        _ drivers: [AccessPath], _ position: Int, _ cursors: inout CursorSet
    ) throws(EngineError) -> RowSource? {
        var shortest = drivers[0]
        if drivers.count > 1 {
            var race = try DriverRace(drivers, self, &cursors)
            shortest = try race.shortest(&cursors)
            execution.ways[position] = .sorted([shortest])
        }
        guard let source = try scan(shortest, &cursors) else { return nil }
        return SortedSource(source, plan.query.disjuncts[position].filters, plan.query, environment)
    }

    /// The entries of one scan.
    @_lifetime(cursors: copy cursors)
    func scan(_ driver: AccessPath, _ cursors: inout CursorSet) throws(EngineError) -> RowSource? {
        switch driver {
        case .documents(let scan): try SourceBuilder.documents(scan, environment, &cursors)
        case .index(let scan): try SourceBuilder.index(scan, [], environment, &cursors)
        case .join, .nearest, .fullScan: preconditionFailure("a driver is one scan")
        }
    }

    /// The documents of a scope in name order.
    @_lifetime(cursors: copy cursors)
    static func documents(
        in scope: DocumentScope, _ environment: SourceEnvironment, _ cursors: inout CursorSet
    ) throws(EngineError) -> RowSource? {
        try documents(DocumentScan(scope: scope, ranges: [.all], backwards: false), environment, &cursors)
    }

    @_lifetime(cursors: copy cursors)
    private static func documents(
        _ scan: DocumentScan, _ environment: SourceEnvironment, _ cursors: inout CursorSet
    ) throws(EngineError) -> RowSource? {
        guard case .collection(let path) = scan.scope else {
            return try CollectionWalkSource(scan, environment, &cursors)
        }
        guard let number = try environment.numbers.collection(path, cursors) else { return nil }
        let stores = environment.stores
        let cursor = try RangeCursor(
            stores.keyed(stores.documents), prefix: OrderedInteger.bytes(number), ranges: scan.ranges,
            backwards: scan.backwards, &cursors)
        return CollectionScanSource(path, number: number, cursor, backwards: scan.backwards, environment)
    }

    /// The entries of one index.
    @_lifetime(cursors: copy cursors)
    static func index(
        _ scan: IndexScan, _ sortKey: [SortKeyPart], _ environment: SourceEnvironment, _ cursors: inout CursorSet
    ) throws(EngineError) -> IndexScanSource? {
        guard let (cursor, reader) = try opened(scan, environment, &cursors) else { return nil }
        return IndexScanSource(cursor, reader, sortKey, environment)
    }

    @_lifetime(cursors: copy cursors)
    private func join(
        _ scans: [IndexScan], _ sortKey: [SortKeyPart], _ cursors: inout CursorSet
    ) throws(EngineError) -> RowSource? {
        var members: [(RangeCursor, EntryReader)] = []
        for scan in scans {
            guard let member = try SourceBuilder.opened(scan, environment, &cursors) else { return nil }
            members.append(member)
        }
        return JoinSource(members, sortKey, environment)
    }

    @_lifetime(cursors: copy cursors)
    private static func opened(
        _ scan: IndexScan, _ environment: SourceEnvironment, _ cursors: inout CursorSet
    ) throws(EngineError) -> (RangeCursor, EntryReader)? {
        let scope: QueryScope
        var collection: UInt64?
        if case .collection(let path) = scan.scope {
            scope = .collection
            collection = try environment.numbers.collection(path, cursors)
            guard collection != nil else { return nil }
        } else {
            scope = .collectionGroup
        }
        guard let (store, index) = try located(scan.index, scope, environment, cursors) else { return nil }
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
        _ index: IndexReference, _ scope: QueryScope, _ environment: SourceEnvironment,
        _ cursors: borrowing CursorSet
    ) throws(EngineError) -> (KeyedStore, [UInt8])? {
        let stores = environment.stores
        switch index {
        case .composite(let definition):
            guard let composite = environment.catalog.composite(definition) else { return nil }
            return (stores.keyed(stores.compositeEntries), composite.prefix(scope))
        case .automatic(let group, let path, let index):
            let key = FieldIndexKey(
                collectionGroup: group, path: path, scope: index.scope, isContains: index.mode == .contains)
            guard let number = try environment.numbers.fieldIndex(key, cursors) else { return nil }
            return (stores.keyed(stores.fieldEntries), OrderedInteger.bytes(number))
        }
    }
}
