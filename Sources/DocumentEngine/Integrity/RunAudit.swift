// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// The runs of long keys (see ``KeyedStore``): which are referred to, from where, and which are there.
struct RunAudit {
    /// An entry that belongs to no long key any more, as it stands.
    struct Entry {
        let store: Store
        let key: [UInt8]
        let value: [UInt8]
        /// What is wrong with it, in words.
        let problem: String
    }

    /// Heads that cannot be read or whose run is missing or another head's, and what stands in runs without a head.
    private(set) var lost: [Entry] = []

    private let stores: Stores
    private var present: Set<UInt64> = []
    private var referred: Set<UInt64> = []

    init(_ stores: Stores, _ cursors: inout CursorSet) throws(EngineError) {
        self.stores = stores
        try gatherPresent(&cursors)
        for store in [stores.catalog, stores.documents, stores.fieldEntries, stores.compositeEntries] {
            try gatherHeads(store, &cursors)
        }
        try gatherHeads(stores.continuations, &cursors)
        try gatherHeadless(&cursors)
    }

    /// Takes away what belongs to no long key, telling each before.
    static func removeLost(
        _ stores: Stores, _ cursors: inout CursorSet, telling body: (Entry) -> Void
    ) throws(EngineError) {
        // What goes may be the head of a run, which then goes in its turn.
        while true {
            let lost = try RunAudit(stores, &cursors).lost
            guard !lost.isEmpty else { return }
            for entry in lost {
                body(entry)
                let cursor = try cursors.openCursor(entry.store)
                if try cursors.seekEntry(cursor, entry.key.span.bytes), cursors.key(cursor).isEqual(to: entry.key[...])
                {
                    try cursors.deleteEntry(cursor)
                }
                cursors.close(cursor)
            }
        }
    }

    private mutating func gatherPresent(_ cursors: inout CursorSet) throws(EngineError) {
        let cursor = try cursors.openCursor(stores.continuations)
        while try cursors.nextEntry(cursor) {
            var offset = 0
            if let number = try? OrderedInteger.read(cursors.key(cursor), &offset) { present.insert(number) }
        }
        cursors.close(cursor)
    }

    private mutating func gatherHeads(_ store: Store, _ cursors: inout CursorSet) throws(EngineError) {
        let cursor = try cursors.openCursor(store)
        while try cursors.nextEntry(cursor) {
            guard cursors.key(cursor).byteCount >= KeyedStore.cut else { continue }
            guard let problem = problem(cursors.key(cursor), cursors.value(cursor)) else { continue }
            lost.append(
                Entry(
                    store: store, key: [UInt8](copying: cursors.key(cursor)),
                    value: [UInt8](copying: cursors.value(cursor)), problem: problem))
        }
        cursors.close(cursor)
    }

    private mutating func problem(_ key: RawSpan, _ value: RawSpan) -> String? {
        guard key.byteCount == KeyedStore.cut else { return "a key is longer than any that Hearth writes" }
        guard let head = try? LongKeyHead(value) else { return "the head of a long key cannot be read" }
        guard case .run(let number) = head else { return nil }
        guard referred.insert(number).inserted else { return "two long keys continue in run \(number)" }
        return present.contains(number) ? nil : "a long key continues in run \(number), which is missing"
    }

    private mutating func gatherHeadless(_ cursors: inout CursorSet) throws(EngineError) {
        guard !present.isSubset(of: referred) else { return }
        let cursor = try cursors.openCursor(stores.continuations)
        while try cursors.nextEntry(cursor) {
            var offset = 0
            let number = try? OrderedInteger.read(cursors.key(cursor), &offset)
            if let number, referred.contains(number) { continue }
            lost.append(
                Entry(
                    store: stores.continuations, key: [UInt8](copying: cursors.key(cursor)),
                    value: [UInt8](copying: cursors.value(cursor)),
                    problem: "the end of a long key stands alone, without its beginning: "
                        + "a document's, or an index entry's"))
        }
        cursors.close(cursor)
    }
}
