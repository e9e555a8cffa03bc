// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// Compares the overflow chains of long keys (see ``LongKey``) with the references to them.
struct OverflowAudit {
    /// An entry that belongs to no long key.
    struct Entry {
        let store: Store
        let key: [UInt8]
        let value: [UInt8]
        /// A description of the problem.
        let problem: String
    }

    /// Prefixes that cannot be read, or whose chain is missing or belongs to another prefix, and entries of chains
    /// without a prefix.
    private(set) var broken: [Entry] = []

    private var existing: Set<UInt64> = []
    private var referenced: Set<UInt64> = []

    init(_ transaction: inout Transaction) throws(EngineError) {
        try collectChains(&transaction)
        for name in transaction.stores.present { try checkPrefixes(transaction.stores[name], &transaction) }
        try checkPrefixes(transaction.stores.overflow, &transaction)
        try collectUnreferenced(&transaction)
    }

    /// Removes the entries that belong to no long key, after reporting each.
    static func removeBroken(
        _ transaction: inout Transaction, telling body: (Entry) -> Void
    ) throws(EngineError) {
        // A removed entry may be the prefix of another chain, which the next round removes.
        while true {
            let broken = try OverflowAudit(&transaction).broken
            guard !broken.isEmpty else { return }
            for entry in broken {
                body(entry)
                let cursor = try transaction.open(entry.store)
                _ = try transaction.delete(entry.key.span.bytes, at: cursor)
                transaction.close(cursor)
            }
        }
    }

    private mutating func collectChains(_ transaction: inout Transaction) throws(EngineError) {
        let cursor = try transaction.open(transaction.stores.overflow)
        while try transaction.next(cursor) {
            var offset = 0
            if let chainID = try? OrderedInteger.read(transaction.key(cursor), &offset) { existing.insert(chainID) }
        }
        transaction.close(cursor)
    }

    private mutating func checkPrefixes(_ store: Store, _ transaction: inout Transaction) throws(EngineError) {
        let cursor = try transaction.open(store)
        while try transaction.next(cursor) {
            guard transaction.key(cursor).byteCount >= LongKey.prefixLength else { continue }
            guard let problem = problem(transaction.key(cursor), transaction.value(cursor)) else { continue }
            broken.append(
                Entry(
                    store: store, key: [UInt8](copying: transaction.key(cursor)),
                    value: [UInt8](copying: transaction.value(cursor)), problem: problem))
        }
        transaction.close(cursor)
    }

    private mutating func problem(_ key: RawSpan, _ value: RawSpan) -> String? {
        guard key.byteCount == LongKey.prefixLength else { return "a key is longer than any that Hearth writes" }
        guard let entry = try? PrefixEntry(value) else {
            return "the entry under the prefix of long keys cannot be read"
        }
        guard case .chain(let chainID) = entry else { return nil }
        guard referenced.insert(chainID).inserted else { return "two long keys continue in chain \(chainID)" }
        return existing.contains(chainID) ? nil : "a long key continues in chain \(chainID), which is missing"
    }

    private mutating func collectUnreferenced(_ transaction: inout Transaction) throws(EngineError) {
        guard !existing.isSubset(of: referenced) else { return }
        let cursor = try transaction.open(transaction.stores.overflow)
        while try transaction.next(cursor) {
            var offset = 0
            let chainID = try? OrderedInteger.read(transaction.key(cursor), &offset)
            if let chainID, referenced.contains(chainID) { continue }
            broken.append(
                Entry(
                    store: transaction.stores.overflow, key: [UInt8](copying: transaction.key(cursor)),
                    value: [UInt8](copying: transaction.value(cursor)),
                    problem: "the end of a long key stands alone, without its beginning: "
                        + "a document's, or an index entry's"))
        }
        transaction.close(cursor)
    }
}
