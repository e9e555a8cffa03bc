// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// Where the pages of a database lie in this process, and how many of them one state has.
///
/// LMDB tells nobody where its map begins. But the header of a state names the page with the list of stores, and LMDB shows
/// where an entry of that list lies. Pages that are damaged do not mislead: of them only their own number is believed, and
/// only where the header says the same.
@unsafe
struct PageMap {
    private let base: UnsafeRawPointer
    let pageSize: Int
    private let pageCount: Int

    /// Nil where the map cannot be made out for certain; another state may be tried later.
    ///
    /// - Parameter listEntry: the value of an entry of the list of stores, in the state of `transaction`.
    init?(_ transaction: OpaquePointer, listEntry: UnsafeRawPointer, pageSize: Int) {
        guard let environment = unsafe mdb_txn_env(transaction),
            let header = PageAudit.header(
                unsafe descriptor(of: environment), pageSize: pageSize, transaction: unsafe mdb_txn_id(transaction))
        else { return nil }
        let (depth, root) = (header.short(at: 88 + 6), header.integer(at: 88 + 40))
        let address = UInt(bitPattern: listEntry) & ~UInt(pageSize - 1)
        guard depth == 1, let page = unsafe UnsafeRawPointer(bitPattern: address),
            unsafe page.loadUnaligned(as: Int.self) == root, root >= 2, root < Int(address) / pageSize
        else { return nil }
        unsafe base = page - root * pageSize
        unsafe self.pageSize = pageSize
        unsafe pageCount = PageMap.pageCount(environment, pageSize: pageSize)
    }

    /// The same map with the pages of a transaction that has begun since.
    func renewed(_ transaction: OpaquePointer) -> PageMap {
        unsafe PageMap(
            base: base, pageSize: pageSize,
            pageCount: PageMap.pageCount(mdb_txn_env(transaction), pageSize: pageSize))
    }

    init(base: UnsafeRawPointer, pageSize: Int, pageCount: Int) {
        unsafe self.base = base
        unsafe self.pageSize = pageSize
        unsafe self.pageCount = pageCount
    }

    /// The pages that LMDB knows of and the file has.
    private static func pageCount(_ environment: OpaquePointer?, pageSize: Int) -> Int {
        var info = unsafe MDB_envinfo()
        var file = stat()
        guard let environment = unsafe environment, unsafe mdb_env_info(environment, &info) == 0,
            unsafe fstat(descriptor(of: environment), &file) == 0
        else { return 0 }
        return unsafe min(info.me_last_pgno + 1, Int(file.st_size) / pageSize, info.me_mapsize / pageSize)
    }

    /// Whether a value that LMDB found lies within the pages, as on a damaged page it may not.
    func contains(_ value: MDB_val) -> Bool {
        guard let start = unsafe value.mv_data else { return false }
        let offset = unsafe UnsafeRawPointer(start) - base
        return unsafe offset >= 0 && offset + value.mv_size <= pageCount * pageSize
    }

    /// Where a page lies; nil for one that does not exist.
    @inline(__always)
    func address(of page: Int) -> UnsafeRawPointer? {
        guard page >= 2, unsafe page < pageCount else { return nil }
        return unsafe base + page * pageSize
    }

    /// A page of a tree, if it is what it should be and says so.
    @inline(__always)
    func page(_ number: Int, _ kind: TreePage.Kind) -> TreePage? {
        guard let address = unsafe address(of: number), unsafe address.loadUnaligned(as: Int.self) == number else {
            return nil
        }
        return unsafe TreePage(at: address, size: pageSize, kind)
    }
}

@unsafe
private func descriptor(of environment: OpaquePointer) -> Int32 {
    let descriptor = unsafe Environment.dataDescriptor(of: environment)
    return descriptor
}
