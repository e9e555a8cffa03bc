// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

// Where bounds lie in a leaf, and how many entries are on either side.

extension TreePage {
    /// The first entry whose key is not below `bound`, if it is in this leaf and the entry at `start` before it is below; else nil.
    ///
    /// It gallops, because in a join the next entry is usually near.
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

    func isBelow(_ index: Int, _ bound: RawSpan) -> Bool {
        guard let key = unsafe key(index) else { return false }
        return unsafe compareBytes(RawSpan(key), bound) < 0
    }

    /// How many entries after the one at `start` have keys below `bound`, up to a limit. An empty `bound` is none.
    func count(below bound: RawSpan, after start: Int, atMost limit: Int) -> Int {
        let most = unsafe min(limit, count - 1 - start)
        // Usually the range ends in another page.
        guard most > 0, bound.byteCount > 0, unsafe !isBelow(start + most, bound) else { return max(most, 0) }
        return unsafe min(most, max((count(below: bound) ?? 0) - 1 - start, 0))
    }

    /// How many entries before the one at `start` have keys that are not below `bound`, up to a limit.
    func count(notBelow bound: RawSpan, before start: Int, atMost limit: Int) -> Int {
        let most = min(limit, start)
        guard most > 0, unsafe isBelow(start - most, bound) else { return max(most, 0) }
        return unsafe min(most, max(start - (count(below: bound) ?? start), 0))
    }

    /// How many entries of the leaf have keys below `bound`; nil if a key does not lie within the page.
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
