// SPDX-License-Identifier: Apache-2.0

internal import LMDB
internal import QueryPlanner

/// Deletes ranges of keys in commits that are short enough not to be noticed by other writers.
struct EntryRemover {
    private let engine: Engine
    private var pace = Pace()

    init(_ engine: Engine) {
        self.engine = engine
    }

    mutating func remove(_ spans: [KeyRange], from store: Store) throws(EngineError) {
        for span in spans { try remove(span, from: store) }
    }

    private mutating func remove(_ span: KeyRange, from store: Store) throws(EngineError) {
        let engine = engine
        var from: [UInt8]? = span.lower
        while let start = from {
            from = try pace.measure { (limit) throws(EngineError) in
                try engine.write { (cursors, _, _) throws(EngineError) in
                    try EntryRemover.remove(engine.stores, store, start, span.upper, limit: limit, &cursors)
                }
            }
        }
    }

    /// Deletes all keys of a span inside a transaction of the caller's.
    static func removeAll(
        _ stores: Stores, _ store: Store, _ span: KeyRange, _ cursors: inout CursorSet
    ) throws(EngineError) {
        var from: [UInt8]? = span.lower
        while let start = from {
            from = try remove(stores, store, start, span.upper, limit: 10_000, &cursors)
        }
    }

    /// Deletes at most `limit` keys; where to go on, or nil if that was all.
    private static func remove(
        _ stores: Stores, _ store: Store, _ lower: [UInt8], _ upper: [UInt8], limit: Int, _ cursors: inout CursorSet
    ) throws(EngineError) -> [UInt8]? {
        let keyed = stores.keyed(store)
        let writer = try KeyedWriter(keyed, runs: Counter(.runs, stores), &cursors)
        var cursor = try KeyCursor(keyed, &cursors)
        var keys: [[UInt8]] = []
        var found = try cursor.seek(lower.span.bytes, &cursors)
        while found, keys.count <= limit, cursor.key(cursors).compare(to: upper) < 0 {
            keys.append([UInt8](copying: cursor.key(cursors)))
            found = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
        for key in keys.prefix(limit) { _ = try writer.delete(key, &cursors) }
        return keys.count > limit ? keys[limit] : nil
    }
}

extension Engine {
    /// Removes what loads that were killed have left. To be called under the maintenance lock.
    func removeUnfinishedLoads() throws(EngineError) {
        try removeUnfinishedLoads(
            read { (cursors) throws(EngineError) in try UnfinishedLoads(self.stores).read(&cursors) })
    }

    /// Entries go before documents, so that a collection without documents has no entries.
    func removeUnfinishedLoads(_ blocks: [Range<UInt64>]) throws(EngineError) {
        guard !blocks.isEmpty else { return }
        let leftovers = try read { (cursors) throws(EngineError) in
            try Leftovers(ofLoads: blocks, self.stores, try self.catalogs.read(&cursors), &cursors)
        }
        var remover = EntryRemover(self)
        try remover.remove(leftovers.fieldEntries, from: stores.fieldEntries)
        try remover.remove(leftovers.compositeEntries, from: stores.compositeEntries)
        try remover.remove(leftovers.documents, from: stores.documents)
        try write { (cursors, _, _) throws(EngineError) in
            for block in blocks { try UnfinishedLoads(self.stores).remove(block, &cursors) }
        }
    }
}
