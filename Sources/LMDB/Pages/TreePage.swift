// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A branch or leaf page, in the map or in a buffer.
///
/// Nothing outside the page is read, whatever its bytes are: what does not lie in the page is nil. In the map only pages of a
/// read transaction are read, which do not change.
@unsafe
struct TreePage {
    let base: UnsafeRawPointer
    let size: Int
    /// How many nodes it has, at least one.
    let count: Int

    /// Nil if the page is not of this kind, or its header cannot be right.
    @inline(__always)
    init?(at base: UnsafeRawPointer, size: Int, _ kind: PageFormat.Kind) {
        let flags = unsafe base.loadUnaligned(fromByteOffset: PageFormat.Header.flags, as: UInt16.self)
        let lower = unsafe base.short(at: PageFormat.Header.lower)
        let upper = unsafe base.short(at: PageFormat.Header.upper)
        guard flags & PageFormat.Kind.mask == kind.rawValue, lower > PageFormat.Header.size + 1, lower <= upper,
            upper <= size
        else { return nil }
        unsafe self.base = base
        unsafe self.size = size
        unsafe count = (lower - PageFormat.Header.size) / 2
    }

    /// The page's number, as the page itself says.
    @inline(__always)
    var number: Int { unsafe base.integer(at: PageFormat.Header.number) }

    @inline(__always)
    func offset(_ index: Int) -> Int { unsafe base.short(at: PageFormat.Header.size &+ 2 &* index) }

    @inline(__always)
    func key(_ index: Int) -> MDB_val? {
        let offset = unsafe offset(index)
        guard unsafe offset + PageFormat.Node.headerSize <= size else { return nil }
        let count = unsafe base.short(at: offset + PageFormat.Node.keySize)
        let start = offset + PageFormat.Node.headerSize
        guard unsafe start + count <= size else { return nil }
        return unsafe MDB_val(mv_size: count, mv_data: UnsafeMutableRawPointer(mutating: base + start))
    }

    /// The page below a node of a branch.
    @inline(__always)
    func child(_ index: Int) -> Int? {
        guard unsafe index < count else { return nil }
        let offset = unsafe offset(index)
        guard unsafe offset + PageFormat.Node.headerSize <= size else { return nil }
        let low = unsafe base.word(at: offset + PageFormat.Node.low)
        return unsafe low | base.short(at: offset + PageFormat.Node.highest) << 32
    }

    /// An entry whose value lies in the page; nil for any other.
    @inline(__always)
    func entry(_ index: Int) -> (key: MDB_val, value: MDB_val)? {
        guard let (key, flags, value) = unsafe node(index), flags == 0,
            unsafe UnsafeRawPointer(value.mv_data) - base + value.mv_size <= size
        else { return nil }
        return unsafe (key, value)
    }

    /// A node of a leaf: its flags, and where its value would lie in the page; only the key is checked.
    @inline(__always)
    private func node(_ index: Int) -> (key: MDB_val, flags: Int, value: MDB_val)? {
        guard let key = unsafe key(index), let start = unsafe key.mv_data else { return nil }
        let node = unsafe UnsafeRawPointer(start) - PageFormat.Node.headerSize
        let low = unsafe node.short(at: PageFormat.Node.low)
        let high = unsafe node.short(at: PageFormat.Node.high)
        let value = unsafe MDB_val(mv_size: low | high << 16, mv_data: start + key.mv_size)
        return unsafe (key, node.short(at: PageFormat.Node.flags), value)
    }

    /// An entry whose value does not lie in the page as ordinary ones do.
    enum Unusual {
        /// The value lies on overflow pages, of which this is the first.
        case overflow(page: Int, byteCount: Int)
        case record(TreeRecord)
    }

    func unusual(_ index: Int) -> Unusual? {
        guard let (_, flags, value) = unsafe node(index), let start = unsafe UnsafeRawPointer(value.mv_data) else {
            return nil
        }
        let left = unsafe size - (start - base)
        if flags == PageFormat.Node.overflow, left >= 8 {
            return unsafe .overflow(page: start.integer(at: 0), byteCount: value.mv_size)
        }
        guard flags == PageFormat.Node.store, unsafe value.mv_size == PageFormat.Record.size,
            left >= PageFormat.Record.size
        else { return nil }
        return unsafe .record(TreeRecord(start))
    }

    /// Whether the keys of a leaf ascend.
    var isInOrder: Bool {
        guard var previous = unsafe key(0) else { return false }
        for index in unsafe 1..<count {
            guard let key = unsafe key(index), unsafe compareBytes(RawSpan(previous), RawSpan(key)) < 0 else {
                return false
            }
            unsafe previous = unsafe key
        }
        return true
    }

    /// Whether every node lies where nodes may, for an audit.
    func hasNodesInPlace(_ kind: PageFormat.Kind) -> Bool {
        let upper = unsafe base.short(at: PageFormat.Header.upper)
        guard unsafe base.short(at: PageFormat.Header.lower) % 2 == 0 else { return false }
        return unsafe (0..<count).allSatisfy { index in
            guard unsafe offset(index) >= upper, let key = unsafe key(index) else { return false }
            guard kind == .leaf else { return true }
            let isKey = unsafe (1...PageFormat.maximumKeySize).contains(key.mv_size)
            return unsafe isKey && (entry(index) != nil || unusual(index) != nil)
        }
    }
}
