// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Visits the entries of a store that begin with a prefix and whose further bytes lie in given ranges, forwards or backwards.
struct RangeCursor {
    private var cursor: KeyCursor
    private let prefix: [UInt8]
    /// Whole keys, in the order of the visit.
    private let ranges: [KeyRange]
    private let backwards: Bool
    private var range = 0
    private var isPlaced = false
    /// The prefix and what was sought behind it last: room that is used again.
    private var sought: [UInt8]

    init(
        _ keyed: KeyedStore, prefix: [UInt8], ranges: [KeyRange], backwards: Bool, _ cursors: inout CursorSet
    ) throws(EngineError) {
        cursor = try KeyCursor(keyed, &cursors)
        self.prefix = prefix
        sought = prefix
        self.backwards = backwards
        var whole: [KeyRange] = []
        whole.reserveCapacity(ranges.count)
        for range in ranges where !range.isEmpty {
            let upper = range.upper.isEmpty ? KeyBounds.successor(of: prefix) : prefix + range.upper
            whole.append(KeyRange(lower: range.lower.isEmpty ? prefix : prefix + range.lower, upper: upper))
        }
        if backwards { whole.reverse() }
        self.ranges = whole
    }

    var isAtEntry: Bool { isPlaced && range < ranges.count && cursor.isAtEntry }

    /// Moves to the first or following entry; false past the last.
    mutating func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if isPlaced {
            let found = backwards ? try cursor.previous(&cursors) : try cursor.next(&cursors)
            if found, isInside(cursors) { return true }
            range += 1
        }
        return try enterRange(&cursors)
    }

    /// Moves past entries, at most `limit` of them, and says how many those were.
    mutating func skip(atMost limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&cursors) {
            count += 1
            guard !backwards else { continue }
            let bounds = ranges[range]
            count += try cursor.advance(below: bounds.upper.span.bytes, atMost: limit - count, &cursors)
        }
        return count
    }

    /// Moves past entries, at most `limit` of them, and shows each: the bytes of its key after the prefix, and its value. Says how
    /// many those were.
    @inline(__always)
    mutating func visit(
        atMost limit: Int, _ cursors: inout CursorSet,
        _ body: (RawSpan, RawSpan, borrowing CursorSet) throws(EngineError) -> Void
    ) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&cursors) {
            let visited = try visitRun(atMost: limit - count, cursors, body)
            count += max(visited, 1)
            if visited > 1 { cursor.step(over: visited - 1, backwards: backwards, &cursors) }
            // An unusual entry.
            if visited == 0 { try body(try rest(of: cursor.key(cursors)), cursor.value(cursors), cursors) }
        }
        return count
    }

    /// Shows the current entry and those that follow it in its page and range, and says how many those were. There may be more.
    @inline(__always)
    private mutating func visitRun(
        atMost limit: Int, _ cursors: borrowing CursorSet,
        _ body: (RawSpan, RawSpan, borrowing CursorSet) throws(EngineError) -> Void
    ) throws(EngineError) -> Int {
        let bound = backwards ? ranges[range].lower : ranges[range].upper
        let run = cursor.run(to: bound.span.bytes, atMost: limit, backwards: backwards, cursors)
        for index in 0..<run.count { try body(try rest(of: run.key(index)), run.value(index), cursors) }
        return run.count
    }

    /// The bytes of a key after the prefix.
    @_lifetime(copy key)
    private func rest(of key: RawSpan) throws(EngineError) -> RawSpan {
        // On pages that are damaged or have been exchanged, keys of other prefixes come between.
        guard startsWith(key, prefix.span.bytes) else { throw RangeCursor.misplaced }
        return key.extracting(prefix.count..<key.byteCount)
    }

    private static var misplaced: EngineError { .damaged("a key stands where it does not belong") }

    /// Moves to the first entry, in the order of the visit, that is not before the bytes `rest` after the prefix.
    ///
    /// It never moves back: `rest` is not before the current entry.
    mutating func seek(_ rest: [UInt8], _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        sought.removeLast(sought.count - prefix.count)
        sought += rest
        // No key is a prefix of another, so with one byte more the target itself is before the bound.
        if backwards { sought.append(0) }
        // What is not before the current entry is not before the current range.
        if isPlaced, !backwards, range < ranges.count {
            let target = sought
            if try cursor.seek(target.span.bytes, &cursors), isInside(cursors) { return true }
            range += 1
        }
        while range < ranges.count {
            let bounds = ranges[range]
            let found: Bool
            if backwards {
                let bound = compareBytes(bounds.upper, sought) <= 0 && !bounds.upper.isEmpty ? bounds.upper : sought
                found = try cursor.seek(before: bound.span.bytes, &cursors)
            } else {
                let bound = compareBytes(bounds.lower, sought) > 0 ? bounds.lower : sought
                found = try cursor.seek(bound.span.bytes, &cursors)
            }
            isPlaced = true
            if found, isInside(cursors) { return true }
            range += 1
        }
        return false
    }

    /// Moves on to the first entry whose bytes after the prefix are not before `bound`; backwards, to the last one whose bytes
    /// are before it.
    ///
    /// - Parameter bound: beyond the current entry in the direction of the visit.
    mutating func skip(to bound: [UInt8], _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        // Forwards, no bound is left after every key.
        if bound.isEmpty, !backwards { range = ranges.count }
        let target = prefix + bound
        while range < ranges.count {
            let bounds = ranges[range]
            let found: Bool
            if backwards {
                let upper = bounds.upper.isEmpty || compareBytes(target, bounds.upper) < 0 ? target : bounds.upper
                found = try cursor.seek(before: upper.span.bytes, &cursors)
            } else {
                let lower = compareBytes(bounds.lower, target) > 0 ? bounds.lower : target
                found = try cursor.seek(lower.span.bytes, &cursors)
            }
            if found, isInside(cursors) { return true }
            range += 1
        }
        return false
    }

    func close(_ cursors: inout CursorSet) {
        cursor.close(&cursors)
    }

    /// The order of the current entry's bytes after the prefix against `target`, which is complemented where `isComplemented`.
    ///
    /// Mutating, so that a cursor inside a collection is used in its place and not copied.
    mutating func compareRest(
        to target: [UInt8], isComplemented: Bool, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> Int {
        let key = cursor.key(cursors)
        // A join looks at the prefix of entries alone on which all members agree; see ``requirePrefix(_:)``.
        guard key.byteCount >= prefix.count else { throw RangeCursor.misplaced }
        let rest = key.extracting(prefix.count..<key.byteCount)
        guard isComplemented else { return compareBytes(rest, target.span.bytes) }
        for index in 0..<min(rest.byteCount, target.count) {
            let (left, right) = (rest.byte(at: index), ~target[index])
            if left != right { return left < right ? -1 : 1 }
        }
        return rest.byteCount - target.count
    }

    /// That the current entry's key begins with the prefix. Mutating as ``compareRest(to:isComplemented:_:)`` is.
    mutating func requirePrefix(_ cursors: borrowing CursorSet) throws(EngineError) {
        _ = try rest(of: cursor.key(cursors))
    }

    /// Copies the current entry's bytes after the prefix. Mutating as ``compareRest(to:isComplemented:_:)`` is.
    mutating func copyRest(to bytes: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(copying: try rest(of: cursor.key(cursors)))
    }

    /// Shows the current entry: the bytes of its key after the prefix, and its value.
    func withEntry<R>(
        _ cursors: borrowing CursorSet, _ body: (RawSpan, RawSpan) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        try body(try rest(of: cursor.key(cursors)), cursor.value(cursors))
    }

    /// Shows the current entry with its whole key.
    func withWholeEntry<R>(
        _ cursors: borrowing CursorSet, _ body: (RawSpan, RawSpan) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        let key = cursor.key(cursors)
        _ = try rest(of: key)
        return try body(key, cursor.value(cursors))
    }

    private mutating func enterRange(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while range < ranges.count {
            let bounds = ranges[range]
            isPlaced = true
            let found =
                backwards
                ? try cursor.seek(before: bounds.upper.span.bytes, &cursors)
                : try cursor.seek(bounds.lower.span.bytes, &cursors)
            if found, isInside(cursors) { return true }
            range += 1
        }
        return false
    }

    private func isInside(_ cursors: borrowing CursorSet) -> Bool {
        // The bounds are compared where they stand: a copy of them would count references for every entry.
        if backwards { return cursor.key(cursors).compare(to: ranges[range].lower) >= 0 }
        return ranges[range].upper.isEmpty || cursor.key(cursors).compare(to: ranges[range].upper) < 0
    }
}
