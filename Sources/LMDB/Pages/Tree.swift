// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A store's tree in one state, read without LMDB.
///
/// Every page is checked before it is read: its number, its kind, its header, and every offset that is followed. A *checked*
/// descent also compares each page's first and last key with the separators above it, so that a page in another's place is
/// found. Whatever is wrong is nil here, and `MDB_CORRUPTED` to callers.
@unsafe
struct Tree {
    let pages: PageMap
    let root: Int
    /// Levels of the tree, 0 if it is empty.
    let depth: Int
    private let memory: PageMemory
    /// Its keys are numbers, and its record's flags are the environment's.
    private let isFreeList: Bool

    /// Nil if the record cannot be right.
    init?(_ record: TreeRecord, isFreeList: Bool = false, in pages: PageMap, _ memory: PageMemory) {
        let depths = record.isEmpty ? 0...0 : 1...PageFormat.maximumDepth
        guard depths.contains(record.depth), record.flags == 0 || isFreeList else { return nil }
        unsafe self.isFreeList = isFreeList
        unsafe depth = record.depth
        unsafe root = record.root
        unsafe self.pages = pages
        unsafe self.memory = memory
    }

    @unsafe
    enum Found {
        case value(MDB_val)
        case absent
        case damaged
    }

    /// The value under a key.
    ///
    /// A key that is found is in its place, so that only absence needs a checked descent.
    func find(_ key: SoughtKey) -> Found {
        guard unsafe depth > 0 else { return unsafe .absent }
        guard let (leaf, index) = unsafe leaf(for: key) else { return unsafe .damaged }
        return unsafe found(index, of: leaf, key)
    }

    /// What a search has found in a leaf that ended at `index`.
    @inline(__always)
    func found(_ index: Int, of leaf: TreePage, _ key: SoughtKey) -> Found {
        guard let isKey = unsafe leaf.isKey(index, key) else { return unsafe .damaged }
        if !isKey { return unsafe descend(to: key, memory.path) == nil ? .damaged : .absent }
        return unsafe pages.value(index, of: leaf).map { unsafe .value($0) } ?? .damaged
    }

    /// The record of a named store, if this is the main tree.
    func record(_ name: SoughtKey) -> TreeRecord? {
        guard unsafe depth > 0, let (leaf, index) = unsafe leaf(for: name), unsafe leaf.isKey(index, name) == true,
            case .record(let record)? = unsafe leaf.unusual(index)
        else { return nil }
        return record
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

/// A branch page and the index of the child that was entered from it.
@unsafe
struct BranchPlace {
    let page: TreePage
    var index: Int
}

// MARK: - Checked descents

// A path has a place for each branch level, the root's first. What the functions return lies below its last place.

extension Tree {
    typealias Path = UnsafeMutablePointer<BranchPlace>

    /// As ``leaf(for:)``.
    func descend(to key: SoughtKey, _ path: Path) -> (page: TreePage, index: Int)? {
        guard let root = unsafe enterRoot() else { return nil }
        return unsafe descend(to: key, from: root, level: 0, path)
    }

    /// As ``descend(to:_:)`` from a path to another entry, of which the levels that the key shares are kept.
    func descend(to key: SoughtKey, from path: Path) -> (page: TreePage, index: Int)? {
        var level = unsafe depth - 2
        while level > 0, unsafe !path[level].page.isAround(key) { level -= 1 }
        guard level >= 0 else { return unsafe descend(to: key, path) }
        return unsafe descend(to: key, from: path[level].page, level: level, path)
    }

    @inline(__always)
    private func descend(
        to key: SoughtKey, from page: TreePage, level: Int, _ path: Path
    ) -> (page: TreePage, index: Int)? {
        guard unsafe approach(key, from: page, level: level, path) else { return nil }
        return unsafe arrive(at: key, path)
    }

    /// The first part of ``descend(to:_:)``: fills a path to the leaf in which a key has its place. False where a page is damaged.
    ///
    /// Between the parts the caller can prefetch the leaf, so that the waits of several descents overlap.
    func approach(_ key: SoughtKey, _ path: Path) -> Bool {
        guard let root = unsafe enterRoot() else { return false }
        return unsafe approach(key, from: root, level: 0, path)
    }

    @inline(__always)
    private func approach(_ key: SoughtKey, from page: TreePage, level: Int, _ path: Path) -> Bool {
        var page = unsafe page
        for level in unsafe level..<depth - 1 {
            guard let index = unsafe page.lastIndex(notAbove: key) else { return false }
            unsafe (path + level).initialize(to: BranchPlace(page: page, index: index))
            guard unsafe level < depth - 2 else { return true }
            guard let child = unsafe enterChild(of: path, level) else { return false }
            unsafe page = child
        }
        return true
    }

    /// The second part.
    @inline(__always)
    func arrive(at key: SoughtKey, _ path: Path) -> (page: TreePage, index: Int)? {
        guard let leaf = unsafe (depth > 1 ? enterChild(of: path, depth - 2) : enterRoot()),
            let index = unsafe leaf.lastIndex(notAbove: key)
        else { return nil }
        return unsafe (leaf, index)
    }

    /// Prefetches where the leaf begins to which a path leads, its header and the offsets of its nodes.
    func prefetchLeaf(of path: Path) {
        if let leaf = unsafe leaf(of: path) { unsafe pages.prefetch(leaf, lines: TreePage.firstLines) }
    }

    /// Prefetches what ``arrive(at:_:)`` compares first. The leaf's beginning should be there.
    func prefetchNodes(of path: Path) {
        guard let leaf = unsafe leaf(of: path).flatMap({ unsafe pages.page($0, .leaf) }) else { return }
        unsafe leaf.prefetchSearch()
    }

    /// The number of the leaf; nil if a path has no places.
    private func leaf(of path: Path) -> Int? {
        guard unsafe depth > 1 else { return nil }
        let place = unsafe path[depth - 2]
        return unsafe place.page.child(place.index)
    }

    /// The first or last leaf.
    func descend(toFirst isFirst: Bool, _ path: Path) -> TreePage? {
        unsafe enterRoot().flatMap { unsafe descend(from: $0, level: 0, toFirst: isFirst, path) }
    }

    private func descend(from page: TreePage, level: Int, toFirst isFirst: Bool, _ path: Path) -> TreePage? {
        var page = unsafe page
        for level in unsafe level..<depth - 1 {
            unsafe (path + level).initialize(to: BranchPlace(page: page, index: isFirst ? 0 : page.count - 1))
            guard let child = unsafe enterChild(of: path, level) else { return nil }
            unsafe page = child
        }
        return unsafe page
    }

    @unsafe
    enum Neighbor {
        case leaf(TreePage)
        /// The path was at the tree's end.
        case none
        case damaged
    }

    /// Moves a path on to the following or preceding leaf.
    func neighbor(isNext: Bool, _ path: Path) -> Neighbor {
        var level = unsafe depth - 2
        while level >= 0 {
            let index = unsafe path[level].index + (isNext ? 1 : -1)
            if index >= 0, unsafe index < path[level].page.count {
                unsafe path[level].index = index
                guard let child = unsafe enterChild(of: path, level),
                    let leaf = unsafe descend(from: child, level: level + 1, toFirst: isNext, path)
                else { return unsafe .damaged }
                return unsafe .leaf(leaf)
            }
            level -= 1
        }
        return unsafe .none
    }

    /// The number of entries; nil where anything is damaged or keys are out of order.
    func countEntriesInOrder() -> Int? {
        guard unsafe depth > 0 else { return 0 }
        let path = unsafe memory.path
        guard var leaf = unsafe descend(toFirst: true, path) else { return nil }
        var count = 0
        while true {
            guard unsafe leaf.isInOrder else { return nil }
            unsafe count += leaf.count
            switch unsafe neighbor(isNext: true, path) {
            case .leaf(let next): unsafe leaf = unsafe next
            case .none: return count
            case .damaged: return nil
            }
        }
    }

    private func enterRoot() -> TreePage? { unsafe pages.page(root, depth > 1 ? .branch : .leaf) }

    /// The page below the place at a level, which lies between that place's separators.
    @inline(__always)
    private func enterChild(of path: Path, _ level: Int) -> TreePage? {
        let place = unsafe path[level]
        let isLeaf = unsafe level == depth - 2
        guard let number = unsafe place.page.child(place.index),
            let child = unsafe pages.page(number, isLeaf ? .leaf : .branch)
        else { return nil }
        if unsafe memory.isChecked(number, from: place) { return unsafe child }
        guard unsafe isBetweenSeparators(child, firstKey: isLeaf ? 0 : 1, path, level) else { return nil }
        unsafe memory.noteChecked(number, from: place)
        return unsafe child
    }

    /// - Parameter firstKey: 1 in a branch, whose node 0 has no key.
    @inline(never)
    private func isBetweenSeparators(_ page: TreePage, firstKey: Int, _ path: Path, _ level: Int) -> Bool {
        guard unsafe firstKey < page.count, unsafe !isFreeList else { return true }
        guard let first = unsafe page.key(firstKey), let last = unsafe page.key(page.count - 1) else { return false }
        var above = level
        while above >= 0, unsafe path[above].index == 0 { above -= 1 }
        if above >= 0 {
            guard let lower = unsafe path[above].page.key(path[above].index),
                unsafe compareBytes(RawSpan(first), RawSpan(lower)) >= 0
            else { return false }
        }
        above = level
        while above >= 0, unsafe path[above].index + 1 == path[above].page.count { above -= 1 }
        guard above >= 0 else { return true }
        guard let upper = unsafe path[above].page.key(path[above].index + 1) else { return false }
        return unsafe compareBytes(RawSpan(last), RawSpan(upper)) < 0
    }
}
