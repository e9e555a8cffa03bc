// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Visits the entries of a store whose keys begin with a prefix and continue with bytes in given ranges, forwards or
/// backwards.
struct RangeCursor {
    private var cursor: LongKeyCursor
    private let prefix: [UInt8]
    /// What follows the prefix, ascending.
    private let ranges: [KeyRange]
    private let backwards: Bool
    /// The number of the current range in scan order, and its whole keys.
    private var range: Int
    private var bounds: KeyRange
    private var isPlaced = false
    /// A reusable buffer: the prefix and the last target.
    private var sought: [UInt8]

    init(
        _ store: StoreName, prefix: [UInt8], ranges: [KeyRange], backwards: Bool, _ transaction: inout Transaction
    ) throws(EngineError) {
        cursor = try LongKeyCursor(store, &transaction)
        self.prefix = prefix
        sought = prefix
        self.ranges = ranges
        self.backwards = backwards
        (range, bounds) = RangeCursor.range(from: 0, of: ranges, backwards: backwards, after: prefix)
    }

    /// The first range from a number on that is not empty, and the whole keys in it.
    private static func range(
        from first: Int, of ranges: [KeyRange], backwards: Bool, after prefix: [UInt8]
    ) -> (number: Int, KeyRange) {
        for number in first..<max(first, ranges.count) {
            let rest = ranges[backwards ? ranges.count - 1 - number : number]
            guard !rest.isEmpty else { continue }
            let upper = rest.upper.isEmpty ? KeyRange.successor(of: prefix) : prefix + rest.upper
            return (number, KeyRange(lower: rest.lower.isEmpty ? prefix : prefix + rest.lower, upper: upper))
        }
        return (ranges.count, .all)
    }

    private mutating func leaveRange() {
        (range, bounds) = RangeCursor.range(from: range + 1, of: ranges, backwards: backwards, after: prefix)
    }

    private var isAtEnd: Bool { range >= ranges.count }
    var isAtEntry: Bool { isPlaced && !isAtEnd && cursor.isAtEntry }

    /// Moves to the first or next entry. Returns false at the end.
    mutating func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        if isPlaced, !isAtEnd {
            let found = backwards ? try cursor.previous(&transaction) : try cursor.next(&transaction)
            if found, isInside(transaction) { return true }
            leaveRange()
        }
        return try enterRange(&transaction)
    }

    /// Moves new cursors of one store, which have one after another to be moved to their first entries after that. So their
    /// waits for memory overlap.
    static func approach(_ cursors: inout [RangeCursor], _ transaction: inout Transaction) throws(EngineError) {
        var targets: [(cursor: CursorID, key: [UInt8])] = []
        targets.reserveCapacity(cursors.count)
        for number in cursors.indices where !cursors[number].isAtEnd {
            let bound = cursors[number].backwards ? cursors[number].bounds.upper : cursors[number].bounds.lower
            guard !bound.isEmpty, bound.count < LongKey.prefixLength else { continue }
            targets.append((cursors[number].cursor.makeSought(), bound))
        }
        try transaction.seek(targets)
    }

    /// Skips at most `limit` entries and returns their number.
    mutating func skip(atMost limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&transaction) {
            count += 1
            guard !backwards else { continue }
            let bound = bounds.upper
            count += try cursor.advance(below: bound.span.bytes, atMost: limit - count, &transaction)
        }
        return count
    }

    /// Visits at most `limit` further entries and returns their number. `body` gets the bytes of the key after the
    /// prefix, and the value.
    @inline(__always)
    mutating func visit(
        atMost limit: Int, _ transaction: inout Transaction,
        _ body: (RawSpan, RawSpan, borrowing Transaction) throws(EngineError) -> Void
    ) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&transaction) {
            let visited = try visitSpan(atMost: limit - count, transaction, body)
            count += max(visited, 1)
            if visited > 1 { cursor.step(over: visited - 1, backwards: backwards, &transaction) }
            // The entry has a long key or another prefix, or its page cannot be read in place.
            if visited == 0 { try body(try rest(of: cursor.key(transaction)), cursor.value(transaction), transaction) }
        }
        return count
    }

    /// Visits the current entry and those that follow it in its page and range, and returns their number. It may stop
    /// early.
    @inline(__always)
    private mutating func visitSpan(
        atMost limit: Int, _ transaction: borrowing Transaction,
        _ body: (RawSpan, RawSpan, borrowing Transaction) throws(EngineError) -> Void
    ) throws(EngineError) -> Int {
        let bound = backwards ? bounds.lower : bounds.upper
        let span = cursor.span(to: bound.span.bytes, atMost: limit, backwards: backwards, transaction)
        let prefix = KeyPrefix(prefix.span.bytes)
        var index = 0
        while index < span.count, let entry = span.entry(index, after: prefix) {
            try body(entry.rest, entry.value, transaction)
            index += 1
        }
        return index
    }

    /// The bytes of a key after the prefix.
    @_lifetime(copy key)
    private func rest(of key: RawSpan) throws(EngineError) -> RawSpan {
        // If pages are damaged or exchanged, keys with other prefixes may come between.
        guard startsWith(key, prefix.span.bytes) else { throw RangeCursor.misplaced }
        return key.extracting(prefix.count..<key.byteCount)
    }

    private static var misplaced: EngineError { .damaged("a key is in the wrong place") }

    /// Moves to the first entry, in scan order, whose bytes after the prefix are not before `rest`.
    ///
    /// `rest` must not be before the current entry, because the cursor never moves back.
    mutating func seek(_ rest: [UInt8], _ transaction: inout Transaction) throws(EngineError) -> Bool {
        sought.removeLast(sought.count - prefix.count)
        sought += rest
        // No key is a prefix of another. So one more byte puts the target itself before the bound.
        if backwards { sought.append(0) }
        // The target is not before the current entry, so it is not before the current range either.
        if isPlaced, !backwards, !isAtEnd {
            let target = sought
            if try cursor.seek(target.span.bytes, &transaction), isInside(transaction) { return true }
            leaveRange()
        }
        while !isAtEnd {
            let found: Bool
            if backwards {
                let bound = compareBytes(bounds.upper, sought) <= 0 && !bounds.upper.isEmpty ? bounds.upper : sought
                found = try cursor.seek(before: bound.span.bytes, &transaction)
            } else {
                let bound = compareBytes(bounds.lower, sought) > 0 ? bounds.lower : sought
                found = try cursor.seek(bound.span.bytes, &transaction)
            }
            isPlaced = true
            if found, isInside(transaction) { return true }
            leaveRange()
        }
        return false
    }

    /// Moves forwards to the first entry whose bytes after the prefix are not before `bound`, or backwards to the last
    /// entry whose bytes are before it.
    ///
    /// - Parameter bound: beyond the current entry in scan order.
    mutating func skip(to bound: [UInt8], _ transaction: inout Transaction) throws(EngineError) -> Bool {
        // Forwards, an empty bound is beyond every key.
        if bound.isEmpty, !backwards { (range, bounds) = (ranges.count, .all) }
        let target = prefix + bound
        while !isAtEnd {
            let found: Bool
            if backwards {
                let upper = bounds.upper.isEmpty || compareBytes(target, bounds.upper) < 0 ? target : bounds.upper
                found = try cursor.seek(before: upper.span.bytes, &transaction)
            } else {
                let lower = compareBytes(bounds.lower, target) > 0 ? bounds.lower : target
                found = try cursor.seek(lower.span.bytes, &transaction)
            }
            if found, isInside(transaction) { return true }
            leaveRange()
        }
        return false
    }

    /// The entries as a list to be joined with others. Nil if they have several ranges, or one with a bound that would have to
    /// be compared with keys that are cut off.
    var list: EntryJoin.List? {
        guard ranges.count == 1, !isAtEnd else { return nil }
        let bound = backwards ? bounds.lower : bounds.upper
        guard bound.count < LongKey.prefixLength else { return nil }
        return cursor.list(prefix: prefix, bound: bound, backwards: backwards)
    }

    /// Notes where a join has left the cursor.
    mutating func notePlace(_ transaction: borrowing Transaction) { cursor.notePlace(transaction) }

    func close(_ transaction: inout Transaction) { cursor.close(&transaction) }

    /// Compares the current entry's bytes after the prefix with `target`, or with its complement if `isComplemented`.
    ///
    /// Mutating, so that a cursor in an array is used in place instead of copied.
    mutating func compareRest(
        to target: [UInt8], isComplemented: Bool, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Int {
        let key = cursor.key(transaction)
        // A join checks only the prefixes of entries that all members have; see ``requirePrefix(_:)``.
        guard key.byteCount >= prefix.count else { throw RangeCursor.misplaced }
        let rest = key.extracting(prefix.count..<key.byteCount)
        guard isComplemented else { return compareBytes(rest, target.span.bytes) }
        for index in 0..<min(rest.byteCount, target.count) {
            let (left, right) = (rest.byte(at: index), ~target[index])
            if left != right { return left < right ? -1 : 1 }
        }
        return rest.byteCount - target.count
    }

    /// Throws unless the current entry's key begins with the prefix. Mutating, like ``compareRest(to:isComplemented:_:)``.
    mutating func requirePrefix(_ transaction: borrowing Transaction) throws(EngineError) {
        _ = try rest(of: cursor.key(transaction))
    }

    /// The first of the current entry's bytes after the prefix. Mutating, like ``compareRest(to:isComplemented:_:)``.
    mutating func start(_ transaction: borrowing Transaction) throws(EngineError) -> KeyStart {
        KeyStart(try rest(of: cursor.key(transaction)))
    }

    /// Copies the current entry's bytes after the prefix. Mutating, like ``compareRest(to:isComplemented:_:)``.
    mutating func copyRest(to bytes: inout [UInt8], _ transaction: borrowing Transaction) throws(EngineError) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(copying: try rest(of: cursor.key(transaction)))
    }

    /// Calls `body` with the current entry's bytes after the prefix and its value. Mutating, like ``copyRest(to:_:)``.
    mutating func withEntry<R>(
        _ transaction: borrowing Transaction, _ body: (RawSpan, RawSpan) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        try body(try rest(of: cursor.key(transaction)), cursor.value(transaction))
    }

    /// Calls `body` with the current entry's whole key and value. Mutating, like ``compareRest(to:isComplemented:_:)``.
    mutating func withWholeEntry<R>(
        _ transaction: borrowing Transaction, _ body: (RawSpan, RawSpan) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        let key = cursor.key(transaction)
        _ = try rest(of: key)
        return try body(key, cursor.value(transaction))
    }

    private mutating func enterRange(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        while !isAtEnd {
            isPlaced = true
            let bound = backwards ? bounds.upper : bounds.lower
            let found =
                backwards
                ? try cursor.seek(before: bound.span.bytes, &transaction)
                : try cursor.seek(bound.span.bytes, &transaction)
            if found, isInside(transaction) { return true }
            leaveRange()
        }
        return false
    }

    // Compares with the bounds where they are: a copy of them would count references.
    private func isInside(_ transaction: borrowing Transaction) -> Bool {
        if backwards { return cursor.key(transaction).compare(to: bounds.lower) >= 0 }
        return bounds.upper.isEmpty || cursor.key(transaction).compare(to: bounds.upper) < 0
    }
}
