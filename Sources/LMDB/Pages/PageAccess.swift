// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Synchronization

/// What the reads of an environment need to read pages themselves.
final class PageAccess: Sendable {
    let pageSize: Int
    /// The names of the open stores, by their handles.
    private let names = Mutex<[Store: String]>([:])
    /// Where the map begins, once known.
    private let base = Mutex<UInt?>(nil)

    /// Nil where this module cannot read the pages: with another version of LMDB, and with pages larger than the system's, which
    /// are not aligned in the map.
    @unsafe
    init?(_ environment: OpaquePointer) {
        var (major, minor): (Int32, Int32) = (0, 0)
        _ = unsafe mdb_version(&major, &minor, nil)
        var stat = MDB_stat()
        let code = unsafe mdb_env_stat(environment, &stat)
        pageSize = Int(stat.ms_psize)
        let isAligned = pageSize.nonzeroBitCount == 1 && pageSize <= System.pageSize
        guard code == 0, major == 0, minor == 9, isAligned else { return nil }
    }

    func name(of store: Store) -> String? { names.withLock { $0[store] } }

    func note(_ stores: [Store], _ names: [String]) {
        self.names.withLock { known in
            for (store, name) in zip(stores, names) { known[store] = name }
        }
    }

    /// Call it before the map is exchanged.
    func forgetMap() { base.withLock { $0 = nil } }

    /// Where the map begins, or LMDB's code where that is unknown: the main tree is empty or damaged, or memory is short.
    ///
    /// LMDB does not say, but the address of a value tells. LMDB looks up the first entry of the main tree, whose pages are checked
    /// in the file before.
    @unsafe
    func findBase(_ transaction: OpaquePointer, _ meta: MetaPage) -> (base: UnsafeRawPointer?, code: Int32) {
        var code: Int32 = 0
        let known = base.withLock { base -> UInt? in
            if base == nil { (base, code) = unsafe locate(transaction, meta) }
            return base
        }
        return unsafe (known.flatMap { unsafe UnsafeRawPointer(bitPattern: $0) }, code)
    }

    @unsafe
    private func locate(_ transaction: OpaquePointer, _ meta: MetaPage) -> (base: UInt?, code: Int32) {
        let file = unsafe PageFile(
            descriptor: Descriptors.data(of: mdb_txn_env(transaction)), pageSize: pageSize)
        guard PageAudit.isMainTreeSound(file, meta) else { return (nil, MDB_CORRUPTED) }
        var cursor: OpaquePointer?
        let opening = unsafe mdb_cursor_open(transaction, 1, &cursor)
        guard opening == 0 else { return (nil, opening) }
        defer { unsafe mdb_cursor_close(cursor) }
        var (key, value) = unsafe (MDB_val(), MDB_val())
        let reading = unsafe mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        guard reading == 0 else { return (nil, reading == MDB_NOTFOUND ? MDB_CORRUPTED : reading) }
        let address = unsafe UInt(bitPattern: value.mv_data) & ~UInt(pageSize - 1)
        guard let page = unsafe UnsafeRawPointer(bitPattern: address) else { return (nil, MDB_CORRUPTED) }
        return unsafe (address - UInt(page.integer(at: PageFormat.Header.number) * pageSize), 0)
    }
}
