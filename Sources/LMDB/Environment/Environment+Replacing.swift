// SPDX-License-Identifier: Apache-2.0

extension Environment {
    /// Puts a new database file in the place of another one, at once and durably. Neither may be open in this process.
    ///
    /// A process that has the old file open keeps it, with its own lock file, until it opens the path again.
    ///
    /// - Parameter kept: the name that the old file gets beside, in place of an earlier file of that name; nil to delete it.
    package static func replace(_ path: String, by new: String, keepingAs kept: String?) throws(LMDBError) {
        if let kept {
            System.remove(kept)
            guard System.link(path, as: kept) == 0 else { throw LMDBError(System.lastError, .create, path: kept) }
        }
        // Locks of those who have the old file open mean nothing for the new one.
        System.remove(LockFile.path(path))
        System.remove(LockFile.path(new))
        guard System.rename(new, to: path) == 0 else { throw LMDBError(System.lastError, .create, path: path) }
        try DatabaseFile.synchronizeFolder(DatabaseFile.folder(of: path))
    }

    /// Removes a database file that is not open, if there is one.
    package static func remove(_ path: String) {
        System.remove(path)
        System.remove(LockFile.path(path))
    }
}
