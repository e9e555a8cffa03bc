// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// The runs of long keys (see ``LongKey``): which are referred to, from where, and which are there.
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

    private var present: Set<UInt64> = []
    private var referred: Set<UInt64> = []

    init(_ transaction: inout Transaction) throws(EngineError) {
        try gatherPresent(&transaction)
        for name in StoreName.allCases { try gatherHeads(transaction.stores[name], &transaction) }
        try gatherHeads(transaction.stores.continuations, &transaction)
        try gatherHeadless(&transaction)
    }

    /// Takes away what belongs to no long key, telling each before.
    static func removeLost(
        _ transaction: inout Transaction, telling body: (Entry) -> Void
    ) throws(EngineError) {
        // What goes may be the head of a run, which then goes in its turn.
        while true {
            let lost = try RunAudit(&transaction).lost
            guard !lost.isEmpty else { return }
            for entry in lost {
                body(entry)
                let cursor = try transaction.open(entry.store)
                if try transaction.seek(cursor, entry.key.span.bytes),
                    transaction.key(cursor).isEqual(to: entry.key[...])
                {
                    try transaction.delete(cursor)
                }
                transaction.close(cursor)
            }
        }
    }

    private mutating func gatherPresent(_ transaction: inout Transaction) throws(EngineError) {
        let cursor = try transaction.open(transaction.stores.continuations)
        while try transaction.next(cursor) {
            var offset = 0
            if let number = try? OrderedInteger.read(transaction.key(cursor), &offset) { present.insert(number) }
        }
        transaction.close(cursor)
    }

    private mutating func gatherHeads(_ store: Store, _ transaction: inout Transaction) throws(EngineError) {
        let cursor = try transaction.open(store)
        while try transaction.next(cursor) {
            guard transaction.key(cursor).byteCount >= LongKey.cut else { continue }
            guard let problem = problem(transaction.key(cursor), transaction.value(cursor)) else { continue }
            lost.append(
                Entry(
                    store: store, key: [UInt8](copying: transaction.key(cursor)),
                    value: [UInt8](copying: transaction.value(cursor)), problem: problem))
        }
        transaction.close(cursor)
    }

    private mutating func problem(_ key: RawSpan, _ value: RawSpan) -> String? {
        guard key.byteCount == LongKey.cut else { return "a key is longer than any that Hearth writes" }
        guard let head = try? LongKeyHead(value) else { return "the head of a long key cannot be read" }
        guard case .run(let number) = head else { return nil }
        guard referred.insert(number).inserted else { return "two long keys continue in run \(number)" }
        return present.contains(number) ? nil : "a long key continues in run \(number), which is missing"
    }

    private mutating func gatherHeadless(_ transaction: inout Transaction) throws(EngineError) {
        guard !present.isSubset(of: referred) else { return }
        let cursor = try transaction.open(transaction.stores.continuations)
        while try transaction.next(cursor) {
            var offset = 0
            let number = try? OrderedInteger.read(transaction.key(cursor), &offset)
            if let number, referred.contains(number) { continue }
            lost.append(
                Entry(
                    store: transaction.stores.continuations, key: [UInt8](copying: transaction.key(cursor)),
                    value: [UInt8](copying: transaction.value(cursor)),
                    problem: "the end of a long key stands alone, without its beginning: "
                        + "a document's, or an index entry's"))
        }
        transaction.close(cursor)
    }
}
