// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc
internal import Synchronization

/// A file as the kernel knows it, whatever its names.
struct FileIdentity: Hashable, Sendable {
    let device: UInt
    let inode: UInt
}

struct LocatedFile: Sendable {
    let path: String
    let identity: FileIdentity
}

/// The database file before LMDB opens it: found, checked, or created whole.
enum DatabaseFile {
    private static let creation = Mutex<Void>(())

    /// Finds the file behind `path`, creating an empty database there if it is missing and `create` is set.
    static func locate(_ path: String, create: Bool) throws(LMDBError) -> LocatedFile {
        guard !path.utf8.contains(0) else { throw LMDBError(ENOENT, .open, path: path) }
        if let resolved = resolve(path) { return try check(resolved) }
        guard errno == ENOENT, create else { throw LMDBError(errno, .open, path: path) }
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty else { throw LMDBError(path.isEmpty ? ENOENT : EISDIR, .open, path: path) }
        guard let parent = resolve(folder(of: path)) else { throw LMDBError(errno, .create, path: path) }
        try self.create(parent == "/" ? "/" + name : parent + "/" + name, in: parent)
        guard let resolved = resolve(path) else { throw LMDBError(errno, .open, path: path) }
        return try check(resolved)
    }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    private static func resolve(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func check(_ path: String) throws(LMDBError) -> LocatedFile {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw LMDBError(errno, .open, path: path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw LMDBError(EISDIR, .open, path: path)
        default: throw LMDBError(code: .notAFile, operation: .open, path: path)
        }
        guard status.st_size > 0 else { throw LMDBError(code: .emptyFile, operation: .open, path: path) }
        return LocatedFile(path: path, identity: FileIdentity(device: status.st_dev, inode: status.st_ino))
    }

    /// Creates the database under another name and links it into place, so that no crash leaves half of one.
    private static func create(_ path: String, in folder: String) throws(LMDBError) {
        let draft = "\(path).creating-\(getpid())"
        let result = creation.withLock { _ in
            Result { () throws(LMDBError) in
                unsafe unlink(draft)
                defer { unsafe unlink(draft) }
                // The user knows the file by its name, not by the draft's.
                do throws(LMDBError) { try write(draft) } catch {
                    throw LMDBError(code: error.code, operation: .create, path: path)
                }
                guard unsafe name(draft, path) == 0 || errno == EEXIST else {
                    throw LMDBError(errno, .create, path: path)
                }
            }
        }
        try result.get()
        try synchronizeFolder(folder)
    }

    /// Names the draft without replacing a file; where there are no hard links, a file made meanwhile is replaced.
    @unsafe
    private static func name(_ draft: String, _ path: String) -> Int32 {
        let result = unsafe link(draft, path)
        guard result != 0, errno == EPERM || errno == EOPNOTSUPP else { return result }
        return unsafe rename(draft, path)
    }

    private static func write(_ draft: String) throws(LMDBError) {
        let handle = unsafe try Environment.openHandle(
            draft, Environment.Options(mapSize: 1 << 20), flags: UInt32(MDB_NOLOCK))
        let code = unsafe mdb_env_sync(handle, 1)
        unsafe mdb_env_close(handle)
        guard code == 0 else { throw LMDBError(code, .create, path: draft) }
    }

    /// Makes a new name in the folder survive power loss.
    static func synchronizeFolder(_ folder: String) throws(LMDBError) {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, .synchronize, path: folder) }
        defer { close(descriptor) }
        // Some file systems cannot sync folders and say EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw LMDBError(errno, .synchronize, path: folder) }
    }

    /// Whether the file system has too little space left for the smallest write of LMDB that can come out short.
    static func isDiskFull(at path: String) -> Bool {
        var status = statvfs()
        return unsafe statvfs(path, &status) == 0 && status.f_bavail * status.f_frsize < 64 * 4096
    }
}
