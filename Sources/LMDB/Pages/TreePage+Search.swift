// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A key to search for, with its first bytes as two numbers, which decide most comparisons.
@unsafe
struct SoughtKey {
    let start: UnsafeRawPointer
    let count: Int
    let first: UInt64
    /// The second eight bytes, padded with zeroes.
    let second: UInt64

    @inline(__always)
    init(_ start: UnsafeRawPointer, count: Int) {
        unsafe self.start = start
        unsafe self.count = count
        guard count < 16 else {
            unsafe first = SoughtKey.word(start, count: 8)
            unsafe second = SoughtKey.word(start + 8, count: 8)
            return
        }
        guard count < 8 else {
            unsafe first = SoughtKey.word(start, count: 8)
            // The last eight bytes without those of the first number. A shift by 64 gives 0.
            unsafe second = SoughtKey.word(start + (count - 8), count: 8) << UInt64(8 * (16 - count))
            return
        }
        var word: UInt64 = 0
        for index in 0..<count {
            word |= unsafe UInt64(start.load(fromByteOffset: index, as: UInt8.self)) << UInt64(56 - 8 * index)
        }
        unsafe first = word
        unsafe second = 0
    }

    /// The first eight of `count` bytes as a big-endian number, padded with zeroes. Eight bytes must be readable.
    @inline(__always)
    static func word(_ start: UnsafeRawPointer, count: Int) -> UInt64 {
        let word = unsafe UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
        return count >= 8 ? word : word & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* count))
    }
}

extension TreePage {
    /// How many lines of the cache the header and the offsets of a page fill, if its nodes are not very small.
    static let firstLines = 4

    /// A binary search for the last node whose key is not above the sought one, or for node 0 if there is none.
    ///
    /// The caller makes the steps with ``step(_:_:)``, so that it can interleave several searches. A step halves the range
    /// without a branch that depends on the comparison, which the processor could not predict.
    @unsafe
    struct Search {
        fileprivate(set) var low = 0
        /// How many nodes are left, from `low` on.
        fileprivate(set) var left: Int

        var isDone: Bool { unsafe left <= 1 }
    }

    /// A new search. It never compares node 0, whose key is empty in a branch.
    @inline(__always)
    var search: Search { unsafe Search(left: count) }

    /// Makes one comparison; false if the node does not lie within the page.
    @inline(__always)
    func step(_ search: inout Search, _ sought: SoughtKey) -> Bool {
        let half = unsafe search.left >> 1
        let offset = unsafe offset(search.low &+ half)
        guard unsafe offset &+ (PageFormat.Node.headerSize &+ 16) <= size else {
            return unsafe stepByBytes(&search, sought)
        }
        let count = unsafe base.short(at: offset &+ PageFormat.Node.keySize)
        let key = unsafe base + (offset &+ PageFormat.Node.headerSize)
        var (own, others) = unsafe (SoughtKey.word(key, count: count), sought.first)
        if own == others {
            guard count >= 16 else { return unsafe stepByBytes(&search, sought) }
            // Numbers that differ decide also where the sought key ends: no byte is below the zeroes behind its end.
            (own, others) = unsafe (SoughtKey.word(key + 8, count: 8), sought.second)
            if own == others { return unsafe stepByBytes(&search, sought) }
        }
        unsafe search.low &+= own < others ? half : 0
        unsafe search.left &-= half
        return true
    }

    @inline(never)
    private func stepByBytes(_ search: inout Search, _ sought: SoughtKey) -> Bool {
        let half = unsafe search.left >> 1
        guard let order = unsafe order(search.low + half, sought) else { return false }
        unsafe search.low += order > 0 ? 0 : half
        unsafe search.left -= half
        return true
    }

    /// Whether a key lies between two keys of a branch, and so below it, wherever the branch itself lies.
    func isAround(_ key: SoughtKey) -> Bool {
        guard unsafe count > 2, let first = unsafe order(1, key), let last = unsafe order(count - 1, key) else {
            return false
        }
        return first <= 0 && last > 0
    }

    /// Compares a node's key with the sought one.
    func order(_ index: Int, _ sought: SoughtKey) -> Int? {
        guard let key = unsafe key(index), let data = unsafe key.mv_data else { return nil }
        let order = unsafe System.compare(data, sought.start, min(key.mv_size, sought.count))
        return unsafe order != 0 ? Int(order) : key.mv_size - sought.count
    }

    /// Runs a whole search; nil if a node does not lie within the page.
    @inline(__always)
    func lastIndex(notAbove sought: SoughtKey) -> Int? {
        var search = unsafe search
        while unsafe !search.isDone {
            // Without this each step would wait for a cache miss where the page is cold.
            unsafe prefetchThreeSteps(search)
            for _ in 0..<3 where unsafe !search.isDone {
                guard unsafe step(&search, sought) else { return nil }
            }
        }
        return unsafe search.low
    }

    /// Prefetches all nodes that one of the next three steps may compare.
    @inline(__always)
    private func prefetchThreeSteps(_ search: Search) {
        let first = unsafe search.left >> 1
        let second = unsafe (search.left &- first) >> 1
        let third = unsafe (search.left &- first &- second) >> 1
        unsafe prefetch(search.low &+ first)
        for half in 0..<2 {
            let low = unsafe search.low &+ half &* first
            unsafe prefetch(low &+ second)
            unsafe prefetch(low &+ third)
            unsafe prefetch(low &+ second &+ third)
        }
    }

    /// Prefetches the first steps of a search, and the keys that a checked descent compares with the separators.
    func prefetchSearch() {
        unsafe prefetchThreeSteps(search)
        unsafe prefetch(0)
        unsafe prefetch(count - 1)
    }

    /// Whether a node has exactly this key; nil if its key does not lie within the page.
    @inline(__always)
    func isKey(_ index: Int, _ sought: SoughtKey) -> Bool? {
        guard let key = unsafe key(index), let data = unsafe key.mv_data else { return nil }
        return unsafe key.mv_size == sought.count && System.compare(data, sought.start, sought.count) == 0
    }

    /// Prefetches the node that a search compares next.
    @inline(__always)
    func prefetch(_ search: Search) {
        unsafe prefetch(search.low &+ search.left >> 1)
    }

    @inline(__always)
    func prefetchKey(_ index: Int) {
        if index >= 0, unsafe index < count { unsafe prefetch(index) }
    }

    @inline(__always)
    private func prefetch(_ index: Int) {
        unsafe hearth_prefetch(base + offset(index))
    }
}
