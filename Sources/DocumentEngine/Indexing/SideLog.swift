// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// What writes do to the entries of indexes that are being built: the last change of each entry, in key order. It is made up for
/// once everything that was there before stands in the indexes.
struct SideLog {
    /// What became of an entry.
    private static let deleted: UInt8 = 0
    private static let put: UInt8 = 1

    private let catalog: KeyedWriter

    init(_ transaction: inout Transaction) throws(EngineError) {
        catalog = try KeyedWriter(.catalog, &transaction)
    }

    /// Notes the difference between sorted buffers of entries of one store.
    func note(
        removingSorted removed: EntryBuffer, addingSorted added: EntryBuffer, _ store: StoreName,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        let prefix = CatalogKey.sideLog(ofComposites: store == .compositeEntries)
        var next = 0
        for index in added.entries.indices {
            let key = prefix + added.bytes[added.key(index)]
            try catalog.put(key, [SideLog.put] + added.bytes[added.value(index)], &transaction)
        }
        for index in removed.entries.indices {
            while next < added.entries.count, added.compareKey(next, removed, index) < 0 { next += 1 }
            if next < added.entries.count, added.compareKey(next, removed, index) == 0 { continue }
            try catalog.put(prefix + removed.bytes[removed.key(index)], [SideLog.deleted], &transaction)
        }
    }

    /// Makes up for at most `limit` changes and forgets them.
    ///
    /// - Returns: whether there are no more.
    func replay(limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        var rest = limit
        for isComposite in [false, true] {
            let store: StoreName = isComposite ? .compositeEntries : .fieldEntries
            let writer = try KeyedWriter(store, &transaction)
            let prefix = CatalogKey.sideLog(ofComposites: isComposite)
            let changes = try transaction.scan(prefix: prefix, of: .catalog, limit: rest)
            for (key, change) in changes {
                let entry = key.span.bytes.extracting(prefix.count..<key.count)
                if change.first == SideLog.put {
                    try writer.put(entry, change.span.bytes.extracting(1..<change.count), &transaction)
                } else {
                    _ = try writer.delete(entry, &transaction)
                }
                _ = try catalog.delete(key, &transaction)
            }
            rest -= changes.count
            if rest == 0 { return false }
        }
        return true
    }
}
