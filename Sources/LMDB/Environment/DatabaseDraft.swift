// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A new database or copy of one, which gets its name once it is complete, so that no crash leaves half a database.
///
/// The draft is a file without a name, which disappears with its process. Where the file system has none, the draft has a
/// temporary name and a lock; by the lock, the next creation recognizes a draft whose process was killed.
@safe
struct DatabaseDraft: ~Copyable {
    let descriptor: Int32
    /// Nil if the draft has no name.
    private let path: String?

    /// Creates an empty database `name` in `folder`, unless another process has meanwhile.
    static func create(_ name: String, in folder: String) throws(LMDBError) {
        let path = folder == "/" ? "/" + name : folder + "/" + name
        // The user knows the file by its name, not by the draft's.
        do throws(LMDBError) {
            let draft = try DatabaseDraft(for: path, in: folder)
            try draft.write()
            try draft.give(path)
        } catch {
            // Another process may have created it meanwhile.
            if error.code != .fileExists { throw LMDBError(code: error.code, operation: .create, path: path) }
        }
        try DatabaseFile.synchronizeFolder(folder)
    }

    /// - Parameter path: the name that it will get, in the folder.
    init(for path: String, in folder: String) throws(LMDBError) {
        DatabaseDraft.removeLeftovers(of: path, in: folder)
        let unnamed = System.openUnnamed(in: folder)
        // Without /proc it could not be linked later.
        if unnamed >= 0, System.exists(System.path(of: unnamed)) {
            descriptor = unnamed
            self.path = nil
            return
        }
        if unnamed >= 0 { System.close(unnamed) }
        let named = System.openTemporary("\(path).creating-")
        descriptor = named.descriptor
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .create, path: path) }
        _ = System.lock(descriptor, waits: true)
        self.path = named.path
    }

    deinit {
        if let path { System.remove(path) }
        System.close(descriptor)
    }

    private borrowing func write() throws(LMDBError) {
        let place = path ?? System.path(of: descriptor)
        let handle = unsafe try Environment.openHandle(
            place, Environment.Options(mapSize: 1 << 20), flags: UInt32(MDB_NOLOCK))
        let code = unsafe mdb_env_sync(handle, 1)
        unsafe mdb_env_close(handle)
        guard code == 0 else { throw LMDBError(code, .create, path: place) }
    }

    /// Names the database without replacing a file. Where there are neither hard links nor such renames, it replaces a file
    /// created meanwhile.
    ///
    /// - Throws: `fileExists`.
    borrowing func give(_ name: String) throws(LMDBError) {
        let place = path ?? System.path(of: descriptor)
        var result = System.link(place, as: name)
        if result != 0, let path, System.lastError == EPERM || System.lastError == EOPNOTSUPP {
            result = System.rename(path, toNew: name)
            if result != 0, System.lastError == EINVAL || System.lastError == ENOSYS {
                result = System.rename(path, to: name)
            }
        }
        guard result == 0 else { throw LMDBError(System.lastError, .create, path: name) }
    }

    /// Removes drafts of the database that no process has locked.
    private static func removeLeftovers(of path: String, in folder: String) {
        let name = path.split(separator: "/").last ?? ""
        System.removeUnlockedTemporaries("\(name).creating-", in: folder)
    }
}
