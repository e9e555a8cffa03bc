// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// A new database, which gets its name once it is whole, so that no crash leaves half of one.
///
/// The draft has no name, and goes with its process. Where the file system cannot do that, it has a name of its own while it is
/// written, and a lock, by which the next creation knows what a killed one left.
@safe
struct DatabaseDraft: ~Copyable {
    private let descriptor: Int32
    /// Nil if the draft has no name.
    private let path: String?

    /// Makes an empty database `name` in `folder`, unless there is one meanwhile.
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
        // Without /proc it could not be named later.
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

    /// Names the database without replacing a file; where there are no hard links, a file made meanwhile is replaced.
    private borrowing func give(_ name: String) throws(LMDBError) {
        let place = path ?? DatabaseDraft.link(to: descriptor)
        var result = unsafe linkat(AT_FDCWD, place, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
        if result != 0, let path, errno == EPERM || errno == EOPNOTSUPP { result = unsafe rename(path, name) }
        guard result == 0 || errno == EEXIST else { throw LMDBError(errno, .create, path: name) }
    }

    /// Removes the drafts of the database that no process locks any more.
    private static func removeLeftovers(of name: String, in folder: String) {
        guard let entries = unsafe opendir(folder) else { return }
        defer { unsafe closedir(entries) }
        let start = Array("\(name).creating-".utf8CString.dropLast())
        while let entry = unsafe readdir(entries) {
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let found = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                // Six letters and digits that `mkostemp` has put there.
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
