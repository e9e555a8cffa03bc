// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// Puts and deletes keys of any length in one store (see ``LongKey`` for how long ones are stored).
struct KeyedWriter {
    private let store: Store
    private let cursor: CursorID
    private let continuation: CursorID
    /// Numbers for new runs.
    private let runs = Counter(.runs)

    init(_ name: StoreName, _ transaction: inout Transaction) throws(EngineError) {
        store = transaction.stores[name]
        cursor = try transaction.open(store)
        continuation = try transaction.open(transaction.stores.continuations)
    }

    func close(_ transaction: inout Transaction) {
        transaction.close(cursor)
        transaction.close(continuation)
    }

    /// Sets the value under `key`.
    func put(
        _ key: RawSpan, _ value: RawSpan, _ transaction: inout Transaction
    ) throws(EngineError) {
        if key.byteCount < LongKey.cut { return try transaction.put(cursor, key, value) }
        try putLong([UInt8](copying: key), [UInt8](copying: value), at: cursor, store, &transaction)
    }

    func put(_ key: [UInt8], _ value: [UInt8], _ transaction: inout Transaction) throws(EngineError) {
        try put(key.span.bytes, value.span.bytes, &transaction)
    }

    /// Sets the values of sorted entries, which takes less than one by one.
    func put(_ slice: EntryBuffer, _ part: Range<Int>, _ transaction: inout Transaction) throws(EngineError) {
        let bytes = slice.bytes.span.bytes
        var rest = part
        while !rest.isEmpty {
            let start = rest.lowerBound
            let end = rest.first { slice.key($0).count >= LongKey.cut } ?? rest.upperBound
            try transaction.put(cursor, end - start, in: bytes) { index in
                (slice.key(start + index), slice.value(start + index))
            }
            rest.removeFirst(end - start)
            guard let long = rest.popFirst() else { break }
            try put(bytes.extracting(slice.key(long)), bytes.extracting(slice.value(long)), &transaction)
        }
    }

    /// Sets the value under a key that is likely to come after all others; puts it wherever it belongs.
    func append(_ key: RawSpan, _ value: RawSpan, _ transaction: inout Transaction) throws(EngineError) {
        if key.byteCount < LongKey.cut, try transaction.append(cursor, key, value) { return }
        try put(key, value, &transaction)
    }

    /// The same of many sorted entries, which takes less than one by one.
    func append(_ slice: EntryBuffer, _ part: Range<Int>, _ transaction: inout Transaction) throws(EngineError) {
        let bytes = slice.bytes.span.bytes
        var rest = part
        var isBehind = true
        while !rest.isEmpty {
            if isBehind {
                let start = rest.lowerBound
                let end = rest.first { slice.key($0).count >= LongKey.cut } ?? rest.upperBound
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

    /// Removes `key`; false if it is not there.
    func delete(_ key: RawSpan, _ transaction: inout Transaction) throws(EngineError) -> Bool {
        if key.byteCount < LongKey.cut { return try deleteExact(key, at: cursor, &transaction) }
        return try deleteLong([UInt8](copying: key), at: cursor, store, &transaction)
    }

    func delete(_ key: [UInt8], _ transaction: inout Transaction) throws(EngineError) -> Bool {
        try delete(key.span.bytes, &transaction)
    }

    private func deleteExact(
        _ key: RawSpan, at cursor: CursorID, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        guard try transaction.seek(cursor, key), compareBytes(transaction.key(cursor), key) == 0 else { return false }
        try transaction.delete(cursor)
        return true
    }

    /// One level of a long key: straight, as a new lone rest, beside a lone rest (which becomes a run), or in a run.
    private func putLong(
        _ key: [UInt8], _ value: [UInt8], at cursor: CursorID, _ store: Store, _ transaction: inout Transaction
    ) throws(EngineError) {
        guard key.count >= LongKey.cut else {
            return try transaction.put(cursor, key.span.bytes, value.span.bytes)
        }
        let head = Array(key[..<LongKey.cut])
        let rest = key[LongKey.cut...]
        let number: UInt64
        switch try self.head(head, store, transaction) {
        case nil: return try putLone(head, rest, value, at: cursor, &transaction)
        case .run(let existing, _): number = existing
        case .lone(let other, let otherValue):
            if other[...] == rest { return try putLone(head, rest, value, at: cursor, &transaction) }
            number = try runs.next(&transaction)
            let run = LongKeyHead.runValue(number)
            try transaction.put(cursor, head.span.bytes, run.span.bytes)
            let moved = OrderedInteger.bytes(number) + other
            try putLong(moved, otherValue, at: continuation, transaction.stores.continuations, &transaction)
        }
        let continued = OrderedInteger.bytes(number) + rest
        try putLong(continued, value, at: continuation, transaction.stores.continuations, &transaction)
    }

    private func putLone(
        _ head: [UInt8], _ rest: ArraySlice<UInt8>, _ value: [UInt8], at cursor: CursorID,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        let lone = LongKeyHead.loneValue(rest: rest, value: value)
        try transaction.put(cursor, head.span.bytes, lone.span.bytes)
    }

    private func deleteLong(
        _ key: [UInt8], at cursor: CursorID, _ store: Store, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        guard key.count >= LongKey.cut else { return try deleteExact(key.span.bytes, at: cursor, &transaction) }
        let head = Array(key[..<LongKey.cut])
        switch try self.head(head, store, transaction) {
        case nil: return false
        case .lone(let rest, _):
            guard rest[...] == key[LongKey.cut...] else { return false }
        case .run(_, let run):
            let continued = run + key[LongKey.cut...]
            guard try deleteLong(continued, at: continuation, transaction.stores.continuations, &transaction) else {
                return false
            }
            let more = try transaction.seek(continuation, run.span.bytes)
            if more, startsWith(transaction.key(continuation), run.span.bytes) { return true }
        }
        return try deleteExact(head.span.bytes, at: cursor, &transaction)
    }

    /// What stands under a head, copied: the store is changed next.
    private enum Found {
        case lone(rest: [UInt8], value: [UInt8])
        case run(UInt64, bytes: [UInt8])
    }

    private func head(
        _ head: [UInt8], _ store: Store, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Found? {
        guard let found = try transaction.get(head.span.bytes, from: store) else { return nil }
        switch try LongKeyHead(found) {
        case .lone(let rest):
            return .lone(
                rest: [UInt8](copying: found.extracting(rest)),
                value: [UInt8](copying: found.extracting(rest.upperBound..<found.byteCount)))
        case .run(let number): return .run(number, bytes: OrderedInteger.bytes(number))
        }
    }
}
