// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// Puts and deletes keys of any length in one store. ``LongKey`` describes how long keys are stored.
struct LongKeyWriter {
    private let store: Store
    private let cursor: CursorID

    init(_ name: StoreName, _ transaction: inout Transaction) throws(EngineError) {
        store = transaction.stores[name]
        cursor = try transaction.open(store)
    }

    func close(_ transaction: inout Transaction) {
        transaction.close(cursor)
    }

    func put(
        _ key: RawSpan, _ value: RawSpan, _ transaction: inout Transaction
    ) throws(EngineError) {
        if key.byteCount < LongKey.prefixLength { return try transaction.put(cursor, key, value) }
        try putLong([UInt8](copying: key), [UInt8](copying: value), at: cursor, store, &transaction)
    }

    func put(_ key: [UInt8], _ value: [UInt8], _ transaction: inout Transaction) throws(EngineError) {
        try put(key.span.bytes, value.span.bytes, &transaction)
    }

    /// Puts entries that are sorted by key, at a lower cost than one by one.
    func put(_ slice: EntryBuffer, _ part: Range<Int>, _ transaction: inout Transaction) throws(EngineError) {
        let bytes = slice.bytes.span.bytes
        var rest = part
        while !rest.isEmpty {
            let start = rest.lowerBound
            let end = rest.first { slice.key($0).count >= LongKey.prefixLength } ?? rest.upperBound
            try transaction.put(cursor, end - start, in: bytes) { index in
                (slice.key(start + index), slice.value(start + index))
            }
            rest.removeFirst(end - start)
            guard let long = rest.popFirst() else { break }
            try put(bytes.extracting(slice.key(long)), bytes.extracting(slice.value(long)), &transaction)
        }
    }

    /// Puts an entry whose key is probably greater than all others in the store. Other keys are put at their place.
    func append(_ key: RawSpan, _ value: RawSpan, _ transaction: inout Transaction) throws(EngineError) {
        if key.byteCount < LongKey.prefixLength, try transaction.append(cursor, key, value) { return }
        try put(key, value, &transaction)
    }

    /// Appends entries that are sorted by key, at a lower cost than one by one.
    func append(_ slice: EntryBuffer, _ part: Range<Int>, _ transaction: inout Transaction) throws(EngineError) {
        let bytes = slice.bytes.span.bytes
        var rest = part
        var isBehind = true
        while !rest.isEmpty {
            if isBehind {
                let start = rest.lowerBound
                let end = rest.first { slice.key($0).count >= LongKey.prefixLength } ?? rest.upperBound
                let count = try transaction.append(cursor, end - start, in: bytes) { index in
                    (slice.key(start + index), slice.value(start + index))
                }
                rest.removeFirst(count)
                isBehind = start + count == end
            }
            guard let next = rest.popFirst() else { break }
            try append(bytes.extracting(slice.key(next)), bytes.extracting(slice.value(next)), &transaction)
        }
    }

    /// Removes `key`. Returns false if it does not exist.
    func delete(_ key: RawSpan, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        if key.byteCount < LongKey.prefixLength { return try transaction.delete(key, at: cursor) }
        return try deleteLong([UInt8](copying: key), at: cursor, store, &transaction)
    }

    func delete(_ key: [UInt8], _ transaction: inout Transaction) throws(EngineError) -> Bool {
        try delete(key.span.bytes, &transaction)
    }

    /// Puts a long key level by level: into chains that exist, then as an inline suffix. If it meets another inline suffix, both go
    /// down together, and new chains are written alone until the keys differ: what keys have in common is written once, however
    /// long it is.
    private func putLong(
        _ key: [UInt8], _ value: [UInt8], at first: CursorID, _ firstStore: Store, _ transaction: inout Transaction
    ) throws(EngineError) {
        var (cursor, store) = (first, firstStore)
        let overflowCursor = try transaction.open(transaction.stores.overflow)
        defer { transaction.close(overflowCursor) }
        var own = LevelKey(key)
        var met: (key: LevelKey, value: [UInt8])?
        while let prefix = own.prefix {
            let chain: [UInt8]
            if let other = met {
                guard other.key.prefix == prefix else { break }
                chain = try beginChain(prefix, at: cursor, &transaction)
                met?.key.descend(to: chain)
            } else {
                switch try entry(under: prefix, store, transaction) {
                case nil: return try putInline(prefix, own.suffix, value, at: cursor, &transaction)
                case .chain(let existing): chain = existing
                case .inline(let other, let otherValue):
                    if other[...] == own.suffix {
                        return try putInline(prefix, own.suffix, value, at: cursor, &transaction)
                    }
                    chain = try beginChain(prefix, at: cursor, &transaction)
                    met = (LevelKey(chain: chain, other[...]), otherValue)
                }
            }
            own.descend(to: chain)
            (cursor, store) = (overflowCursor, transaction.stores.overflow)
        }
        if let met { try putLast(met.key, met.value, at: cursor, &transaction) }
        try putLast(own, value, at: cursor, &transaction)
    }

    /// Puts what remains of a key at a level where no other has its prefix.
    private func putLast(
        _ key: LevelKey, _ value: [UInt8], at cursor: CursorID, _ transaction: inout Transaction
    ) throws(EngineError) {
        if let prefix = key.prefix { return try putInline(prefix, key.suffix, value, at: cursor, &transaction) }
        try transaction.put(cursor, key.bytes.span.bytes, value.span.bytes)
    }

    /// Writes a new chain under a prefix, and returns its ID's bytes.
    private func beginChain(
        _ prefix: [UInt8], at cursor: CursorID, _ transaction: inout Transaction
    ) throws(EngineError) -> [UInt8] {
        let chainID = try Counter(.chains).next(&transaction)
        let chain = PrefixEntry.chainValue(chainID)
        try transaction.put(cursor, prefix.span.bytes, chain.span.bytes)
        return OrderedInteger.bytes(chainID)
    }

    private func putInline(
        _ prefix: [UInt8], _ suffix: ArraySlice<UInt8>, _ value: [UInt8], at cursor: CursorID,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        let entry = PrefixEntry.inlineValue(suffix: suffix, value: value)
        try transaction.put(cursor, prefix.span.bytes, entry.span.bytes)
    }

    private func deleteLong(
        _ key: [UInt8], at first: CursorID, _ firstStore: Store, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        var (cursor, store) = (first, firstStore)
        let overflowCursor = try transaction.open(transaction.stores.overflow)
        defer { transaction.close(overflowCursor) }
        var rest = LevelKey(key)
        /// The chains on the way, with the cursors of their prefixes.
        var passed: [(prefix: [UInt8], cursor: CursorID, chain: [UInt8])] = []
        while let prefix = rest.prefix {
            switch try entry(under: prefix, store, transaction) {
            case nil: return false
            case .inline(let suffix, _):
                guard suffix[...] == rest.suffix, try transaction.delete(prefix.span.bytes, at: cursor) else {
                    return false
                }
                try removeEmptyChains(passed, overflowCursor, &transaction)
                return true
            case .chain(let chain):
                passed.append((prefix, cursor, chain))
                rest.descend(to: chain)
                (cursor, store) = (overflowCursor, transaction.stores.overflow)
            }
        }
        guard try transaction.delete(rest.bytes.span.bytes, at: cursor) else { return false }
        try removeEmptyChains(passed, overflowCursor, &transaction)
        return true
    }

    /// Removes chains without a key, from the last one on.
    private func removeEmptyChains(
        _ chains: [(prefix: [UInt8], cursor: CursorID, chain: [UInt8])], _ overflowCursor: CursorID,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        for (prefix, cursor, chain) in chains.reversed() {
            let more = try transaction.seek(overflowCursor, chain.span.bytes)
            if more, startsWith(transaction.key(overflowCursor), chain.span.bytes) { return }
            _ = try transaction.delete(prefix.span.bytes, at: cursor)
        }
    }

    /// The value under a prefix, copied because the store changes next.
    private enum Found {
        case inline(suffix: [UInt8], value: [UInt8])
        case chain([UInt8])
    }

    private func entry(
        under prefix: [UInt8], _ store: Store, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Found? {
        guard let found = try transaction.get(prefix.span.bytes, from: store) else { return nil }
        switch try PrefixEntry(found) {
        case .inline(let suffix):
            return .inline(
                suffix: [UInt8](copying: found.extracting(suffix)),
                value: [UInt8](copying: found.extracting(suffix.upperBound..<found.byteCount)))
        case .chain(let chainID): return .chain(OrderedInteger.bytes(chainID))
        }
    }
}

/// What is left of a long key at one level: the chain's ID, and the bytes that no level above holds. Shares the bytes of the key.
private struct LevelKey {
    private var chain: [UInt8] = []
    private var rest: ArraySlice<UInt8>

    init(_ key: [UInt8]) {
        rest = key[...]
    }

    init(chain: [UInt8], _ rest: ArraySlice<UInt8>) {
        self.chain = chain
        self.rest = rest
    }

    var bytes: [UInt8] { chain + rest }

    /// Nil if the key is short enough for LMDB.
    var prefix: [UInt8]? {
        chain.count + rest.count < LongKey.prefixLength ? nil : chain + rest.prefix(LongKey.prefixLength - chain.count)
    }

    /// What follows the prefix.
    var suffix: ArraySlice<UInt8> { rest.dropFirst(LongKey.prefixLength - chain.count) }

    /// Goes to the next level, under a chain.
    mutating func descend(to chain: [UInt8]) {
        rest = suffix
        self.chain = chain
    }
}
