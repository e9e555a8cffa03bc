// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Forgets the IDs of collections without documents. Each costs every walk over its group a seek, and has its records in the catalog.
///
/// Short reads find the collections; short commits look again and remove the records. The history names documents by the IDs of their
/// collections, so a collection of which a change can still be read keeps its ID. Where another program keeps the history, forgetting is
/// left to that one, because each commit of a program without history ends it. Commits require the maintenance lock: loads and index
/// builds remember IDs from one transaction to the next. See ``FieldIndexSweep``, too.
struct CollectionSweep {
    private typealias Collection = (path: CollectionPath, id: UInt64)
    /// Runs a commit with the maintenance lock, or returns false if it is taken.
    typealias Alone = (_ commit: () throws(EngineError) -> Void) throws(EngineError) -> Bool

    private let scheduler: TransactionScheduler
    /// No change up to this time is read any more.
    private let start: UInt64
    /// The path bytes at which the list of collections goes on; nil at its end.
    private var position: [UInt8]? = []
    private var count = 0

    /// The collections that one read looks at.
    private static let readLimit = 1_000
    /// The collections that are compared with the history together.
    private static let roundLimit = 50_000
    /// The collections that one commit forgets.
    private static let commitLimit = 500

    init(_ scheduler: TransactionScheduler) {
        self.scheduler = scheduler
        start = scheduler.history?.windowStart ?? 0
    }

    /// - Parameter progress: called before each read and each commit. If it throws, the sweep ends.
    /// - Returns: the number of forgotten collections.
    mutating func run(
        _ progress: () throws(EngineError) -> Void, alone: Alone
    ) throws(EngineError) -> Int {
        while position != nil, try !scheduler.hasHistoryOfOthers() {
            let empty = try scheduler.search(
                from: &position, until: CollectionSweep.roundLimit, progress, look: CollectionSweep.slice)
            if !empty.isEmpty { try forget(empty, progress, alone) }
        }
        return count
    }

    // MARK: - Finding

    /// The empty ones of the next collections, and where the list goes on.
    private static func slice(
        from position: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) -> (found: [Collection], next: [UInt8]?) {
        var list = try CollectionList(.descendants(of: nil), backwards: false, &transaction)
        list.place(position)
        var items: [CollectionList.Item] = []
        while items.count < readLimit, let item = try list.next(&transaction) { items.append(item) }
        let filled = try transaction.usedRanges(of: items.map(\.collectionID), in: .documents)
        var empty: [Collection] = []
        for item in items where !filled.contains(KeyRange(id: item.collectionID)) {
            empty.append((try CollectionPath(encoded: item.path), item.collectionID))
        }
        guard items.count == readLimit, let last = items.last else { return (empty, nil) }
        // Behind the end mark of the last path.
        return (empty, KeyRange.successor(of: last.path + [0]))
    }

    // MARK: - Forgetting

    private mutating func forget(
        _ empty: [Collection], _ progress: () throws(EngineError) -> Void, _ alone: Alone
    ) throws(EngineError) {
        var unchanged = UnchangedCollections(Set(empty.map(\.id)), since: start)
        if let history = scheduler.history {
            var isDone = false
            while !isDone {
                try progress()
                isDone = try scheduler.read { (transaction) throws(EngineError) in
                    try unchanged.follow(history.reader, &transaction)
                }
            }
        }
        var rest = empty.filter { unchanged.ids.contains($0.id) }[...]
        while !rest.isEmpty {
            try progress()
            let slice = Array(rest.prefix(CollectionSweep.commitLimit))
            var outcome: (count: Int, unchanged: UnchangedCollections)?
            let isAlone = try alone { () throws(EngineError) in
                outcome = try scheduler.write { (transaction, _, log) throws(EngineError) in
                    try CollectionSweep.forget(slice, unchanged, since: start, &transaction, &log)
                }
            }
            if !isAlone { position = nil }
            // Somebody maintains the database, or too much was written meanwhile. The next sweep finds the rest.
            guard let outcome else { return }
            count += outcome.count
            unchanged = outcome.unchanged
            rest = rest.dropFirst(slice.count)
        }
    }

    /// Forgets those of some collections that are still empty and still unchanged.
    ///
    /// - Returns: nil, and nothing is forgotten, if the history has too many changes that were not followed before.
    private static func forget(
        _ collections: [Collection], _ known: UnchangedCollections, since start: UInt64,
        _ transaction: inout Transaction, _ log: inout ChangeLog
    ) throws(EngineError) -> (count: Int, unchanged: UnchangedCollections)? {
        var unchanged = known
        if let history = log.history?.history {
            guard try unchanged.follow(history, &transaction) else { return nil }
            log.history?.raiseFloor(to: start)
        }
        let filled = try transaction.usedRanges(of: collections.map(\.id), in: .documents)
        var ids = IDAllocator()
        var count = 0
        for (path, id) in collections where unchanged.ids.contains(id) && !filled.contains(KeyRange(id: id)) {
            // After a clear, it may be there again.
            guard try ids.existingCollectionID(of: path, transaction) == id else { continue }
            try CollectionRecord.remove(path, &transaction)
            count += 1
        }
        // Whoever remembers IDs, in any process, forgets them.
        if count > 0 { _ = try Counter(.catalogVersion).next(&transaction) }
        return (count, unchanged)
    }
}

/// Those of some collections of which the history has no change since a time.
private struct UnchangedCollections {
    private(set) var ids: Set<UInt64>
    /// The first change that was not followed.
    private var next: HistoryEntry.Position

    /// The changes that are read at once.
    private static let limit = 10_000

    init(_ ids: Set<UInt64>, since time: UInt64) {
        self.ids = ids
        next = .after(time)
    }

    /// Takes out the collections of the next changes. Returns whether these were all that matter.
    mutating func follow(_ history: HistoryReader, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        var left = UnchangedCollections.limit
        try history.forEachChange(from: next, &transaction) { (entry, _) throws(EngineError) in
            guard left > 0, !ids.isEmpty else { return false }
            left -= 1
            ids.remove(entry.collectionID)
            next = HistoryEntry.Position(entry.position.time, entry.position.number + 1)
            return true
        }
        return left > 0 || ids.isEmpty
    }
}
