// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import LMDB

/// A database file is removed only by who is alone with it and knows its last commit.
@Suite struct RemovalTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Only while nobody has the file open, and with the last commit that the caller knows of.
    @Test func aFileIsRemovedUnlessItIsOpenOrChanged() throws {
        func remove(_ commit: Environment.LastCommit) throws -> Bool {
            try Environment.remove(folder.database, ifLastCommitIs: commit)
        }
        let commits = try {
            let environment = try Environment.openForTest(folder.database)
            let store = try environment.openStores(["s"], create: true)[0]
            let commit = environment.lastCommit
            #expect(try !remove(commit))
            try environment.put(store, [1], [2])
            return (known: commit, last: environment.lastCommit)
        }()
        #expect(try !remove(commits.known))
        #expect(try folder.names() == ["database", "database-lock"])
        #expect(try remove(commits.last))
        #expect(try folder.names() == [])
        #expect(try !remove(commits.last))
        #expect(try Environment.openForTest(folder.database).info.lastTransactionID == 0)
    }

    /// Another one may have as many commits.
    @Test func anotherFileIsNotRemoved() throws {
        let commit = try Environment.openForTest(folder.database).lastCommit
        #expect(try Environment.openForTest(folder.path("new")).lastCommit.number == commit.number)
        try Environment.replace(folder.database, by: folder.path("new"), keepingAs: nil)
        #expect(try !Environment.remove(folder.database, ifLastCommitIs: commit))
        #expect(try folder.names() == ["database"])
    }

    /// Others may have removed both files and made them anew.
    @Test func aLockFileThatWasReplacedKeepsNobodyAway() throws {
        _ = try Environment.openForTest(folder.database)
        let descriptor = try #require(LockFile.open(for: folder.database))
        defer { close(descriptor) }
        #expect(try LockFile.lockAlone(descriptor, of: folder.database))
        unlink(folder.path("database-lock"))
        #expect(try !LockFile.lockAlone(descriptor, of: folder.database))
    }
}
