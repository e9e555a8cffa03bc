// SPDX-License-Identifier: Apache-2.0

/// The changes that writes make to indexes that are being built: the last change of each entry, in key order. The
/// builder replays it after it has written the entries of all documents that it read.
struct IndexBuildLog {
    /// The kinds of changes.
    private static let deleted: UInt8 = 0
    private static let put: UInt8 = 1

    private let catalog: LongKeyWriter

    init(_ transaction: inout Transaction) throws(EngineError) {
        catalog = try LongKeyWriter(.catalog, &transaction)
    }

    /// Records the difference between sorted buffers of removed and added entries of one store.
    func record(
        removingSorted removed: EntryBuffer, addingSorted added: EntryBuffer, _ store: StoreName,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        let prefix = CatalogKey.buildLog(ofComposites: store == .compositeEntries)
        var next = 0
        for index in added.entries.indices {
            let key = prefix + added.bytes[added.key(index)]
            try catalog.put(key, [IndexBuildLog.put] + added.bytes[added.value(index)], &transaction)
        }
        for index in removed.entries.indices {
            while next < added.entries.count, added.compareKey(next, removed, index) < 0 { next += 1 }
            if next < added.entries.count, added.compareKey(next, removed, index) == 0 { continue }
            try catalog.put(prefix + removed.bytes[removed.key(index)], [IndexBuildLog.deleted], &transaction)
        }
    }

    /// Replays and deletes at most `limit` changes.
    ///
    /// - Returns: whether the log is empty.
    func replay(limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        var rest = limit
        for isComposite in [false, true] {
            let store: StoreName = isComposite ? .compositeEntries : .fieldEntries
            let writer = try LongKeyWriter(store, &transaction)
            let prefix = CatalogKey.buildLog(ofComposites: isComposite)
            let changes = try transaction.scan(prefix: prefix, of: .catalog, limit: rest)
            for (key, change) in changes {
                let entry = key.span.bytes.extracting(prefix.count..<key.count)
                if change.first == IndexBuildLog.put {
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
