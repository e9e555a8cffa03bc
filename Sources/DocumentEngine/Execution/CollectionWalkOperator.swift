// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The documents of many collections in name order, or backwards: those of a collection group, or of all collections
/// under a parent.
///
/// Opens collections one after another as their names come up. Only a collection and those inside its documents are
/// open at once, because only their names interleave. So it needs a stack of cursors, not a cursor for each collection.
final class CollectionWalkOperator: DocumentOperator {
    /// An open collection and the name of its current document.
    private struct Open {
        let item: CollectionList.Item
        let collection: CollectionPath
        var cursor: RangeCursor
        var name: [UInt8]
    }

    let context: ExecutionContext
    private let scan: DocumentScan
    private var list: CollectionList
    private var listed: CollectionList.Item?
    private var open: [Open] = []
    /// The position of the current row in `open`.
    private var current: Int?
    /// The IDs of all opened collections. Some are opened before the list comes to them.
    private var openedEarly: Set<UInt64> = []
    private var isPlaced = false
    private var rowCount = 0

    init(
        _ scan: DocumentScan, _ context: ExecutionContext, _ transaction: inout Transaction
    ) throws(EngineError) {
        self.scan = scan
        self.context = context
        list = try CollectionList(scan.scope, backwards: scan.backwards, &transaction)
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        if let current {
            try advance(current, &transaction)
        } else if !isPlaced {
            isPlaced = true
            try start(&transaction)
        }
        while true {
            current = first()
            guard let item = listed, !isBehindTheRanges(item) else { break }
            if let current, !mayPrecede(item, open[current].name) { break }
            try enter(item, &transaction)
            listed = try list.next(&transaction)
        }
        guard current != nil else {
            try checkCount(&transaction)
            return false
        }
        rowCount += 1
        context.counters.entriesScanned += 1
        return true
    }

    /// At the end of a walk through the whole database: throws if damage has hidden documents. Killed loads leave
    /// documents that belong to no collection.
    private func checkCount(_ transaction: inout Transaction) throws(EngineError) {
        guard case .descendants(of: nil) = scan.scope, scan.ranges == [.all], transaction.isReading,
            try UnfinishedLoads.read(&transaction).isEmpty
        else { return }
        try transaction.check(count: rowCount, of: .documents)
    }

    /// Begins the walk. Forwards, skips the collections before the first bound, except those whose documents contain
    /// it.
    private func start(_ transaction: inout Transaction) throws(EngineError) {
        let bound = scan.ranges.first?.lower ?? []
        if !scan.backwards, !bound.isEmpty {
            try enterAncestors(of: bound, &transaction)
            list.place(bound)
        }
        listed = try list.next(&transaction)
    }

    /// Whether a forward walk is past all ranges at this collection. A backward walk cannot tell this from the path.
    private func isBehindTheRanges(_ item: CollectionList.Item) -> Bool {
        guard !scan.backwards, let upper = scan.ranges.last?.upper, !upper.isEmpty else { return false }
        return compareBytes(item.path, upper) >= 0
    }

    /// Whether a collection's documents may come before a name in the walk.
    private func mayPrecede(_ item: CollectionList.Item, _ name: [UInt8]) -> Bool {
        guard scan.backwards else { return compareBytes(item.path, name) < 0 }
        let end = KeyRange.successor(of: item.path)
        return end.isEmpty || compareBytes(end, name) > 0
    }

    /// The open collection whose document comes next.
    private func first() -> Int? {
        open.indices.min { left, right in
            let order = compareBytes(open[left].name, open[right].name)
            return scan.backwards ? order > 0 : order < 0
        }
    }

    /// Opens a collection. Backwards, opens the collections that contain it first, because their names surround its
    /// own.
    private func enter(_ item: CollectionList.Item, _ transaction: inout Transaction) throws(EngineError) {
        if scan.backwards { try enterAncestors(of: item.path, &transaction) }
        try openCollection(item, &transaction)
    }

    /// Opens the collections of the scope whose documents contain these path bytes.
    private func enterAncestors(of path: [UInt8], _ transaction: inout Transaction) throws(EngineError) {
        var reader = KeyReader(path.span.bytes)
        var ends: [Int] = []
        while !reader.isAtEnd {
            do { try reader.skipSegment() } catch { break }
            ends.append(reader.offset)
        }
        for (index, end) in ends.enumerated() where index % 2 == 0 && end < path.count {
            let prefix = Array(path[..<end])
            if let item = try ancestor(prefix, transaction) { try openCollection(item, &transaction) }
        }
    }

    /// The collection with this encoded path, or nil if it is not in the scope.
    private func ancestor(_ path: [UInt8], _ transaction: borrowing Transaction) throws(EngineError) -> CollectionList
        .Item?
    {
        let encoded = path + [0]
        var reader = KeyReader(encoded.span.bytes)
        let resource: ResourcePath
        do { resource = try reader.path() } catch { return nil }
        guard resource.count % 2 == 1 else { return nil }
        let collection = CollectionPath(resource)
        guard scan.scope.contains(collection) else { return nil }
        guard let collectionID = try context.ids.collectionID(of: collection, transaction) else { return nil }
        return CollectionList.Item(collectionID: collectionID, path: path)
    }

    private func openCollection(_ item: CollectionList.Item, _ transaction: inout Transaction) throws(EngineError) {
        guard openedEarly.insert(item.collectionID).inserted else { return }
        context.counters.seeks += 1
        let cursor = try RangeCursor(
            .documents, prefix: OrderedInteger.bytes(item.collectionID), ranges: [.all],
            backwards: scan.backwards, &transaction)
        let collection = try CollectionPath(encoded: item.path)
        open.append(Open(item: item, collection: collection, cursor: cursor, name: []))
        try advance(open.count - 1, &transaction)
    }

    /// Moves a collection to its next document inside the ranges, or closes it.
    private func advance(_ index: Int, _ transaction: inout Transaction) throws(EngineError) {
        while true {
            let isFirst = open[index].name.isEmpty
            let found: Bool
            if isFirst, let bound = seekBound(open[index].item) {
                found = try open[index].cursor.seek(bound, &transaction)
            } else {
                found = try open[index].cursor.next(&transaction)
            }
            guard found else { break }
            var name = open[index].item.path
            try open[index].cursor.withEntry(transaction) { (id, _) throws(EngineError) in name.append(copying: id) }
            name.append(0)
            open[index].name = name
            if scan.ranges.contains(where: { $0.contains(name.span.bytes) }) { return }
            if isBeyond(name) { break }
        }
        open[index].cursor.close(&transaction)
        open.remove(at: index)
        current = nil
    }

    /// The document ID at which a collection's part of the ranges begins, or nil for the collection's own beginning.
    private func seekBound(_ item: CollectionList.Item) -> [UInt8]? {
        guard let bound = scan.backwards ? scan.ranges.last?.upper : scan.ranges.first?.lower else { return nil }
        guard bound.count > item.path.count, bound.starts(with: item.path) else { return nil }
        let rest = Array(bound[item.path.count...])
        var reader = KeyReader(rest.span.bytes)
        do { try reader.skipSegment() } catch { return rest }
        return Array(rest[..<reader.offset])
    }

    /// Whether a name is past all ranges in the direction of the walk.
    private func isBeyond(_ name: [UInt8]) -> Bool {
        if scan.backwards { return compareBytes(name, scan.ranges.first?.lower ?? []) < 0 }
        guard let upper = scan.ranges.last?.upper, !upper.isEmpty else { return scan.ranges.isEmpty }
        return compareBytes(name, upper) >= 0
    }

    /// The place of the current row's collection among the open ones.
    private var row: Int {
        guard let current else { preconditionFailure("there is no current row") }
        return current
    }

    func appendDocumentKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        try open[row].cursor.withWholeEntry(transaction) { (stored, _) throws(EngineError) in
            key.append(copying: stored)
        }
    }

    func collection(_ transaction: borrowing Transaction) throws(EngineError) -> CollectionPath { open[row].collection }

    func appendSortKey(to key: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        key += scan.backwards ? open[row].name.map { ~$0 } : open[row].name
    }

    func record(_ transaction: borrowing Transaction) throws(EngineError) -> DocumentRecord? {
        let collection = open[row].collection
        return try open[row].cursor.withWholeEntry(transaction) { (key, record) throws(EngineError) in
            context.counters.documentsRead += 1
            context.counters.bytesRead += record.byteCount
            return try DocumentRecord(
                record, key, idOffset: OrderedInteger.length(key.byte(at: 0)), collection, database: context.database)
        }
    }
}
