// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Forgets the IDs of automatic indexes without entries. Each has a record in the catalog, and maps with user IDs as keys make such
/// indexes without bound.
///
/// As in ``CollectionSweep``, short reads find them, and short commits, which require the maintenance lock, look again: loads and index
/// builds give out IDs before they write the entries. Nothing but entries and the log of a build names an ID, not even the history.
struct FieldIndexSweep {
    private typealias Record = (key: [UInt8], id: UInt64)

    private let scheduler: TransactionScheduler
    /// The key at which the list of indexes goes on; nil at its end.
    private var position: [UInt8]? = CatalogKey.fieldIndexes
    private var count = 0

    /// The indexes that one read looks at, which bounds what one commit forgets, too.
    private static let limit = 500

    init(_ scheduler: TransactionScheduler) {
        self.scheduler = scheduler
    }

    /// - Parameter progress: called before each read and each commit. If it throws, the sweep ends.
    /// - Returns: the number of forgotten IDs.
    mutating func run(
        _ progress: () throws(EngineError) -> Void, alone: CollectionSweep.Alone
    ) throws(EngineError) -> Int {
        while position != nil, try !scheduler.hasHistoryOfOthers() {
            let unused = try scheduler.search(
                from: &position, until: FieldIndexSweep.limit, progress, look: FieldIndexSweep.slice)
            if !unused.isEmpty { try forget(unused, progress, alone) }
        }
        return count
    }

    // MARK: - Finding

    /// Those of the next indexes that have no entries, and where the list goes on.
    private static func slice(
        from position: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) -> (found: [Record], next: [UInt8]?) {
        let rest = KeyRange(lower: position, upper: KeyRange.successor(of: CatalogKey.fieldIndexes))
        var records: [Record] = []
        for (key, value) in try transaction.scan(rest, of: .catalog, limit: limit) {
            records.append((key, try OrderedInteger.read(value.span.bytes)))
        }
        let used = try transaction.usedRanges(of: records.map(\.id), in: .fieldEntries)
        let unused = records.filter { !used.contains(KeyRange(id: $0.id)) }
        guard records.count == limit, let last = records.last else { return (unused, nil) }
        return (unused, KeyRange.successor(of: last.key))
    }

    // MARK: - Forgetting

    private mutating func forget(
        _ unused: [Record], _ progress: () throws(EngineError) -> Void, _ alone: CollectionSweep.Alone
    ) throws(EngineError) {
        try progress()
        var forgotten = 0
        let isAlone = try alone { () throws(EngineError) in
            forgotten = try scheduler.write { (transaction, _, _) throws(EngineError) in
                try FieldIndexSweep.forget(unused, &transaction)
            }
        }
        // Somebody maintains the database. The next sweep finds the rest.
        if !isAlone { position = nil }
        count += forgotten
    }

    /// Forgets those of some indexes that still have no entries.
    private static func forget(_ records: [Record], _ transaction: inout Transaction) throws(EngineError) -> Int {
        let used = try transaction.usedRanges(of: records.map(\.id), in: .fieldEntries)
        var count = 0
        for (key, id) in records where !used.contains(KeyRange(id: id)) {
            // After a clear, the field may have another.
            guard let stored = try transaction.copy(of: key, in: .catalog),
                try OrderedInteger.read(stored.span.bytes) == id
            else { continue }
            try transaction.delete(key, from: .catalog)
            count += 1
        }
        // Whoever remembers IDs, in any process, forgets them.
        if count > 0 { _ = try Counter(.catalogVersion).next(&transaction) }
        return count
    }
}
