// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The tree of a store as one state has it, in which keys are looked up without LMDB.
///
/// Every page number is checked against the pages that there are, every offset against its page. Where anything is unusual, a
/// value on pages of its own or a damaged page, the answer is `unknown`, and LMDB is asked.
@unsafe
struct Tree {
    let pages: PageMap
    let root: Int
    let depth: Int

    private static let depths = 1...16
    static let recordSize = 48

    /// Nil for an empty tree, and for one whose keys are in another order.
    ///
    /// - Parameter record: LMDB's record of the tree.
    init?(_ record: UnsafeRawPointer, in pages: PageMap) {
        let flags = unsafe record.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        unsafe depth = Int(record.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        unsafe root = record.loadUnaligned(fromByteOffset: 40, as: Int.self)
        unsafe self.pages = pages
        guard flags == 0, unsafe Tree.depths.contains(depth) else { return nil }
    }

    @unsafe
    enum Found {
        case value(MDB_val)
        case absent
        case unknown
    }

    func find(_ key: SoughtKey) -> Found {
        guard let (page, index) = unsafe leaf(for: key) else { return unsafe .unknown }
        return unsafe page.found(index, key)
    }

    /// Where the first entry stands whose key is not below a sought one; nil also where that is in the next leaf.
    func place(notBelow key: SoughtKey) -> (page: TreePage, index: Int)? {
        guard let (page, index) = unsafe leaf(for: key), unsafe index < page.count,
            let order = unsafe page.order(index, key)
        else { return nil }
        let first = order < 0 ? index + 1 : index
        return unsafe first < page.count ? (page, first) : nil
    }

    /// The leaf in which a key has its place, and there the last entry that is not above it, or the first.
    @inline(__always)
    private func leaf(for key: SoughtKey) -> (page: TreePage, index: Int)? {
        var number = unsafe root
        for _ in unsafe 1..<depth {
            guard let page = unsafe pages.page(number, .branch), let index = unsafe page.lastIndex(notAbove: key),
                let child = unsafe page.child(index)
            else { return nil }
            number = child
        }
        guard let page = unsafe pages.page(number, .leaf), let index = unsafe page.lastIndex(notAbove: key) else {
            return nil
        }
        return unsafe (page, index)
    }
}

/// The trees of a read transaction's stores, each found when it is first asked for.
@unsafe
struct TreeTable {
    @unsafe
    private enum Place {
        case unread
        case tree(Tree)
        /// Only LMDB reads it.
        case unusual
    }

    private static let capacity = 32
    /// By the stores' handles.
    private let places: UnsafeMutablePointer<Place>

    init() {
        unsafe places = .allocate(capacity: TreeTable.capacity)
        unsafe places.initialize(repeating: .unread, count: TreeTable.capacity)
    }

    func free() {
        unsafe places.deallocate()
    }

    /// Forgets the trees, because another state is read.
    func forget() {
        unsafe places.update(repeating: .unread, count: TreeTable.capacity)
    }

    @inline(__always)
    func tree(of store: Store, otherwise find: () -> Tree?) -> Tree? {
        guard unsafe store.dbi < TreeTable.capacity else { return nil }
        switch unsafe places[Int(store.dbi)] {
        case .tree(let tree): return unsafe tree
        case .unusual: return nil
        case .unread:
            let tree = unsafe find()
            unsafe places[Int(store.dbi)] = unsafe tree.map { unsafe .tree($0) } ?? .unusual
            return unsafe tree
        }
    }
}
