// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc
internal import Synchronization

/// What the reads of an environment need to read pages themselves.
final class PageAccess: Sendable {
    let pageSize: Int
    /// The names of the open stores, by their handles.
    private let names = Mutex<[Store: String]>([:])
    /// Where the map begins, once known.
    private let base = Mutex<UInt?>(nil)

    /// Nil where the pages cannot be read: another version of LMDB, or pages larger than the system's, which may begin
    /// anywhere in a page of the system's.
    @unsafe
    init?(_ environment: OpaquePointer) {
        var (major, minor): (Int32, Int32) = (0, 0)
        _ = unsafe mdb_version(&major, &minor, nil)
        var stat = MDB_stat()
        let code = unsafe mdb_env_stat(environment, &stat)
        pageSize = Int(stat.ms_psize)
        let isAligned = pageSize.nonzeroBitCount == 1 && pageSize <= sysconf(Int32(_SC_PAGESIZE))
        guard code == 0, major == 0, minor == 9, isAligned else { return nil }
    }

    func name(of store: Store) -> String? { names.withLock { $0[store] } }

    func note(_ stores: [Store], _ names: [String]) {
        self.names.withLock { known in
            for (store, name) in zip(stores, names) { known[store] = name }
        }
    }

    /// The map is exchanged.
    func forgetMap() { base.withLock { $0 = nil } }

    /// Where the map begins; nil if the main tree is empty or damaged.
    ///
    /// LMDB does not tell, but shows where it finds an entry. It is asked for the main tree's first one, after that tree's
    /// pages have been checked in the file.
    @unsafe
    func findBase(_ transaction: OpaquePointer, _ meta: MetaPage) -> UnsafeRawPointer? {
        let known = base.withLock { base -> UInt? in
            if base == nil { base = unsafe locate(transaction, meta) }
            return base
        }
        return unsafe known.flatMap { unsafe UnsafeRawPointer(bitPattern: $0) }
    }

    @unsafe
    private func locate(_ transaction: OpaquePointer, _ meta: MetaPage) -> UInt? {
        let file = unsafe PageFile(
            descriptor: Environment.dataDescriptor(of: mdb_txn_env(transaction)), pageSize: pageSize)
        guard PageAudit.isMainTreeSound(file, meta) else { return nil }
        var cursor: OpaquePointer?
        guard unsafe mdb_cursor_open(transaction, 1, &cursor) == 0 else { return nil }
        defer { unsafe mdb_cursor_close(cursor) }
        var (key, value) = unsafe (MDB_val(), MDB_val())
        guard unsafe mdb_cursor_get(cursor, &key, &value, MDB_FIRST) == 0 else { return nil }
        let address = unsafe UInt(bitPattern: value.mv_data) & ~UInt(pageSize - 1)
        guard let page = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe address - UInt(page.integer(at: PageFormat.Header.number) * pageSize)
    }
}

/// Reads the pages of a read transaction's state.
@safe
final class PageReader {
    private let access: PageAccess
    private let transaction: OpaquePointer
    private let descriptor: Int32
    /// The last state that was read.
    private var state = -1
    /// Nil where the meta page is damaged.
    private var meta: MetaPage?
    /// Nil where the main tree is empty or damaged.
    private var map: PageMap?
    private let trees = unsafe TreeTable()
    private let memory = unsafe PageMemory()

    @unsafe
    init(_ access: PageAccess, _ transaction: OpaquePointer) {
        self.access = access
        unsafe self.transaction = transaction
        descriptor = unsafe Environment.dataDescriptor(of: mdb_txn_env(transaction))
    }

    deinit {
        unsafe trees.free()
        unsafe memory.free()
    }

    /// The transaction has begun, perhaps with another state than before.
    ///
    /// - Returns: false if the state's meta page was overwritten already, so that the state cannot be read.
    func begin() -> Bool {
        let state = unsafe mdb_txn_id(transaction)
        guard state != self.state else { return true }
        self.state = state
        unsafe trees.forget()
        unsafe memory.forget()
        let file = PageFile(descriptor: descriptor, pageSize: access.pageSize)
        meta = unsafe map.map { unsafe $0.meta(of: state) } ?? file.meta(of: state)
        guard let meta else { return false }
        let pageCount = min(meta.lastPage + 1, file.pageCount)
        if let map = unsafe map {
            unsafe self.map = unsafe map.with(pageCount: pageCount)
        } else if let base = unsafe access.findBase(transaction, meta) {
            unsafe map = PageMap(base: base, pageSize: access.pageSize, pageCount: pageCount)
        }
        return true
    }

    /// The record of a store's tree.
    func record(of store: Store) throws(LMDBError) -> TreeRecord {
        guard let meta else { throw LMDBError(MDB_CORRUPTED, .openCursor) }
        if store == .freeList { return meta.freeList }
        guard let name = access.name(of: store), let map = unsafe map,
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

/// The trees of a state's stores, each noted when it is first asked for.
@unsafe
struct TreeTable {
    private static let capacity = 32
    /// By the stores' handles.
    private let trees: UnsafeMutablePointer<Tree?>

    init() {
        unsafe trees = .allocate(capacity: TreeTable.capacity)
        unsafe trees.initialize(repeating: nil, count: TreeTable.capacity)
    }

    func free() {
        unsafe trees.deallocate()
    }

    /// Forgets the trees, because another state is read.
    func forget() {
        unsafe trees.update(repeating: nil, count: TreeTable.capacity)
    }

    @inline(__always)
    func tree(of store: Store) -> Tree? {
        unsafe store.dbi < TreeTable.capacity ? trees[Int(store.dbi)] : nil
    }

    func note(_ tree: Tree, of store: Store) {
        if unsafe store.dbi < TreeTable.capacity { unsafe trees[Int(store.dbi)] = unsafe tree }
    }
}
