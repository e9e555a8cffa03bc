// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// The environment's current state, without a transaction. All zero once the map is lost; every transaction then throws
    /// `poisoned`.
    package var info: EnvironmentInfo {
        var info = unsafe MDB_envinfo()
        var stat = MDB_stat()
        // Neither fails for an open environment. The gate keeps the map while LMDB reads its meta pages.
        gate.withMap {
            unsafe mdb_env_info(handle, &info)
            unsafe mdb_env_stat(handle, &stat)
        }
        return unsafe EnvironmentInfo(
            pageSize: Int(stat.ms_psize), mapSize: info.me_mapsize, pages: info.me_last_pgno + 1,
            lastTransactionID: info.me_last_txnid, readers: Int(info.me_numreaders),
            maximumReaders: Int(info.me_maxreaders))
    }

    /// Entries, depth and pages of a store, as last committed.
    package func statistics(of store: Store) throws(LMDBError) -> StoreStatistics {
        try read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            try transaction.statistics(of: store)
        }
    }

    /// As ``ReadTransaction/countFreePages()``.
    package func countFreePages() throws(LMDBError) -> Int {
        try read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            try transaction.countFreePages()
        }
    }

    /// Frees the reader slots of processes that died inside a read: LMDB does not reuse the pages of their states.
    ///
    /// This is also done on opening, when slots run out and when the file grows.
    ///
    /// - Returns: how many slots were freed.
    @discardableResult
    package func clearStaleReaders() -> Int {
        requireSameProcess()
        var dead: Int32 = 0
        unsafe mdb_reader_check(handle, &dead)
        return Int(dead)
    }

    /// Whether no other process has the file open and has read it.
    package var isAlone: Bool {
        clearStaleReaders()
        return unsafe PagePlacement.isAlone(handle)
    }
}
