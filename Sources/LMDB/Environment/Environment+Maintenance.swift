// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// For a process that opens many databases. LMDB has tables of 2 MB for each, of which it uses little: the system gives pages of a
    /// block of its own when they are touched, while glibc, which would soon take larger blocks from its heap, clears those at once.
    package static func keepTablesApart() { hearth_keep_large_blocks_apart() }

    /// Gives the system the memory that this process has freed, if it is more than some bytes. Threads that allocate meanwhile wait for
    /// their heap.
    ///
    /// - Returns: whether it was more. What was given back before counts, too.
    package static func giveBackFreedMemory(ifMoreThan bytes: Int) -> Bool { hearth_give_back_freed_blocks(bytes) != 0 }

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
            pageSize: Int(stat.ms_psize), mapSize: info.me_mapsize, pages: info.me_last_pgno &+ 1,
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

    /// Lets reads see the last commit in the file. LMDB tells readers of a commit last, when it is written and synced: if the
    /// writer's process dies before, the next writer does so.
    ///
    /// Waits for a commit that is under way. Calling it inside a read or a write of the same thread is a programmer error.
    package func showLastCommit() throws(LMDBError) {
        let shown = try read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> Int in
            transaction.transactionID
        }
        guard shown < info.lastTransactionID else { return }
        // It changes nothing, so LMDB writes nothing.
        try write { (_: inout WriteTransaction) throws(LMDBError) in }
    }

    /// Whether no other process has the file open and has read it.
    package var isAlone: Bool {
        clearStaleReaders()
        return unsafe PagePlacement.isAlone(handle)
    }

    /// Checks every page of every store's tree and of the free list: that it exists, is of the right kind, has its keys in
    /// order, and is used once.
    ///
    /// The pages are read from the file and not by LMDB, which trusts them: a damaged page can end the process or send it
    /// into an endless loop. Others may write meanwhile.
    ///
    /// - Parameters:
    ///   - stores: the stores whose trees are checked, without the free list; nil for all.
    ///   - progress: called with the share of the pages that have been read, of those that are not free.
    /// - Returns: What is wrong, at most a hundred findings.
    package func auditPages(
        of stores: [String]? = nil, progress: ((_ share: Double) -> Void)? = nil
    ) throws(LMDBError) -> [PageFinding] {
        let goOn = progress.map { progress in
            { (share: Double) -> Bool in
                progress(share)
                return true
            }
        }
        return try readState { PageAudit.run($0, $1.meta, stores, progress: goOn).findings }
            ?? [PageFinding(text: "the header is not the one it should be", disorderedStore: nil)]
    }

    /// Runs `body` over the file and the header of one state, whose pages are not reused meanwhile; nil if the header is damaged.
    func readState<R>(_ body: (PageFile, PageFile.Header) -> R) throws(LMDBError) -> R? {
        var overtaken: PageFile.Header?
        var missing: Int?
        while true {
            let result = try read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> R?? in
                let file = PageFile(descriptor: dataDescriptor, pageSize: info.pageSize)
                let state = transaction.transactionID
                // Where LMDB begins an overtaken state once more, the next commit has not returned, so that nothing had written over
                // the header when it was read. By now it may have, so it is not read again.
                if let overtaken, overtaken.meta.transaction == state { return body(file, overtaken) }
                guard let header = file.header(of: state) else {
                    // Two commits later it is overwritten, and the next read gets a later state; else it is damaged.
                    if info.lastTransactionID == state || missing == state { return .some(nil) }
                    missing = state
                    return nil
                }
                if isOvertaken(state, isInFile: { file.meta(of: $0) != nil }) {
                    overtaken = header
                    return nil
                }
                return body(file, header)
            }
            if let result { return result }
        }
    }
}
