// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Synchronization

extension Environment {
    /// Runs `body` in the write transaction. It is committed when `body` returns and aborted when `body` throws.
    ///
    /// Writers wait for each other, also across processes. When the map is full, the transaction is aborted, the map grows once no
    /// transaction of this process is open, and `body` runs again: it must not keep anything from a run that did not commit.
    /// Writing inside a read or a write of the same thread and environment is a programmer error.
    ///
    /// LMDB's C code writes, and trusts the pages that it reads: on a damaged file it may end the process.
    ///
    /// - Throws: what `body` throws; a commit's failure; `displaced` if the file or its lock file is not at its path any more;
    ///   `foreignLockFile` if the lock file knows another last commit than the file has. After
    ///   `diskFull` the environment remains usable. After any other failed write or sync it is poisoned: writes throw `poisoned`
    ///   until every user in this process closes the file and opens it again.
    package func write<R: ~Copyable, E: LMDBErrorConvertible>(
        _ body: (inout WriteTransaction) throws(E) -> R
    ) throws(E) -> R {
        try converting(E.self, enterWrite)
        defer { gate.leaveWrite() }
        while true {
            let writer = Writer(of: identifier, placement)
            if let result = try attempt(writer, body) { return result }
            try converting(E.self, growMap)
        }
    }

    /// One run of `body`; `nil` if the map was full.
    private func attempt<R: ~Copyable, E: LMDBErrorConvertible>(
        _ writer: Writer, _ body: (inout WriteTransaction) throws(E) -> R
    ) throws(E) -> R? {
        let handle = unsafe try converting(E.self) { () throws(LMDBError) in unsafe try beginExclusive(0) }
        try converting(E.self) { () throws(LMDBError) in
            unsafe try requireInPlace(handle)
            unsafe try requireOwnLockFile(handle)
        }
        writer.enter()
        defer { writer.leave() }
        var transaction = unsafe WriteTransaction(handle, writer)
        let result: R
        do {
            result = try body(&transaction)
        } catch {
            unsafe mdb_txn_abort(handle)
            if writer.mapIsFull { return nil }
            throw error
        }
        if writer.mapIsFull {
            unsafe mdb_txn_abort(handle)
            return nil
        }
        try converting(E.self) { () throws(LMDBError) in unsafe try requireInPlace(handle) }
        let code = unsafe commit(handle, writer)
        if code == MDB_MAP_FULL { return nil }
        try converting(E.self) { () throws(LMDBError) in try checkCommit(code, writer) }
        return result
    }

    @unsafe
    private func commit(_ transaction: OpaquePointer, _ writer: Writer) -> Int32 {
        let isLarge = writer.changes >= EarlyWriteback.worthwhile
        let code =
            unsafe isLarge && options.durability != .mayLoseDatabase && options.writesBackEarly
            ? EarlyWriteback.during(handle) { unsafe mdb_txn_commit(transaction) }
            : mdb_txn_commit(transaction)
        if code == 0 {
            unsafe placement?.committed(handle, changes: writer.changes, isPlaced: writer.placesPages)
            clearReadersOfGrownFile()
        }
        return code
    }

    /// A file grows while a read keeps pages from being reused, and the process of that read may be dead.
    private func clearReadersOfGrownFile() {
        var info = unsafe MDB_envinfo()
        unsafe mdb_env_info(handle, &info)
        guard unsafe info.me_last_pgno >= clearedPages.load(ordering: .relaxed) + 256 else { return }
        unsafe clearedPages.store(info.me_last_pgno, ordering: .relaxed)
        clearStaleReaders()
    }

    private func enterWrite() throws(LMDBError) {
        guard !options.readOnly else { throw failure(LMDBErrorCode.readOnlyEnvironment.rawValue, .beginWrite) }
        try enterExclusive(.beginWrite)
    }

    /// Becomes the process's only writer.
    func enterExclusive(_ operation: LMDBError.Operation) throws(LMDBError) {
        requireOutsideTransactions()
        do {
            try gate.enterWrite()
        } catch {
            throw failure(error.rawValue, operation)
        }
    }

    /// Stops the program if this thread is inside a transaction of the environment, where waiting for a write, even another
    /// thread's, could deadlock.
    package func requireOutsideTransactions() {
        requireSameProcess()
        let nesting = AccessFrame.nesting(in: identifier)
        require(!nesting.write, "A write was begun inside a write of the same database on the same thread.")
        require(!nesting.read, "A write was begun inside a read of the same database on the same thread.")
    }

    /// Begins a transaction of the process's writer.
    @unsafe
    func beginExclusive(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
        while true {
            var transaction: OpaquePointer?
            let code = unsafe mdb_txn_begin(handle, nil, flags, &transaction)
            if code == 0, let transaction = unsafe transaction { return unsafe transaction }
            // One that only reads has a slot: this process's idle readers may have the last ones.
            if code == MDB_READERS_FULL, let idle = unsafe gate.takeIdleReader() {
                unsafe idle.release()
                continue
            }
            guard code == MDB_MAP_RESIZED else {
                if code == MDB_PANIC { gate.poison() }
                throw failure(code, .beginWrite)
            }
            gate.pauseWrite()
            defer { gate.resumeWrite() }
            try adoptMapSize()
        }
    }

    /// Aborts the transaction unless the database and its lock file are at their paths. A process that opens them now would
    /// use other files, and both would write at once.
    @unsafe
    private func requireInPlace(_ transaction: OpaquePointer) throws(LMDBError) {
        // A temporary database has no name on purpose.
        guard options.durability != .mayLoseDatabase else { return }
        guard file.isDisplaced(from: path) || lockFile?.isDisplaced(from: LockFile.path(path)) ?? false else { return }
        unsafe mdb_txn_abort(transaction)
        throw LMDBError(code: .displaced, operation: .commit, path: path)
    }

    /// Aborts the transaction where it would overwrite the last commit.
    @unsafe
    private func requireOwnLockFile(_ transaction: OpaquePointer) throws(LMDBError) {
        guard unsafe !LockFile.isOwn(transaction) else { return }
        unsafe mdb_txn_abort(transaction)
        throw LMDBError(code: .foreignLockFile, operation: .beginWrite, path: path)
    }

    private func checkCommit(_ code: Int32, _ writer: Writer) throws(LMDBError) {
        switch CommitFailure(code, isDiskFull: DatabaseFile.isDiskFull(at: path, dataDescriptor)) {
        case nil: return
        case .diskFull: throw LMDBError(code: .diskFull, operation: .commit, path: path)
        case .transactionOnly: throw writer.failure(code, .commit)
        case .poisoning:
            gate.poison()
            throw failure(code, .commit)
        }
    }
}

/// What a failed commit means for later commits.
package enum CommitFailure: Equatable {
    /// There was no space for this commit's pages. Other commits do not need them.
    case diskFull
    case transactionOnly
    /// A sync or the write of a meta page may have failed, so that it is unknown what the device has.
    case poisoning

    /// LMDB does not distinguish a failed write of pages, which is harmless, from a failed sync. It reports a short write, which a
    /// full file system or a user's full share of it causes, as EIO. So the space that is left decides. For a share, systems refuse a
    /// write, and not a sync.
    package init?(_ code: Int32, isDiskFull: @autoclosure () -> Bool) {
        switch code {
        case 0: return nil
        case EDQUOT: self = .diskFull
        case ENOSPC, EIO: self = isDiskFull() ? .diskFull : .poisoning
        // A file that would be too large fails for pages only: meta pages are written in place.
        case ENOMEM, EFBIG, MDB_BAD_TXN, MDB_TXN_FULL, MDB_MAP_FULL: self = .transactionOnly
        default: self = .poisoning
        }
    }
}
