// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

struct LocatedFile: Sendable {
    let path: String
    let identity: FileIdentity
}

/// The database file before LMDB opens it.
enum DatabaseFile {
    /// Finds the file at `path`; creates an empty database there if it is missing and `create` is set.
    static func locate(_ path: String, create: Bool) throws(LMDBError) -> LocatedFile {
        guard !path.utf8.contains(0) else { throw LMDBError(ENOENT, .open, path: path) }
        if let resolved = System.resolve(path) { return try check(resolved) }
        guard System.lastError == ENOENT, create else { throw LMDBError(System.lastError, .open, path: path) }
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty else { throw LMDBError(path.isEmpty ? ENOENT : EISDIR, .open, path: path) }
        guard let parent = System.resolve(folder(of: path)) else {
            throw LMDBError(System.lastError, .create, path: path)
        }
        try DatabaseDraft.create(name, in: parent)
        guard let resolved = System.resolve(path) else { throw LMDBError(System.lastError, .open, path: path) }
        return try check(resolved)
    }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    private static func check(_ path: String) throws(LMDBError) -> LocatedFile {
        guard let status = System.status(of: path) else { throw LMDBError(System.lastError, .open, path: path) }
        switch status.kind {
        case .file: break
        case .folder: throw LMDBError(EISDIR, .open, path: path)
        case .other: throw LMDBError(code: .notAFile, operation: .open, path: path)
        }
        guard status.size > 0 else { throw LMDBError(code: .emptyFile, operation: .open, path: path) }
        return LocatedFile(path: path, identity: FileIdentity(status))
    }

    /// Syncs the folder, so that a new name in it survives power loss.
    static func synchronizeFolder(_ folder: String) throws(LMDBError) {
        let descriptor = System.open(folder, .folder)
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .synchronize, path: folder) }
        defer { System.close(descriptor) }
        // Some file systems cannot sync folders and return EINVAL.
        guard System.synchronize(descriptor) == 0 || System.lastError == EINVAL else {
            throw LMDBError(System.lastError, .synchronize, path: folder)
        }
    }

    /// Whether there is less space for an open database than LMDB's smallest write that can be short.
    ///
    /// The free space does not tell of a share of the disk that is used up. Room behind the file's end is counted as its pages are, and
    /// where there is some, the next pages have it.
    static func isDiskFull(at path: String, _ descriptor: Int32) -> Bool {
        let write = 64 * 4096
        if let free = System.freeSpace(at: path), free < write { return true }
        guard let file = System.status(of: descriptor) else { return false }
        return System.lacksRoom(descriptor, file.size, write)
    }
}
