// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// Puts and deletes keys of any length in one store. ``LongKey`` describes how long keys are stored.
struct LongKeyWriter {
    private let store: Store
    private let cursor: CursorID
    private let overflowCursor: CursorID
    /// Allocates the IDs of new chains.
    private let chains = Counter(.chains)

    init(_ name: StoreName, _ transaction: inout Transaction) throws(EngineError) {
        store = transaction.stores[name]
        cursor = try transaction.open(store)
        overflowCursor = try transaction.open(transaction.stores.overflow)
    }

    func close(_ transaction: inout Transaction) {
        transaction.close(cursor)
        transaction.close(overflowCursor)
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

    /// Puts one level of a long key: as an ordinary key, as an inline suffix, into a chain, or into a new chain
    /// together with the inline suffix that it meets.
    private func putLong(
        _ key: [UInt8], _ value: [UInt8], at cursor: CursorID, _ store: Store, _ transaction: inout Transaction
    ) throws(EngineError) {
        guard key.count >= LongKey.prefixLength else {
            return try transaction.put(cursor, key.span.bytes, value.span.bytes)
        }
        let prefix = Array(key[..<LongKey.prefixLength])
        let suffix = key[LongKey.prefixLength...]
        let chainID: UInt64
        switch try entry(under: prefix, store, transaction) {
        case nil: return try putInline(prefix, suffix, value, at: cursor, &transaction)
        case .chain(let existing, _): chainID = existing
        case .inline(let other, let otherValue):
            if other[...] == suffix { return try putInline(prefix, suffix, value, at: cursor, &transaction) }
            chainID = try chains.next(&transaction)
            let chain = PrefixEntry.chainValue(chainID)
            try transaction.put(cursor, prefix.span.bytes, chain.span.bytes)
            let moved = OrderedInteger.bytes(chainID) + other
            try putLong(moved, otherValue, at: overflowCursor, transaction.stores.overflow, &transaction)
        }
        let continued = OrderedInteger.bytes(chainID) + suffix
        try putLong(continued, value, at: overflowCursor, transaction.stores.overflow, &transaction)
    }

    private func putInline(
        _ prefix: [UInt8], _ suffix: ArraySlice<UInt8>, _ value: [UInt8], at cursor: CursorID,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        let entry = PrefixEntry.inlineValue(suffix: suffix, value: value)
        try transaction.put(cursor, prefix.span.bytes, entry.span.bytes)
    }

    private func deleteLong(
        _ key: [UInt8], at cursor: CursorID, _ store: Store, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        guard key.count >= LongKey.prefixLength else { return try transaction.delete(key.span.bytes, at: cursor) }
        let prefix = Array(key[..<LongKey.prefixLength])
        switch try entry(under: prefix, store, transaction) {
        case nil: return false
        case .inline(let suffix, _):
            guard suffix[...] == key[LongKey.prefixLength...] else { return false }
        case .chain(_, let chain):
            let continued = chain + key[LongKey.prefixLength...]
            guard try deleteLong(continued, at: overflowCursor, transaction.stores.overflow, &transaction) else {
                return false
            }
            let more = try transaction.seek(overflowCursor, chain.span.bytes)
            if more, startsWith(transaction.key(overflowCursor), chain.span.bytes) { return true }
        }
        return try transaction.delete(prefix.span.bytes, at: cursor)
    }

    /// The value under a prefix, copied because the store changes next.
    private enum Found {
        case inline(suffix: [UInt8], value: [UInt8])
        case chain(UInt64, bytes: [UInt8])
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
        case .chain(let chainID): return .chain(chainID, bytes: OrderedInteger.bytes(chainID))
        }
    }
}
