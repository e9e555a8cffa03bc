// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// The identity of a file, whatever its names.
struct FileIdentity: Hashable, Sendable {
    let device: UInt
    let inode: UInt
}

extension FileIdentity {
    /// Nil if there is no file.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file.
    init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    fileprivate init(_ status: stat) { self.init(device: status.st_dev, inode: status.st_ino) }

    /// Whether there is another file at a path, or none. False where the path cannot be looked up.
    func isDisplaced(from path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR }
        return self != FileIdentity(status)
    }
}

struct LocatedFile: Sendable {
    let path: String
    let identity: FileIdentity
}

/// The database file before LMDB opens it.
enum DatabaseFile {
    /// Finds the file at `path`; creates an empty database there if it is missing and `create` is set.
    static func locate(_ path: String, create: Bool) throws(LMDBError) -> LocatedFile {
        guard !path.utf8.contains(0) else { throw LMDBError(ENOENT, .open, path: path) }
        if let resolved = resolve(path) { return try check(resolved) }
        guard errno == ENOENT, create else { throw LMDBError(errno, .open, path: path) }
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty else { throw LMDBError(path.isEmpty ? ENOENT : EISDIR, .open, path: path) }
        guard let parent = resolve(folder(of: path)) else { throw LMDBError(errno, .create, path: path) }
        try DatabaseDraft.create(name, in: parent)
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
        return LocatedFile(path: path, identity: FileIdentity(status))
    }

    /// Syncs the folder, so that a new name in it survives power loss.
    static func synchronizeFolder(_ folder: String) throws(LMDBError) {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, .synchronize, path: folder) }
        defer { close(descriptor) }
        // Some file systems cannot sync folders and return EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw LMDBError(errno, .synchronize, path: folder) }
    }

    /// Whether the file system has less free space than LMDB's smallest write that can be short.
    static func isDiskFull(at path: String) -> Bool {
        var status = statvfs()
        return unsafe statvfs(path, &status) == 0 && status.f_bavail * status.f_frsize < 64 * 4096
    }
}
