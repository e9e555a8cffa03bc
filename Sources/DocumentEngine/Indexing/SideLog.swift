// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// What writes do to the entries of indexes that are being built: the last change of each entry, in key order. It is made up for
/// once everything that was there before stands in the indexes.
struct SideLog {
    /// What became of an entry.
    private static let deleted: UInt8 = 0
    private static let put: UInt8 = 1

    private let stores: Stores
    private let catalog: KeyedWriter

    init(_ stores: Stores, _ cursors: inout CursorSet) throws(EngineError) {
        self.stores = stores
        catalog = try KeyedWriter(stores.keyed(stores.catalog), runs: Counter(.runs, stores), &cursors)
    }

    /// Notes the difference between sorted buffers of entries of one store.
    func note(
        removingSorted removed: EntryBuffer, addingSorted added: EntryBuffer, _ store: Store,
        _ cursors: inout CursorSet
    ) throws(EngineError) {
        let prefix = CatalogKey.sideLog(ofComposites: store == stores.compositeEntries)
        var next = 0
        for index in added.entries.indices {
            let key = prefix + added.bytes[added.key(index)]
            try catalog.put(key, [SideLog.put] + added.bytes[added.value(index)], &cursors)
        }
        for index in removed.entries.indices {
            while next < added.entries.count, added.compareKey(next, removed, index) < 0 { next += 1 }
            if next < added.entries.count, added.compareKey(next, removed, index) == 0 { continue }
            try catalog.put(prefix + removed.bytes[removed.key(index)], [SideLog.deleted], &cursors)
        }
    }

    /// Makes up for at most `limit` changes and forgets them.
    ///
    /// - Returns: whether there are no more.
    func replay(limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        var rest = limit
        for isComposite in [false, true] {
            let store = isComposite ? stores.compositeEntries : stores.fieldEntries
            let writer = try KeyedWriter(stores.keyed(store), runs: Counter(.runs, stores), &cursors)
            let prefix = CatalogKey.sideLog(ofComposites: isComposite)
            let changes = try stores.catalogRecords(under: prefix, limit: rest, &cursors)
            for (key, change) in changes {
                let entry = key.span.bytes.extracting(prefix.count..<key.count)
                if change.first == SideLog.put {
                    try writer.put(entry, change.span.bytes.extracting(1..<change.count), &cursors)
                } else {
                    _ = try writer.delete(entry, &cursors)
                }
                _ = try catalog.delete(key, &cursors)
            }
            rest -= changes.count
            if rest == 0 { return false }
        }
        return true
    }
}
