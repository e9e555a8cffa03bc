// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

// What a cursor of a read transaction does in the pages themselves: their place in the map does not change. LMDB's cursor stays
// behind until it is needed.

extension CursorSet {
    /// Steps on from an entry to following ones, as long as these have keys below `bound` that are shorter than `length`, and
    /// says how many steps those were: for counting, a page at a time.
    ///
    /// Only for a set of a read transaction, with the cursor at an entry; there it is afterwards too.
    ///
    /// - Parameter bound: empty for no bound.
    package mutating func advance(
        _ id: CursorID, below bound: RawSpan, shorterThan length: Int, atMost limit: Int
    ) throws(LMDBError) -> Int {
        checkAtEntry(id)
        require(owner.kind == .read, "Entries are counted in read transactions only.")
        var steps = 0
        while steps < limit {
            steps += unsafe advanceWithinPage(id, below: bound, shorterThan: length, atMost: limit - steps)
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

    /// The current entry and those that follow it in its leaf page, in the direction of the visit, as long as they have keys in a
    /// range that are shorter than `length`: for reading them without a step each. ``step(_:over:backwards:)`` then moves there.
    ///
    /// Empty where the current entry is not all in the page, and in a write transaction. On a damaged page some keys may lie
    /// outside the range.
    ///
    /// - Parameter bound: forwards, where the range ends, or empty for no end; backwards, its first key.
    @_lifetime(borrow self)
    package borrowing func run(
        from id: CursorID, to bound: RawSpan, shorterThan length: Int, atMost limit: Int, backwards: Bool
    ) -> EntryRun {
        checkAtEntry(id)
        let run = unsafe findRun(id, bound, length, limit, backwards: backwards)
        return unsafe _overrideLifetime(run, borrowing: self)
    }

    /// Moves on by some entries of a run.
    package mutating func step(_ id: CursorID, over count: Int, backwards: Bool) {
        guard count > 0, let page = unsafe storage.slots[id.slot].page else { return }
        let index = unsafe storage.slots[id.slot].index + (backwards ? -count : count)
        let isShown = unsafe show(index, of: page, id)
        require(isShown, "A cursor was moved over more entries than a run of its page has.")
    }
}

/// Entries of one leaf page, one after another.
@safe
package struct EntryRun: ~Escapable {
    private let page: TreePage?
    private let first: Int
    private let stride: Int
    package let count: Int

    @unsafe @_lifetime(immortal)
    fileprivate init(_ page: TreePage?, from first: Int, by stride: Int, count: Int) {
        unsafe self.page = unsafe page
        self.first = first
        self.stride = stride
        self.count = count
    }

    @_lifetime(copy self)
    package func key(_ index: Int) -> RawSpan {
        unsafe _overrideLifetime(RawSpan(entry(index).key), copying: self)
    }

    @_lifetime(copy self)
    package func value(_ index: Int) -> RawSpan {
        unsafe _overrideLifetime(RawSpan(entry(index).value), copying: self)
    }

    @unsafe @inline(__always)
    private func entry(_ index: Int) -> (key: MDB_val, value: MDB_val) {
        guard index >= 0, index < count, let entry = unsafe page?.entry(first + stride * index) else {
            preconditionFailure("a run was asked for an entry that it does not have")
        }
        return unsafe entry
    }
}

extension CursorSet {
    @unsafe @_lifetime(immortal)
    private borrowing func findRun(
        _ id: CursorID, _ bound: RawSpan, _ length: Int, _ limit: Int, backwards: Bool
    ) -> EntryRun {
        guard pageSize > 0, limit > 0, unsafe storage.slots[id.slot].position == .atEntry,
            let page = unsafe leafPage(of: id, fromEnd: backwards)
        else { return unsafe EntryRun(nil, from: 0, by: 0, count: 0) }
        let current = unsafe storage.slots[id.slot].index
        let stride = backwards ? -1 : 1
        let most =
            backwards
            ? unsafe page.count(notBelow: bound, before: current, atMost: limit - 1)
            : unsafe page.count(below: bound, after: current, atMost: limit - 1)
        var count = 0
        while count <= most, let entry = unsafe page.entry(current + stride * count),
            unsafe entry.key.mv_size < length
        { count += 1 }
        return unsafe EntryRun(page, from: current, by: stride, count: count)
    }

    /// Steps to the entry beside the current one, if that is in the same leaf page.
    @unsafe @inline(__always)
    borrowing func stepWithinPage(_ id: CursorID, by step: Int) -> Bool {
        guard unsafe storage.slots[id.slot].position == .atEntry,
            let page = unsafe leafPage(of: id, fromEnd: step < 0)
        else { return false }
        return unsafe show(storage.slots[id.slot].index + step, of: page, id)
    }

    /// Moves on to the first entry at or after `key`, if that is behind the current one in its leaf page.
    @unsafe
    borrowing func seekWithinPage(_ id: CursorID, _ key: RawSpan) -> Bool {
        guard unsafe storage.slots[id.slot].position == .atEntry, let page = unsafe leafPage(of: id, fromEnd: false),
            let index = unsafe page.firstIndex(notBelow: key, after: storage.slots[id.slot].index)
        else { return false }
        return unsafe show(index, of: page, id)
    }

    /// Moves to the first entry at or after `key`, if that is in the leaf page where the key has its place.
    @unsafe
    borrowing func seekInTree(_ id: CursorID, _ key: RawSpan) -> Bool {
        let slot = unsafe storage.slots + id.slot
        guard let start = unsafe address(of: key), let tree = unsafe tree(of: Store(dbi: slot.pointee.dbi)),
            let (page, index) = unsafe tree.place(notBelow: SoughtKey(start, count: key.byteCount)),
            unsafe show(index, of: page, id)
        else { return false }
        unsafe slot.pointee.page = page
        unsafe slot.pointee.position = .atEntry
        unsafe slot.pointee.readAt = changes
        return true
    }

    /// As far as ``advance(_:below:shorterThan:atMost:)`` comes within the leaf page.
    @unsafe
    private borrowing func advanceWithinPage(
        _ id: CursorID, below bound: RawSpan, shorterThan length: Int, atMost limit: Int
    ) -> Int {
        guard pageSize > 0, let page = unsafe leafPage(of: id, fromEnd: false) else { return 0 }
        let first = unsafe storage.slots[id.slot].index
        let end = unsafe bound.byteCount == 0 ? page.count : page.count(below: bound) ?? 0
        var index = first
        while index + 1 < end, index - first < limit, let key = unsafe page.key(index + 1),
            unsafe key.mv_size < length
        { index += 1 }
        return unsafe index > first && show(index, of: page, id) ? index - first : 0
    }

    /// Makes an entry of the current one's leaf page the current one, if it can be read there.
    @unsafe @inline(__always)
    private borrowing func show(_ index: Int, of page: TreePage, _ id: CursorID) -> Bool {
        guard index >= 0, unsafe index < page.count, let entry = unsafe page.entry(index) else { return false }
        unsafe storage.values[2 * id.slot] = entry.key
        unsafe storage.values[2 * id.slot + 1] = entry.value
        unsafe storage.slots[id.slot].index = index
        unsafe storage.slots[id.slot].isBehind = true
        return true
    }

    /// The leaf page of the current entry, whose place there is then known.
    @unsafe @inline(__always)
    private borrowing func leafPage(of id: CursorID, fromEnd: Bool) -> TreePage? {
        unsafe storage.slots[id.slot].page ?? findPage(id, fromEnd: fromEnd)
    }

    @unsafe
    private borrowing func findPage(_ id: CursorID, fromEnd: Bool) -> TreePage? {
        let key = unsafe storage.values[2 * id.slot].mv_data
        guard let page = unsafe TreePage(leafAround: key, size: pageSize),
            let index = unsafe page.index(of: key, fromEnd: fromEnd)
        else { return nil }
        unsafe storage.slots[id.slot].page = page
        unsafe storage.slots[id.slot].index = index
        return unsafe page
    }
}
