// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

private let pageHeadSize = 16
private let nodeHeadSize = 8

/// A page of a tree where it lies in the map: a branch, or a leaf, in which a scan steps without calling LMDB.
///
/// The page format is that of LMDB 0.9, as in `PageAudit.swift`. Only for read transactions, whose pages do not change. Nothing
/// outside the page is read: where something is not as it should be, the answers are nil, and LMDB goes on.
@unsafe
struct TreePage {
    enum Kind: UInt16 {
        case branch = 1
        case leaf = 2
    }

    private let base: UnsafeRawPointer
    private let size: Int
    /// How many entries it has.
    let count: Int

    /// The size of an environment's pages, if a page can be found from an address within it; else zero, and no page is found.
    static func usableSize(_ transaction: OpaquePointer) -> Int {
        var (major, minor): (Int32, Int32) = (0, 0)
        _ = unsafe mdb_version(&major, &minor, nil)
        var stat = MDB_stat()
        let code = unsafe mdb_env_stat(mdb_txn_env(transaction), &stat)
        let size = Int(stat.ms_psize)
        // The map begins at a page of the system's, so pages that are larger may begin anywhere.
        let isAligned = size.nonzeroBitCount == 1 && size <= sysconf(Int32(_SC_PAGESIZE))
        return code == 0 && major == 0 && minor == 9 && isAligned ? size : 0
    }

    @inline(__always)
    init?(at base: UnsafeRawPointer, size: Int, _ expected: Kind) {
        let kind = unsafe base.loadUnaligned(fromByteOffset: 10, as: UInt16.self) & 0x6F
        let lower = unsafe Int(base.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        guard kind == expected.rawValue, lower >= pageHeadSize, lower <= size else { return nil }
        unsafe self.base = base
        unsafe self.size = size
        unsafe count = (lower - pageHeadSize) / 2
    }

    /// The leaf page in which the key of an entry lies.
    init?(leafAround key: UnsafeMutableRawPointer?, size: Int) {
        guard size > 0, let base = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: key) & ~UInt(size - 1)) else {
            return nil
        }
        unsafe self.init(at: base, size: size, .leaf)
    }

    @inline(__always)
    private func offset(_ index: Int) -> Int {
        unsafe Int(base.loadUnaligned(fromByteOffset: pageHeadSize &+ 2 &* index, as: UInt16.self))
    }

    @inline(__always)
    func key(_ index: Int) -> MDB_val? {
        let offset = unsafe offset(index)
        guard unsafe offset + nodeHeadSize <= size else { return nil }
        let count = unsafe Int(base.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
        let start = offset + nodeHeadSize
        guard unsafe start + count <= size else { return nil }
        return unsafe MDB_val(mv_size: count, mv_data: UnsafeMutableRawPointer(mutating: base + start))
    }
}

// MARK: - Searching

/// A key that is sought, with its first bytes as two numbers, which decide most comparisons.
@unsafe
struct SoughtKey {
    let start: UnsafeRawPointer
    let count: Int
    let first: UInt64
    /// Only of keys of at least sixteen bytes.
    let second: UInt64

    @inline(__always)
    init(_ start: UnsafeRawPointer, count: Int) {
        unsafe self.start = start
        unsafe self.count = count
        unsafe second = count < 16 ? 0 : SoughtKey.word(start + 8, count: 8)
        guard count < 8 else {
            unsafe first = SoughtKey.word(start, count: 8)
            return
        }
        var word: UInt64 = 0
        for index in 0..<count {
            word |= unsafe UInt64(start.load(fromByteOffset: index, as: UInt8.self)) << UInt64(56 - 8 * index)
        }
        unsafe first = word
    }

    /// The first eight of `count` bytes as a number in their order, zeroes for missing ones. Eight bytes must be readable.
    @inline(__always)
    static func word(_ start: UnsafeRawPointer, count: Int) -> UInt64 {
        let word = unsafe UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
        return count >= 8 ? word : word & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* count))
    }
}

extension TreePage {
    /// A search for the last entry whose key is not above a sought one, or the first entry if there is none.
    ///
    /// It goes on by ``step(_:_:)``, so that several can be made in turn. Every step halves what is left, whichever half it is,
    /// and no jump depends on that: the processor could only guess it.
    @unsafe
    struct Search {
        fileprivate(set) var low = 0
        /// How many entries are left, from `low` on.
        fileprivate(set) var left: Int

        var isDone: Bool { unsafe left <= 1 }
    }

    /// The first key of a branch page, which is empty, stands for everything below the second.
    @inline(__always)
    var search: Search { unsafe Search(left: count) }

    /// Makes one comparison; false if the entry does not lie within the page.
    @inline(__always)
    func step(_ search: inout Search, _ sought: SoughtKey) -> Bool {
        let half = unsafe search.left >> 1
        let offset = unsafe offset(search.low &+ half)
        guard unsafe offset &+ (nodeHeadSize &+ 16) <= size else { return unsafe stepByBytes(&search, sought) }
        let count = unsafe Int(base.loadUnaligned(fromByteOffset: offset &+ 6, as: UInt16.self))
        let key = unsafe base + (offset &+ nodeHeadSize)
        var (own, others) = unsafe (SoughtKey.word(key, count: count), sought.first)
        if own == others {
            guard count >= 16, unsafe sought.count >= 16 else { return unsafe stepByBytes(&search, sought) }
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

    /// The order of an entry's key against a sought one.
    func order(_ index: Int, _ sought: SoughtKey) -> Int? {
        guard let key = unsafe key(index), let data = unsafe key.mv_data else { return nil }
        let order = unsafe memcmp(data, sought.start, min(key.mv_size, sought.count))
        return unsafe order != 0 ? Int(order) : key.mv_size - sought.count
    }

    /// The whole search; nil if an entry does not lie within the page.
    @inline(__always)
    func lastIndex(notAbove sought: SoughtKey) -> Int? {
        var search = unsafe search
        while unsafe !search.isDone {
            // A page that is not in the caches would be waited for at each step.
            unsafe prefetchThreeSteps(search)
            for _ in 0..<3 where unsafe !search.isDone {
                guard unsafe step(&search, sought) else { return nil }
            }
        }
        return unsafe search.low
    }

    /// Asks for the memory of all entries that one of the next three steps may compare.
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

    /// The page below a branch in which a finished search goes on.
    @inline(__always)
    func child(_ index: Int) -> Int? {
        guard unsafe index < count else { return nil }
        let offset = unsafe offset(index)
        guard unsafe offset + nodeHeadSize <= size else { return nil }
        let low = unsafe Int(base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let high = unsafe Int(base.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self))
        return low | high << 32
    }

    /// What a finished search has found in a leaf.
    @inline(__always)
    func found(_ index: Int, _ sought: SoughtKey) -> Tree.Found {
        guard unsafe index < count else { return unsafe .absent }
        guard let key = unsafe key(index), let data = unsafe key.mv_data else { return unsafe .unknown }
        guard unsafe key.mv_size == sought.count, unsafe memcmp(data, sought.start, sought.count) == 0 else {
            return unsafe .absent
        }
        return unsafe entry(index).map { unsafe .value($0.value) } ?? .unknown
    }

    /// Asks for the memory of the entry that a search compares next.
    @inline(__always)
    func prefetch(_ search: Search) {
        unsafe prefetch(search.low &+ search.left >> 1)
    }

    @inline(__always)
    private func prefetch(_ index: Int) {
        unsafe hearth_prefetch(base + offset(index))
    }
}

// MARK: - Leaves

extension TreePage {
    /// Which entry's key begins at an address.
    func index(of key: UnsafeMutableRawPointer?, fromEnd: Bool) -> Int? {
        let sought = unsafe UnsafeRawPointer(key).map { unsafe $0 - base - nodeHeadSize }
        if fromEnd { return unsafe (0..<count).last { unsafe offset($0) == sought } }
        return unsafe (0..<count).first { unsafe offset($0) == sought }
    }

    /// An entry whose value lies in the page too; nil for another.
    @inline(__always)
    func entry(_ index: Int) -> (key: MDB_val, value: MDB_val)? {
        guard let key = unsafe key(index), let head = unsafe key.mv_data else { return nil }
        let node = unsafe UnsafeRawPointer(head) - nodeHeadSize
        let low = unsafe Int(node.loadUnaligned(as: UInt16.self))
        let high = unsafe Int(node.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        let flags = unsafe node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let value = unsafe MDB_val(mv_size: low | high << 16, mv_data: head + key.mv_size)
        guard flags == 0, unsafe UnsafeRawPointer(head) - base + key.mv_size + value.mv_size <= size else { return nil }
        return unsafe (key, value)
    }

    /// The first entry whose key is not below `bound`, if it stands behind the entry at `start`, whose key is below; else nil.
    ///
    /// What is near is found in few steps, as in a join of lists that are alike.
    func firstIndex(notBelow bound: RawSpan, after start: Int) -> Int? {
        guard unsafe isBelow(start, bound) else { return nil }
        var low = start
        var stride = 1
        while unsafe low + stride < count, unsafe isBelow(low + stride, bound) {
            low += stride
            stride *= 2
        }
        var high = unsafe min(low + stride, count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if unsafe isBelow(middle, bound) { low = middle } else { high = middle }
        }
        return unsafe high < count ? high : nil
    }

    private func isBelow(_ index: Int, _ bound: RawSpan) -> Bool {
        guard let key = unsafe key(index) else { return false }
        return unsafe compareBytes(RawSpan(key), bound) < 0
    }

    /// How many entries after the one at `start` have keys below `bound`, up to a limit; empty: no bound.
    func count(below bound: RawSpan, after start: Int, atMost limit: Int) -> Int {
        let most = unsafe min(limit, count - 1 - start)
        // Mostly a range ends in another page.
        guard most > 0, bound.byteCount > 0, unsafe !isBelow(start + most, bound) else { return max(most, 0) }
        return unsafe min(most, max((count(below: bound) ?? 0) - 1 - start, 0))
    }

    /// How many entries before the one at `start` have keys that are not below `bound`, up to a limit.
    func count(notBelow bound: RawSpan, before start: Int, atMost limit: Int) -> Int {
        let most = min(limit, start)
        guard most > 0, unsafe isBelow(start - most, bound) else { return max(most, 0) }
        return unsafe min(most, max(start - (count(below: bound) ?? start), 0))
    }

    /// How many entries, from the first, have keys below `bound`; nil if a key cannot be read.
    func count(below bound: RawSpan) -> Int? {
        var low = 0
        var high = unsafe count
        while low < high {
            let middle = (low + high) / 2
            guard let key = unsafe key(middle) else { return nil }
            if unsafe compareBytes(RawSpan(key), bound) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
