// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// A new database, which gets its name once it is complete, so that no crash leaves half a database.
///
/// The draft is a file without a name, which disappears with its process. Where the file system has none, the draft has a
/// temporary name and a lock; by the lock, the next creation recognizes a draft whose process was killed.
@safe
struct DatabaseDraft: ~Copyable {
    private let descriptor: Int32
    /// Nil if the draft has no name.
    private let path: String?

    /// Creates an empty database `name` in `folder`, unless another process has meanwhile.
    static func create(_ name: String, in folder: String) throws(LMDBError) {
        let path = folder == "/" ? "/" + name : folder + "/" + name
        removeLeftovers(of: name, in: folder)
        // The user knows the file by its name, not by the draft's.
        do throws(LMDBError) {
            let draft = try DatabaseDraft(for: path, in: folder)
            try draft.write()
            try draft.give(path)
        } catch {
            throw LMDBError(code: error.code, operation: .create, path: path)
        }
        try DatabaseFile.synchronizeFolder(folder)
    }

    private init(for path: String, in folder: String) throws(LMDBError) {
        let unnamed = unsafe Glibc.open(folder, hearth_unnamed_file | O_RDWR | O_CLOEXEC, 0o600)
        // Without /proc it could not be linked later.
        if unnamed >= 0, unsafe access(DatabaseDraft.link(to: unnamed), F_OK) == 0 {
            descriptor = unnamed
            self.path = nil
            return
        }
        if unnamed >= 0 { close(unnamed) }
        var name = Array("\(path).creating-XXXXXX".utf8CString)
        descriptor = unsafe mkostemp(&name, O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, .create, path: path) }
        flock(descriptor, LOCK_EX)
        self.path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if let path { unsafe unlink(path) }
        close(descriptor)
    }

    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private borrowing func write() throws(LMDBError) {
        let place = path ?? DatabaseDraft.link(to: descriptor)
        let handle = unsafe try Environment.openHandle(
            place, Environment.Options(mapSize: 1 << 20), flags: UInt32(MDB_NOLOCK))
        let code = unsafe mdb_env_sync(handle, 1)
        unsafe mdb_env_close(handle)
        guard code == 0 else { throw LMDBError(code, .create, path: place) }
    }

    /// Names the database without replacing a file. Where there are no hard links, it replaces a file created meanwhile.
    private borrowing func give(_ name: String) throws(LMDBError) {
        let place = path ?? DatabaseDraft.link(to: descriptor)
        var result = unsafe linkat(AT_FDCWD, place, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
        if result != 0, let path, errno == EPERM || errno == EOPNOTSUPP { result = unsafe rename(path, name) }
        guard result == 0 || errno == EEXIST else { throw LMDBError(errno, .create, path: name) }
    }

    /// Removes drafts of the database that no process has locked.
    private static func removeLeftovers(of name: String, in folder: String) {
        guard let entries = unsafe opendir(folder) else { return }
        defer { unsafe closedir(entries) }
        let start = Array("\(name).creating-".utf8CString.dropLast())
        while let entry = unsafe readdir(entries) {
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let found = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                // `mkostemp` adds six letters and digits.
                guard unsafe strncmp(found, start, start.count) == 0, unsafe strlen(found) == start.count + 6 else {
                    return
                }
                let descriptor = unsafe openat(dirfd(entries), found, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                guard descriptor >= 0 else { return }
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlinkat(dirfd(entries), found, 0) }
                close(descriptor)
            }
        }
    }
}
