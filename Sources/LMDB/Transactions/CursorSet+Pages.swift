// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

// Several entries of a leaf at once, where this module reads the pages.

extension CursorSet {
    /// Steps on while the following entry has a key below `bound` that is shorter than `length`. It counts a leaf at a time.
    ///
    /// Only for a read transaction. The cursor is at an entry before and after.
    ///
    /// - Parameter bound: empty for no bound.
    /// - Returns: how many steps were made.
    package mutating func advance(
        _ id: CursorID, below bound: RawSpan, shorterThan length: Int, atMost limit: Int
    ) throws(LMDBError) -> Int {
        checkAtEntry(id)
        require(kind == .read, "Entries are counted in read transactions only.")
        var steps = 0
        while steps < limit {
            steps += unsafe advanceWithinLeaf(id, below: bound, shorterThan: length, atMost: limit - steps)
            guard steps < limit, try next(id) else { break }
            let key = unsafe storage.values[2 * id.slot]
            let isInside = unsafe bound.byteCount == 0 || compareBytes(RawSpan(key), bound) < 0
            guard isInside, unsafe key.mv_size < length else {
                _ = try previous(id)
                return steps
            }
            steps += 1
        }
        if unsafe storage.slots[id.slot].position == .pastEnd { _ = try previous(id) }
        return steps
    }

    /// The current entry and those after it in its leaf, in the direction of the scan, while their keys are in the range. They are
    /// read without a step each; ``step(_:over:backwards:)`` then moves the cursor.
    ///
    /// Empty where LMDB reads the pages. Where a damaged page's keys are out of order, some may lie outside the range.
    ///
    /// - Parameters:
    ///   - bound: forwards the end of the range, or empty for no end; backwards its first key.
    ///   - length: entries with keys of this length or more cannot be read in the span.
    @_lifetime(borrow self)
    package borrowing func span(
        from id: CursorID, to bound: RawSpan, shorterThan length: Int, atMost limit: Int, backwards: Bool
    ) -> EntrySpan {
        checkAtEntry(id)
        let span = unsafe findSpan(id, bound, length, limit, backwards: backwards)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Moves on by some entries of a span.
    package mutating func step(_ id: CursorID, over count: Int, backwards: Bool) {
        guard count > 0 else { return }
        let isMoved = unsafe stepWithinLeaf(id, by: backwards ? -count : count)
        require(isMoved, "A cursor was moved over more entries than a span of its page has.")
    }
}

/// Successive entries of one leaf.
@safe
package struct EntrySpan: ~Escapable {
    private let page: TreePage?
    private let first: Int
    private let stride: Int
    private let length: Int
    package let count: Int

    @unsafe @_lifetime(immortal)
    fileprivate init(_ page: TreePage?, from first: Int, by stride: Int, count: Int, shorterThan length: Int) {
        unsafe self.page = unsafe page
        self.first = first
        self.stride = stride
        self.count = count
        self.length = length
    }

    /// An entry. Nil if its key begins otherwise or is too long, or if its value is on overflow pages: then a step of the cursor
    /// has to read it.
    @_lifetime(copy self)
    package func entry(_ index: Int, after prefix: borrowing KeyPrefix) -> SpanEntry? {
        guard index >= 0, index < count, let page = unsafe page else {
            preconditionFailure("a span was asked for an entry that it does not have")
        }
        // An empty key is damage, which a step meets.
        guard let (key, value) = unsafe page.entry(first + stride * index),
            unsafe UInt(bitPattern: key.mv_size &- 1) < UInt(length - 1), unsafe prefix.begins(key, in: page)
        else { return nil }
        let rest = unsafe MDB_val(mv_size: key.mv_size - prefix.count, mv_data: key.mv_data + prefix.count)
        return unsafe _overrideLifetime(SpanEntry(rest, value), copying: self)
    }
}

/// An entry of a span.
package struct SpanEntry: ~Escapable {
    /// The key after the prefix.
    package let rest: RawSpan
    package let value: RawSpan

    @unsafe @_lifetime(immortal)
    fileprivate init(_ rest: MDB_val, _ value: MDB_val) {
        self.rest = unsafe RawSpan(rest)
        self.value = unsafe RawSpan(value)
    }
}

/// How keys must begin.
@safe
package struct KeyPrefix: ~Escapable {
    private let start: UnsafeRawPointer?
    fileprivate let count: Int
    /// The first bytes as a number, padded with zeroes, and which bits of it count.
    private let word: UInt64
    private let mask: UInt64

    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan) {
        unsafe start = address(of: bytes)
        count = bytes.byteCount
        mask = count >= 8 ? UInt64.max : ~(UInt64.max >> UInt64(8 * count))
        word = unsafe start.map { unsafe SoughtKey($0, count: bytes.byteCount).first } ?? 0
    }

    /// Mostly one comparison of eight bytes, if the page has as many after the key's start.
    @unsafe @inline(__always)
    fileprivate func begins(_ key: MDB_val, in page: TreePage) -> Bool {
        guard unsafe key.mv_size >= count, let data = unsafe key.mv_data else { return false }
        guard count <= 8, unsafe UnsafeRawPointer(data) + 8 <= page.base + page.size else {
            return unsafe start.map { unsafe System.compare(data, $0, count) == 0 } ?? true
        }
        return unsafe (SoughtKey.word(data, count: 8) ^ word) & mask == 0
    }
}

extension CursorSet {
    @unsafe @_lifetime(immortal)
    private borrowing func findSpan(
        _ id: CursorID, _ bound: RawSpan, _ length: Int, _ limit: Int, backwards: Bool
    ) -> EntrySpan {
        guard limit > 0, let leaf = unsafe leaf(of: id) else {
            return unsafe EntrySpan(nil, from: 0, by: 0, count: 0, shorterThan: length)
        }
        let current = unsafe storage.slots[id.slot].index
        let stride = backwards ? -1 : 1
        let most =
            backwards
            ? unsafe leaf.count(notBelow: bound, before: current, atMost: limit - 1)
            : unsafe leaf.count(below: bound, after: current, atMost: limit - 1)
        return unsafe EntrySpan(leaf, from: current, by: stride, count: most + 1, shorterThan: length)
    }

    /// The part of ``advance(_:below:shorterThan:atMost:)`` that stays in the leaf.
    @unsafe
    private borrowing func advanceWithinLeaf(
        _ id: CursorID, below bound: RawSpan, shorterThan length: Int, atMost limit: Int
    ) -> Int {
        guard let leaf = unsafe leaf(of: id) else { return 0 }
        let first = unsafe storage.slots[id.slot].index
        let end = unsafe bound.byteCount == 0 ? leaf.count : leaf.count(below: bound) ?? 0
        var index = first
        while index + 1 < end, index - first < limit, let key = unsafe leaf.key(index + 1),
            unsafe key.mv_size < length
        { index += 1 }
        return unsafe index > first && stepWithinLeaf(id, by: index - first) ? index - first : 0
    }
}
