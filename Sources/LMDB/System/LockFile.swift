// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The file beside the database in which LMDB keeps its locks and its table of readers.
enum LockFile {
    static func path(_ database: String) -> String { database + "-lock" }

    /// Opens the file for reading and writing. A new one is for those whom the database file is for, whoever opens that first: LMDB
    /// gives it to that user alone, and so root, or another who may change the folder, would lock the database's owner out.
    ///
    /// - Returns: nil if the system refuses it; LMDB itself reports why.
    static func open(for database: String) -> Int32? {
        // Of two that find none, one makes it.
        for _ in 0..<2 {
            let found = System.open(path(database), .changing)
            if found >= 0 { return found }
            guard System.lastError == ENOENT, let file = System.status(of: database) else { return nil }
            let new = System.open(path(database), .new)
            guard new < 0 else {
                System.match(new, to: file)
                return new
            }
        }
        return nil
    }

    /// Allocates the file's blocks. LMDB maps the file, and touching a page without a block ends the process (SIGBUS) on a full
    /// device.
    ///
    /// The file's length does not change, because LMDB trusts the length that it finds. Call this before LMDB opens the file:
    /// closing any descriptor of it releases the locks that this process has on it.
    ///
    /// - Throws: `diskFull`.
    static func allocate(for database: String, readers: Int) throws(LMDBError) {
        guard let descriptor = open(for: database) else { return }
        defer { System.close(descriptor) }
        // LMDB's table: two cache lines of locks, then one for each reader.
        let needed = 64 * (readers + 2)
        guard System.lacksRoom(descriptor, 0, max(needed, System.seekEnd(descriptor))) else { return }
        throw LMDBError(code: .diskFull, operation: .open, path: database)
    }

    /// Runs `body` while no process has a database open. Whoever opens it meanwhile waits in LMDB.
    ///
    /// - Returns: nil if a process has it open, or its lock file was replaced.
    static func whileAlone<R>(_ database: String, _ body: () throws(LMDBError) -> R) throws(LMDBError) -> R? {
        guard let descriptor = open(for: database) else {
            throw LMDBError(System.lastError, .lock, path: database)
        }
        defer { System.close(descriptor) }
        guard try lockAlone(descriptor, of: database) else { return nil }
        return try body()
    }

    /// Takes the lock that LMDB's openers of a database hold together, on the file's first byte, alone. It is released with the
    /// descriptor.
    ///
    /// - Returns: false if a process has the database open, or if that has another lock file by now: who opens it does not wait for a
    ///   former one.
    static func lockAlone(_ descriptor: Int32, of database: String) throws(LMDBError) -> Bool {
        guard try lockBytes(descriptor, 0, of: database) else { return false }
        return FileIdentity(of: descriptor)?.isDisplaced(from: path(database)) != true
    }

    /// Locks bytes of a file for the descriptor, until they are unlocked or it is closed.
    ///
    /// - Returns: false if another descriptor has a lock there; with `waits`, it is waited for.
    static func lockBytes(
        _ descriptor: Int32, _ start: Int, count: Int = 1, waits: Bool = false, of database: String
    ) throws(LMDBError) -> Bool {
        while true {
            switch hearth_lock_bytes(descriptor, start, count, waits ? 1 : 0) {
            case EINTR: continue
            // A file system without such locks is used by one process at most.
            case 0, ENOLCK, EOPNOTSUPP, EINVAL: return true
            case EAGAIN, EACCES: return false
            case let code: throw LMDBError(code, .lock, path: database)
            }
        }
    }

    /// Marks an open database with its lock file, until it is closed, and checks that nobody has it open with another one.
    ///
    /// A file with two names, by a hard link or a bind mount, has two lock files. Each writer would keep others of its own name away,
    /// and write over what those of the other name commit. Of two that come at the same time at least one sees the other's mark.
    ///
    /// - Throws: `otherLockFile`.
    static func mark(
        _ descriptor: Int32, withLockFile file: (device: UInt, inode: UInt), of database: String
    ) throws(LMDBError) {
        let number = file.device &* 0x9E37_79B9_7F4A_7C15 ^ file.inode
        let place = marks + Int(number % UInt(markCount))
        // A file system without such locks is used by one process at most.
        guard hearth_share_byte(descriptor, place) == 0 else { return }
        let isAlone = [(marks, place), (place + 1, marks + markCount)].allSatisfy { start, end in
            start == end || hearth_locked_byte(descriptor, start, end - start) < 0
        }
        guard isAlone else { throw LMDBError(code: .otherLockFile, operation: .open, path: database) }
    }

    /// Far behind the end of every file, and apart from those of ``ClientLocks``.
    private static let marks = Int(1) << 62 + Int(1) << 60
    private static let markCount = Int(1) << 48

    /// Checks that the number of the last commit in the lock file is that of the data file.
    ///
    /// Only who has the lock file for himself takes the number from the data file. Who waits for him trusts it, also when he has
    /// exchanged the data file meanwhile, or died before he took it.
    ///
    /// A number one too small may be that of a commit that has not returned; ``isOwn(_:)`` tells for certain.
    ///
    /// - Throws: `foreignLockFile`; `readersFull` if there is no slot to find out with.
    @unsafe
    static func check(_ environment: OpaquePointer, path: String) throws(LMDBError) {
        guard unsafe try isLikelyOwn(environment, path: path) else {
            throw LMDBError(code: .foreignLockFile, operation: .open, path: path)
        }
    }

    @unsafe
    private static func isLikelyOwn(_ environment: OpaquePointer, path: String) throws(LMDBError) -> Bool {
        var reader: OpaquePointer?
        let code = unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &reader)
        guard code != MDB_READERS_FULL else { throw LMDBError(code, .open, path: path) }
        // Of other failures, reads will tell. For another process's larger map, opening again is the simplest.
        guard code == 0, let reader = unsafe reader else { return code != MDB_MAP_RESIZED }
        defer { unsafe mdb_txn_abort(reader) }
        let first = unsafe mdb_txn_id(reader)
        let before = unsafe lastCommit(environment)
        unsafe mdb_txn_reset(reader)
        guard unsafe mdb_txn_renew(reader) == 0 else { return false }
        return unsafe first <= lastCommit(environment) && mdb_txn_id(reader) >= before &- 1
    }

    /// Whether the number is that of the data file, for certain, in a write transaction: no commit is under way.
    @unsafe
    static func isOwn(_ writer: OpaquePointer) -> Bool {
        unsafe mdb_txn_id(writer) == lastCommit(mdb_txn_env(writer)) &+ 1
    }

    /// Of the data file.
    @unsafe
    private static func lastCommit(_ environment: OpaquePointer) -> Int {
        var info = unsafe MDB_envinfo()
        unsafe mdb_env_info(environment, &info)
        return unsafe info.me_last_txnid
    }
}
