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

    /// Removes a database file that no other process has open, if there is one.
    package static func remove(_ path: String) {
        System.remove(path)
        System.remove(LockFile.path(path))
    }

    /// A state of a file, whatever is at its path later.
    package struct LastCommit: Equatable, Sendable {
        let file: FileIdentity
        package let number: Int
    }

    package var lastCommit: LastCommit { commit(numbered: info.lastTransactionID) }

    /// An earlier state of the file.
    package func commit(numbered number: Int) -> LastCommit { LastCommit(file: file, number: number) }

    /// The state of a file that this process does not have open, without opening it; nil if it cannot be read.
    package static func lastCommit(ofClosed path: String) -> LastCommit? {
        guard let path = System.resolve(path), let file = FileIdentity(of: path),
            let number = try? FileHeader.check(path)
        else { return nil }
        return LastCommit(file: file, number: number)
    }

    /// Whether the file is not at its path any more: closed, it could not be opened again.
    package var isDisplaced: Bool { file.isDisplaced(from: path) }

    /// Removes a database file that nobody has open and nobody has changed. Who opens it meanwhile finds the whole file or none.
    ///
    /// - Parameter commit: the last one that the caller knows of.
    /// - Returns: whether it was removed. It was not if a process has it open, others have committed since, or there is another file
    ///   or none.
    package static func remove(_ path: String, ifLastCommitIs commit: LastCommit) throws(LMDBError) -> Bool {
        guard let path = System.resolve(path) else { return false }
        return try EnvironmentRegistry.remove(path, ifLastCommitIs: commit)
    }

    /// - Parameter path: one without symbolic links, of a file that this process does not have open.
    static func removeClosed(_ path: String, ifLastCommitIs commit: LastCommit) throws(LMDBError) -> Bool {
        // Whoever opens the file meanwhile finds that it was displaced.
        try LockFile.whileAlone(path) { () throws(LMDBError) -> Bool in
            guard FileIdentity(of: path) == commit.file, try FileHeader.check(path) == commit.number else {
                return false
            }
            remove(path)
            return true
        } ?? false
    }
}

extension Environment {
    package enum Exchange: Sendable {
        case made
        /// Another process has the file open.
        case isOpen
        /// Others have committed since.
        case isChanged
    }

    /// Puts a new database file in the place of one that nobody has open and nobody has changed, in one step and durably: whoever
    /// opens the path finds the old or the new file, also after a crash. Neither may be open in this process.
    ///
    /// - Parameters:
    ///   - new: its name is gone afterwards.
    ///   - kept: the name that the old file gets. There must be no such file.
    ///   - transaction: the last commit of the old file that the new one knows of.
    /// - Returns: whether it was made. If not, both files are as they were.
    package static func exchange(
        _ path: String, with new: String, keepingAs kept: String, ifLastCommitIs transaction: Int
    ) throws(LMDBError) -> Exchange {
        guard let path = System.resolve(path) else { throw LMDBError(System.lastError, .open, path: path) }
        // Who has committed before has closed the file, and is found by the number of the commit.
        return try LockFile.whileAlone(path) { () throws(LMDBError) -> Exchange in
            guard try FileHeader.check(path) == transaction else { return .isChanged }
            guard System.link(path, as: kept) == 0 else { throw LMDBError(System.lastError, .create, path: kept) }
            guard System.rename(new, to: path) == 0 else {
                let reason = System.lastError
                System.remove(kept)
                throw LMDBError(reason, .create, path: path)
            }
            System.remove(LockFile.path(new))
            try DatabaseFile.synchronizeFolder(DatabaseFile.folder(of: path))
            return .made
        } ?? .isOpen
    }

    /// Tries what ``exchange(_:with:keepingAs:ifLastCommitIs:)`` does to the folder, and leaves it as it was.
    ///
    /// - Parameter kept: the name that the old file would get.
    /// - Throws: if the exchange would fail now, as in a folder that this user may not change.
    package static func tryExchange(_ path: String, keepingAs kept: String) throws(LMDBError) {
        guard let path = System.resolve(path), let file = System.status(of: path),
            let folder = System.status(of: DatabaseFile.folder(of: path))
        else { throw LMDBError(System.lastError, .open, path: path) }
        guard System.mayRemove(file, from: folder) else {
            throw LMDBError(code: .permissionDenied, operation: .create, path: path)
        }
        guard System.link(path, as: kept) == 0 else { throw LMDBError(System.lastError, .create, path: kept) }
        System.remove(kept)
    }
}
