// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// The file beside the database in which LMDB keeps its locks and its table of readers.
enum LockFile {
    static func path(_ database: String) -> String { database + "-lock" }

    /// Takes the file's room on the device: LMDB maps it as it is, and touching a page for which there is no room kills the process
    /// (SIGBUS).
    ///
    /// The length is left to LMDB, which trusts the one that it finds. To be called before LMDB opens the file: closing any
    /// descriptor of it gives up the locks that this process has on it.
    ///
    /// - Throws: `diskFull`. What else keeps the file from being opened LMDB finds, too.
    static func allocate(for database: String, readers: Int) throws(LMDBError) {
        let descriptor = unsafe Glibc.open(path(database), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // LMDB's table: two lines of locks, then one for each reader.
        let needed = 64 * (readers + 2)
        var code: Int32
        repeat {
            code = hearth_allocate(descriptor, max(needed, Int(lseek(descriptor, 0, SEEK_END))))
        } while code == EINTR
        // A file system that cannot do it says so.
        guard code == ENOSPC || code == EDQUOT else { return }
        throw LMDBError(code: .diskFull, operation: .open, path: database)
    }
}
