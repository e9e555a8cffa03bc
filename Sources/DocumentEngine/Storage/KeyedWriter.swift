// SPDX-License-Identifier: Apache-2.0

package import LMDB

/// Puts and deletes keys of any length in one store (see ``KeyedStore`` for how long ones are stored).
package struct KeyedWriter {
    private let keyed: KeyedStore
    private let cursor: CursorID
    private let continuation: CursorID
    /// Numbers for new runs.
    private let runs: Counter

    init(_ keyed: KeyedStore, runs: Counter, _ cursors: inout CursorSet) throws(EngineError) {
        self.keyed = keyed
        self.runs = runs
        cursor = try cursors.openCursor(keyed.store)
        continuation = try cursors.openCursor(keyed.continuations)
    }

    /// Sets the value under `key`.
    package func put(
        _ key: RawSpan, _ value: RawSpan, _ cursors: inout CursorSet
    ) throws(EngineError) {
        if key.byteCount < KeyedStore.cut { return try cursors.putEntry(cursor, key, value) }
        try putLong([UInt8](copying: key), [UInt8](copying: value), at: cursor, keyed.store, &cursors)
    }

    package func put(_ key: [UInt8], _ value: [UInt8], _ cursors: inout CursorSet) throws(EngineError) {
        try put(key.span.bytes, value.span.bytes, &cursors)
    }

    /// Sets the values of sorted entries, which takes less than one by one.
    func put(_ slice: EntryBuffer, _ part: Range<Int>, _ cursors: inout CursorSet) throws(EngineError) {
        let bytes = slice.bytes.span.bytes
        var rest = part
        while !rest.isEmpty {
            let start = rest.lowerBound
            let end = rest.first { slice.key($0).count >= KeyedStore.cut } ?? rest.upperBound
            try cursors.putEntries(cursor, end - start, in: bytes) { index in
                (slice.key(start + index), slice.value(start + index))
            }
            rest.removeFirst(end - start)
            guard let long = rest.popFirst() else { break }
            try put(bytes.extracting(slice.key(long)), bytes.extracting(slice.value(long)), &cursors)
        }
    }

    /// Sets the value under a key that is likely to come after all others; puts it wherever it belongs.
    func append(_ key: RawSpan, _ value: RawSpan, _ cursors: inout CursorSet) throws(EngineError) {
        if key.byteCount < KeyedStore.cut, try cursors.appendEntry(cursor, key, value) { return }
        try put(key, value, &cursors)
    }

    /// The same of many sorted entries, which takes less than one by one.
    func append(_ slice: EntryBuffer, _ part: Range<Int>, _ cursors: inout CursorSet) throws(EngineError) {
        let bytes = slice.bytes.span.bytes
        var rest = part
        var isBehind = true
        while !rest.isEmpty {
            if isBehind {
                let start = rest.lowerBound
                let end = rest.first { slice.key($0).count >= KeyedStore.cut } ?? rest.upperBound
                let count = try cursors.appendEntries(cursor, end - start, in: bytes) { index in
                    (slice.key(start + index), slice.value(start + index))
                }
                rest.removeFirst(count)
                isBehind = start + count == end
            }
            guard let next = rest.popFirst() else { break }
            try append(bytes.extracting(slice.key(next)), bytes.extracting(slice.value(next)), &cursors)
        }
    }

    /// Removes `key`; false if it is not there.
    package func delete(_ key: RawSpan, _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if key.byteCount < KeyedStore.cut { return try deleteExact(key, at: cursor, &cursors) }
        return try deleteLong([UInt8](copying: key), at: cursor, keyed.store, &cursors)
    }

    package func delete(_ key: [UInt8], _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        try delete(key.span.bytes, &cursors)
    }

    private func deleteExact(
        _ key: RawSpan, at cursor: CursorID, _ cursors: inout CursorSet
    ) throws(EngineError) -> Bool {
        guard try cursors.seekEntry(cursor, key), compareBytes(cursors.key(cursor), key) == 0 else { return false }
        try cursors.deleteEntry(cursor)
        return true
    }

    /// One level of a long key: straight, as a new lone rest, beside a lone rest (which becomes a run), or in a run.
    private func putLong(
        _ key: [UInt8], _ value: [UInt8], at cursor: CursorID, _ store: Store, _ cursors: inout CursorSet
    ) throws(EngineError) {
        guard key.count >= KeyedStore.cut else {
            return try cursors.putEntry(cursor, key.span.bytes, value.span.bytes)
        }
        let head = Array(key[..<KeyedStore.cut])
        let rest = key[KeyedStore.cut...]
        let number: UInt64
        switch try self.head(head, store, cursors) {
        case nil: return try putLone(head, rest, value, at: cursor, &cursors)
        case .run(let existing, _): number = existing
        case .lone(let other, let otherValue):
            if other[...] == rest { return try putLone(head, rest, value, at: cursor, &cursors) }
            number = try runs.next(&cursors)
            let run = LongKeyHead.runValue(number)
            try cursors.putEntry(cursor, head.span.bytes, run.span.bytes)
            let moved = OrderedInteger.bytes(number) + other
            try putLong(moved, otherValue, at: continuation, keyed.continuations, &cursors)
        }
        let continued = OrderedInteger.bytes(number) + rest
        try putLong(continued, value, at: continuation, keyed.continuations, &cursors)
    }

    private func putLone(
        _ head: [UInt8], _ rest: ArraySlice<UInt8>, _ value: [UInt8], at cursor: CursorID, _ cursors: inout CursorSet
    ) throws(EngineError) {
        let lone = LongKeyHead.loneValue(rest: rest, value: value)
        try cursors.putEntry(cursor, head.span.bytes, lone.span.bytes)
    }

    private func deleteLong(
        _ key: [UInt8], at cursor: CursorID, _ store: Store, _ cursors: inout CursorSet
    ) throws(EngineError) -> Bool {
        guard key.count >= KeyedStore.cut else { return try deleteExact(key.span.bytes, at: cursor, &cursors) }
        let head = Array(key[..<KeyedStore.cut])
        switch try self.head(head, store, cursors) {
        case nil: return false
        case .lone(let rest, _):
            guard rest[...] == key[KeyedStore.cut...] else { return false }
        case .run(_, let run):
            let continued = run + key[KeyedStore.cut...]
            guard try deleteLong(continued, at: continuation, keyed.continuations, &cursors) else { return false }
            let more = try cursors.seekEntry(continuation, run.span.bytes)
            if more, startsWith(cursors.key(continuation), run.span.bytes) { return true }
        }
        return try deleteExact(head.span.bytes, at: cursor, &cursors)
    }

    /// What stands under a head, copied: the store is changed next.
    private enum Found {
        case lone(rest: [UInt8], value: [UInt8])
        case run(UInt64, bytes: [UInt8])
    }

    private func head(
        _ head: [UInt8], _ store: Store, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> Found? {
        guard let found = try cursors.lookUp(store, head.span.bytes) else { return nil }
        switch try LongKeyHead(found) {
        case .lone(let rest):
            return .lone(
                rest: [UInt8](copying: found.extracting(rest)),
                value: [UInt8](copying: found.extracting(rest.upperBound..<found.byteCount)))
        case .run(let number): return .run(number, bytes: OrderedInteger.bytes(number))
        }
    }
}
