// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Reads the pages of a read transaction's state.
@safe
final class PageReader {
    private let access: PageAccess
    private let transaction: OpaquePointer
    private let descriptor: Int32
    /// The last state that was read.
    private var state = -1
    /// The last state that was left for a newer one.
    private var overtaken = -1
    /// Nil where the meta page is damaged.
    private var meta: MetaPage?
    /// Nil where the map was not found, for the reason in ``mapFailure``.
    private var map: PageMap?
    private var mapFailure = MDB_CORRUPTED
    private let trees = unsafe TreeTable()
    private let memory = unsafe PageMemory()
    private lazy var resident = ResidentPages(PageFile(descriptor: descriptor, pageSize: access.pageSize))

    @unsafe
    init(_ access: PageAccess, _ transaction: OpaquePointer) {
        self.access = access
        unsafe self.transaction = transaction
        descriptor = unsafe Descriptors.data(of: mdb_txn_env(transaction))
    }

    deinit {
        unsafe trees.free()
        unsafe memory.free()
    }

    /// Call it when the transaction has begun.
    ///
    /// - Returns: false if the state's meta page is overwritten already, or may have been, so that the state cannot be read.
    func begin() -> Bool {
        let state = unsafe mdb_txn_id(transaction)
        guard state != self.state else { return true }
        self.state = state
        unsafe trees.forget()
        unsafe memory.forget()
        let file = PageFile(descriptor: descriptor, pageSize: access.pageSize)
        // Where LMDB begins an overtaken state once more, the next commit has not returned, so that nothing had written over the meta
        // page when it was read. By now it may have, so it is not read again.
        if state != overtaken {
            meta = readMeta(of: state, file)
            if isOvertaken(state, isInFile: { readMeta(of: $0, file) != nil }) {
                overtaken = state
                self.state = -1
                return false
            }
        }
        guard let meta else { return false }
        let pageCount = min(meta.lastPage &+ 1, file.pageCount)
        if let map = unsafe map {
            unsafe self.map = unsafe map.with(pageCount: pageCount)
            return true
        }
        findMap(meta, pageCount)
        // LMDB, too, copies the meta page, and may have got one that was just overwritten.
        return unsafe map != nil || file.meta(of: state) != nil
    }

    /// From the map, once it is known.
    @inline(__always)
    private func readMeta(of state: Int, _ file: PageFile) -> MetaPage? {
        unsafe map.map { unsafe $0.meta(of: state) } ?? file.meta(of: state)
    }

    private func findMap(_ meta: MetaPage, _ pageCount: Int) {
        let (base, code) = unsafe access.findBase(transaction, meta)
        if let base = unsafe base {
            unsafe map = PageMap(base: base, pageSize: access.pageSize, pageCount: pageCount)
        } else {
            mapFailure = code
            // The next read tries again: memory may have been short.
            state = -1
        }
    }

    /// The record of a store's tree.
    func record(of store: Store) throws(LMDBError) -> TreeRecord {
        guard let meta else { throw LMDBError(MDB_CORRUPTED, .openCursor) }
        if store == .freeList { return meta.freeList }
        guard let map = unsafe map else { throw LMDBError(mapFailure, .openCursor) }
        guard let name = access.name(of: store),
            let main = unsafe Tree(meta.main, in: map, memory), let record = unsafe main.record(name)
        else { throw LMDBError(MDB_CORRUPTED, .openCursor) }
        return record
    }

    @unsafe @inline(__always)
    func tree(of store: Store) throws(LMDBError) -> Tree {
        if let tree = unsafe trees.tree(of: store) { return unsafe tree }
        return unsafe try findTree(of: store)
    }

    @unsafe @inline(never)
    private func findTree(of store: Store) throws(LMDBError) -> Tree {
        let record = try record(of: store)
        guard let map = unsafe map, let tree = unsafe Tree(record, isFreeList: store == .freeList, in: map, memory)
        else {
            throw LMDBError(MDB_CORRUPTED, .openCursor)
        }
        unsafe trees.note(tree, of: store)
        return unsafe tree
    }
}

extension PageReader {
    /// Whether beginning to read touches pages in memory only.
    var areMetaPagesInMemory: Bool {
        resident.forgetOld()
        return (0..<PageFormat.Meta.count).allSatisfy(resident.contains)
    }

    /// Whether looking up a key does, too.
    @unsafe
    func isInMemory(_ key: SoughtKey, of store: Store) throws(LMDBError) -> Bool {
        // The names of the stores lie on one page.
        if unsafe trees.tree(of: store) == nil, let meta, let map = unsafe map,
            unsafe !map.isInMemory(meta.main.root, resident)
        {
            return false
        }
        return unsafe try tree(of: store).isInMemory(key, resident)
    }
}

extension Tree {
    /// The record of a named store, if this is the main tree.
    fileprivate func record(_ name: String) -> TreeRecord? {
        var name = name
        return name.withUTF8 { name in
            guard let start = unsafe UnsafeRawPointer(name.baseAddress) else { return nil }
            return unsafe record(SoughtKey(start, count: name.count))
        }
    }
}
