// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A list of a join, its place, and what is known of it.
@unsafe
struct JoinedList {
    let cursor: CursorID
    let backwards: Bool
    /// All bits, if the list is read backwards.
    let mask: UInt64
    private let prefix: UnsafePointer<UInt8>
    private let prefixCount: Int
    private let bound: UnsafePointer<UInt8>
    private let boundCount: Int
    /// The leaf of the current entry, and the entry's place there.
    private(set) var page: TreePage?
    private(set) var index = 0
    /// Whether the current entry is known to be before the next target.
    private var isBehind = false
    /// The place in the leaf behind the list's last one, in the direction of the scan.
    private var end = 0
    /// The number of targets that it was asked for, and of those that it did not have.
    var targets = 0
    var refusals = 0

    /// - Parameter bytes: where its prefix and then its bound are copied.
    init(_ list: EntryJoin.List, _ bytes: UnsafeMutablePointer<UInt8>) {
        unsafe cursor = list.cursor
        unsafe backwards = list.backwards
        unsafe mask = list.backwards ? UInt64.max : 0
        unsafe prefixCount = list.prefix.count
        unsafe boundCount = list.bound.count
        unsafe bytes.update(from: list.prefix, count: list.prefix.count)
        unsafe (bytes + list.prefix.count).update(from: list.bound, count: list.bound.count)
        unsafe prefix = UnsafePointer(bytes)
        unsafe bound = UnsafePointer(bytes + list.prefix.count)
    }

    /// Whether the current place is one of the list.
    @inline(__always)
    var isInside: Bool { unsafe backwards ? index > end : index < end }

    /// Whether the list may go on in another leaf.
    var goesOn: Bool { unsafe end == (backwards ? -1 : page?.count) }

    /// Whether the current entry has the list's prefix before its rest, as far as lengths tell, and is short enough.
    func hasShortKey(below length: Int) -> Bool {
        guard let key = unsafe page?.key(index) else { return false }
        return unsafe key.mv_size > prefixCount && key.mv_size < length
    }

    /// Takes a place, whose entry may be before or behind the next target. False where the page is damaged.
    mutating func enter(_ leaf: TreePage, _ place: Int) -> Bool {
        unsafe index = place
        unsafe isBehind = false
        if let page = unsafe page, unsafe page.base == leaf.base { return true }
        let bound = unsafe RawSpan(MDB_val(mv_size: boundCount, mv_data: UnsafeMutableRawPointer(mutating: bound)))
        // Usually the list goes on in another leaf.
        if unsafe backwards, unsafe !leaf.isBelow(0, bound) {
            unsafe end = -1
        } else if unsafe !backwards, unsafe boundCount == 0 || leaf.isBelow(leaf.count - 1, bound) {
            unsafe end = leaf.count
        } else {
            guard let below = unsafe leaf.count(below: bound) else { return false }
            unsafe end = backwards ? below - 1 : below
        }
        unsafe page = unsafe leaf
        return true
    }
}

/// The rest that the lists of a join are to have next: that of an entry in a page.
@unsafe
struct JoinTarget {
    fileprivate let start: UnsafeRawPointer
    let count: Int
    /// All bits, if the entry's list is read backwards.
    fileprivate let mask: UInt64
    /// The first bytes in the order of the join, padded with zeroes.
    fileprivate let first: UInt64
    fileprivate let second: UInt64
}

extension JoinedList {
    /// The rest of the current entry; nil if its key does not lie within the page.
    var target: JoinTarget? {
        guard let (start, count) = unsafe rest(of: index) else { return nil }
        let sought = unsafe SoughtKey(start, count: count)
        return unsafe JoinTarget(
            start: start, count: count, mask: mask, first: ordered(sought.first, count),
            second: sought.second ^ mask)
    }

    /// The key that an entry of this list with the target has.
    ///
    /// - Parameter room: for its bytes.
    func key(of target: JoinTarget, in room: UnsafeMutablePointer<UInt8>) -> SoughtKey {
        unsafe room.update(from: prefix, count: prefixCount)
        let change = unsafe UInt8(truncatingIfNeeded: mask ^ target.mask)
        for index in unsafe 0..<target.count {
            unsafe room[prefixCount + index] = target.start.load(fromByteOffset: index, as: UInt8.self) ^ change
        }
        return unsafe SoughtKey(UnsafeRawPointer(room), count: keyCount(of: target))
    }

    func keyCount(of target: JoinTarget) -> Int { unsafe prefixCount + target.count }

    /// Moves on in the leaf to the first place whose entry is not before the target, or to the end.
    ///
    /// It gallops, because the next entry is usually near.
    ///
    /// - Returns: how the entry there compares with the target; of no meaning at the end.
    @inline(__always)
    mutating func gallop(to target: JoinTarget) -> Int {
        guard let page = unsafe page else { return 1 }
        let stride = unsafe backwards ? -1 : 1
        let (start, count) = unsafe (index, backwards ? index - end : end - index)
        if unsafe !isBehind {
            unsafe isBehind = true
            let order = unsafe order(target, start, page)
            if order >= 0 { return order }
        }
        var (low, high, found) = (0, count, 1)
        var step = 1
        while low + step < count {
            let order = unsafe order(target, start + stride * (low + step), page)
            if order >= 0 {
                (high, found) = (low + step, order)
                break
            }
            low += step
            step *= 2
        }
        while low + 1 < high, found != 0 {
            let middle = (low + high) / 2
            let order = unsafe order(target, start + stride * middle, page)
            if order < 0 { low = middle } else { (high, found) = (middle, order) }
        }
        unsafe index = start + stride * high
        // The next target of this list is compared with these first.
        unsafe page.prefetchKey(index + stride)
        unsafe page.prefetchKey(index + 2 * stride)
        return found
    }

    /// Compares the current entry with the target.
    func order(_ target: JoinTarget) -> Int {
        guard let page = unsafe page else { return 1 }
        return unsafe order(target, index, page)
    }

    /// Damage counts as behind the target, so that it is met.
    @inline(__always)
    private func order(_ target: JoinTarget, _ index: Int, _ page: TreePage) -> Int {
        let offset = unsafe page.offset(index)
        let start = unsafe offset &+ PageFormat.Node.headerSize &+ prefixCount
        guard unsafe start &+ 16 <= page.size else { return unsafe orderByBytes(target, index) }
        let count = unsafe page.base.short(at: offset &+ PageFormat.Node.keySize) &- prefixCount
        guard count > 0 else { return 1 }
        var (own, others) = unsafe (ordered(SoughtKey.word(page.base + start, count: 8), count), target.first)
        if own == others {
            guard count >= 16, unsafe target.count >= 16 else { return unsafe orderByBytes(target, index) }
            (own, others) = unsafe (SoughtKey.word(page.base + start + 8, count: 8) ^ mask, target.second)
            if own == others { return unsafe orderByBytes(target, index) }
        }
        return own < others ? -1 : 1
    }

    /// The first word of a rest in the order of the join, padded with zeroes.
    @inline(__always)
    private func ordered(_ word: UInt64, _ count: Int) -> UInt64 {
        let word = unsafe word ^ mask
        return count >= 8 ? word : word & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* count))
    }

    private func rest(of index: Int) -> (start: UnsafeRawPointer, count: Int)? {
        guard let key = unsafe page?.key(index), unsafe key.mv_size > prefixCount, let start = unsafe key.mv_data else {
            return nil
        }
        return unsafe (UnsafeRawPointer(start) + prefixCount, key.mv_size - prefixCount)
    }

    @inline(never)
    private func orderByBytes(_ target: JoinTarget, _ index: Int) -> Int {
        guard let (start, count) = unsafe rest(of: index) else { return 1 }
        let shared = unsafe min(count, target.count)
        if unsafe mask == target.mask {
            let order = unsafe Int(System.compare(start, target.start, shared))
            if order != 0 { return unsafe mask == 0 ? order : -order }
            return unsafe count - target.count
        }
        for index in 0..<shared {
            let own = unsafe start.load(fromByteOffset: index, as: UInt8.self)
            let others = unsafe ~target.start.load(fromByteOffset: index, as: UInt8.self)
            if own != others { return unsafe (own < others) == (mask == 0) ? -1 : 1 }
        }
        return unsafe count - target.count
    }
}
