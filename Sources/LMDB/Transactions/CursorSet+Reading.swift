// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

// The moves of cursors where this module reads the pages: a cursor is a path from the tree's root to an entry of a leaf.

extension CursorSet {
    /// The leaf of the current entry; nil where there is none, or LMDB reads the pages.
    @unsafe @inline(__always)
    borrowing func leaf(of id: CursorID) -> TreePage? {
        unsafe storage.slots[id.slot].position == .atEntry ? storage.slots[id.slot].leaf : nil
    }

    /// Steps to an entry of the current one's leaf, if there is one so far away whose value lies in the leaf.
    @unsafe @inline(__always)
    borrowing func stepWithinLeaf(_ id: CursorID, by step: Int) -> Bool {
        guard let leaf = unsafe leaf(of: id) else { return false }
        return unsafe show(storage.slots[id.slot].index + step, of: leaf, id)
    }

    /// Moves on to the first entry at or after `key`, if that comes after the current entry in its leaf.
    @unsafe
    borrowing func seekWithinLeaf(_ id: CursorID, _ key: RawSpan) -> Bool {
        guard let leaf = unsafe leaf(of: id),
            let index = unsafe leaf.firstIndex(notBelow: key, after: storage.slots[id.slot].index)
        else { return false }
        return unsafe show(index, of: leaf, id)
    }

    /// Makes an entry of the current leaf the current one, if its value lies there.
    @unsafe @inline(__always)
    borrowing func show(_ index: Int, of leaf: TreePage, _ id: CursorID) -> Bool {
        guard index >= 0, unsafe index < leaf.count, let entry = unsafe leaf.entry(index),
            unsafe entry.key.mv_size > 0
        else { return false }
        unsafe storage.values[2 * id.slot] = entry.key
        unsafe storage.values[2 * id.slot + 1] = entry.value
        unsafe storage.slots[id.slot].index = index
        return true
    }

    /// Moves to the first entry at or after `key`; false past the end.
    @unsafe
    borrowing func seekInTree(_ id: CursorID, _ key: RawSpan) throws(LMDBError) -> Bool {
        let tree = unsafe try treeToRead(id)
        guard unsafe tree.depth > 0, let start = unsafe address(of: key) else { return unsafe end(id, .pastEnd) }
        let sought = unsafe SoughtKey(start, count: key.byteCount)
        return unsafe try show(sought, at: tree.descend(to: sought, path(id)), tree, id)
    }

    /// Makes the first entry at or after a key the current one; false past the end.
    ///
    /// - Parameter found: where a descent to the key ended.
    @unsafe @inline(__always)
    borrowing func show(
        _ sought: SoughtKey, at found: (page: TreePage, index: Int)?, _ tree: Tree, _ id: CursorID
    ) throws(LMDBError) -> Bool {
        guard let (leaf, index) = unsafe found, let order = unsafe leaf.order(index, sought) else { throw damage() }
        let first = order < 0 ? index + 1 : index
        if unsafe first == leaf.count { return unsafe try moveToNeighbor(id, tree, isNext: true) }
        return unsafe try place(id, first, of: leaf, tree)
    }

    /// Moves to the first or last entry; false if there is none.
    borrowing func moveToEnd(_ id: CursorID, isFirst: Bool) throws(LMDBError) -> Bool {
        let tree = unsafe try treeToRead(id)
        guard unsafe tree.depth > 0 else { return unsafe end(id, isFirst ? .pastEnd : .beforeStart) }
        guard let leaf = unsafe tree.descend(toFirst: isFirst, path(id)) else { throw damage() }
        return unsafe try place(id, isFirst ? 0 : leaf.count - 1, of: leaf, tree)
    }

    /// Steps to the following or preceding entry, which is in another leaf or has its value elsewhere; false if there is none.
    @inline(never)
    borrowing func stepInTree(_ id: CursorID, isNext: Bool) throws(LMDBError) -> Bool {
        switch unsafe storage.slots[id.slot].position {
        case .atEntry: break
        case .pastEnd where isNext: return false
        case .beforeStart where !isNext: return false
        default: return try moveToEnd(id, isFirst: isNext)
        }
        let tree = unsafe try treeToRead(id)
        let index = unsafe storage.slots[id.slot].index + (isNext ? 1 : -1)
        if let leaf = unsafe leaf(of: id), index >= 0, unsafe index < leaf.count {
            return unsafe try place(id, index, of: leaf, tree)
        }
        return unsafe try moveToNeighbor(id, tree, isNext: isNext)
    }

    /// Reads all keys of a store: they must be in order, and as many as the store's record says.
    ///
    /// For after a scan of the whole store: entries that were lost with damaged pages are noticed. It does nothing where LMDB
    /// reads the pages.
    ///
    /// - Throws: `corrupted`.
    package borrowing func checkEntries(of store: Store) throws(LMDBError) {
        guard readsPages, let tree = unsafe try tree(of: store) else { return }
        guard unsafe try tree.countEntriesInOrder() == entryCount(of: store) else { throw damage() }
    }

    /// How many entries a store has, as its record says. Only for a read transaction.
    package borrowing func entryCount(of store: Store) throws(LMDBError) -> Int {
        require(kind == .read, "The entries of a store are counted in read transactions only.")
        return unsafe try reader.statistics(of: store).entries
    }

    @unsafe
    private borrowing func moveToNeighbor(_ id: CursorID, _ tree: Tree, isNext: Bool) throws(LMDBError) -> Bool {
        switch unsafe tree.neighbor(isNext: isNext, path(id)) {
        case .leaf(let leaf): return unsafe try place(id, isNext ? 0 : leaf.count - 1, of: leaf, tree)
        case .none: return unsafe end(id, isNext ? .pastEnd : .beforeStart)
        case .damaged: throw damage()
        }
    }

    /// Makes an entry the current one.
    @unsafe
    private borrowing func place(
        _ id: CursorID, _ index: Int, of leaf: TreePage, _ tree: Tree
    ) throws(LMDBError) -> Bool {
        // A key is empty only where zeroes were written over it.
        guard let key = unsafe leaf.key(index), unsafe key.mv_size > 0,
            let value = unsafe tree.pages.value(index, of: leaf)
        else { throw damage() }
        unsafe storage.values[2 * id.slot] = key
        unsafe storage.values[2 * id.slot + 1] = value
        unsafe storage.slots[id.slot].leaf = unsafe leaf
        unsafe storage.slots[id.slot].index = index
        unsafe storage.slots[id.slot].position = .atEntry
        return true
    }

    @unsafe
    private borrowing func end(_ id: CursorID, _ position: CursorStorage.Position) -> Bool {
        unsafe storage.slots[id.slot].position = position
        return false
    }

    @unsafe
    borrowing func path(_ id: CursorID) -> Tree.Path {
        if let path = unsafe storage.slots[id.slot].path { return unsafe path }
        let path = unsafe PageMemory.makePath()
        unsafe storage.slots[id.slot].path = unsafe path
        return unsafe path
    }

    @unsafe
    borrowing func treeToRead(_ id: CursorID) throws(LMDBError) -> Tree {
        guard let tree = unsafe try tree(of: Store(dbi: storage.slots[id.slot].dbi)) else { throw damage() }
        return unsafe tree
    }

    borrowing func damage() -> LMDBError { LMDBError(MDB_CORRUPTED, .moveCursor) }
}
