// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The file beside the database in which LMDB keeps its locks and its table of readers.
enum LockFile {
    static func path(_ database: String) -> String { database + "-lock" }

    /// Allocates the file's blocks. LMDB maps the file, and touching a page without a block ends the process (SIGBUS) on a full
    /// device.
    ///
    /// The file's length does not change, because LMDB trusts the length that it finds. Call this before LMDB opens the file:
    /// closing any descriptor of it releases the locks that this process has on it.
    ///
    /// - Throws: `diskFull`. LMDB itself reports any other reason why the file cannot be opened.
    static func allocate(for database: String, readers: Int) throws(LMDBError) {
        let descriptor = System.open(path(database), .lockFile)
        guard descriptor >= 0 else { return }
        defer { System.close(descriptor) }
        // LMDB's table: two cache lines of locks, then one for each reader.
        let needed = 64 * (readers + 2)
        var code: Int32
        repeat {
            code = hearth_allocate(descriptor, max(needed, System.seekEnd(descriptor)))
        } while code == EINTR
        // Some file systems cannot allocate and return another error.
        guard code == ENOSPC || code == EDQUOT else { return }
        throw LMDBError(code: .diskFull, operation: .open, path: database)
    }

    /// Takes the lock that LMDB's openers of a database hold together, on the file's first byte, alone. It is released with the
    /// descriptor.
    ///
    /// - Returns: false if a process has the database open.
    static func lockAlone(_ descriptor: Int32, of database: String) throws(LMDBError) -> Bool {
        switch hearth_lock_bytes(descriptor, 0, 1, 0) {
        // A file system without such locks is used by one process at most.
        case 0, ENOLCK, EOPNOTSUPP, EINVAL: return true
        case EAGAIN, EACCES: return false
        case let code: throw LMDBError(code, .lock, path: database)
        }
    }
}
