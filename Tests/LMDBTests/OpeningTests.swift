// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LMDB

@Suite struct OpeningTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func aFileUnderAnyNameIsOneEnvironment() throws {
        let environment = try Environment.openForTest(folder.database)
        symlink(folder.database, folder.path("soft"))
        link(folder.database, folder.path("hard"))
        for name in ["database", "soft", "hard", "../" + folder.url.lastPathComponent + "/database"] {
            #expect(try Environment.openForTest("\(folder.url.path)/\(name)") === environment, "\(name)")
        }
        #expect(try folder.names() == ["database", "database-lock", "hard", "soft"])
    }

    @Test func aClosedFileOpensAgainWithItsData() throws {
        var environment: Environment? = try .openForTest(folder.database)
        var store = try environment!.openStores(["s"], create: true)[0]
        try environment!.put(store, [1], [2])
        environment = nil
        environment = try .openForTest(folder.database)
        store = try environment!.openStores(["s"], create: false)[0]
        #expect(try environment!.get(store, [1]) == [2])
    }

    /// A draft left by a killed creation is removed; a draft that another process is writing is not.
    @Test func whatKilledCreationsLeftIsRemoved() throws {
        try write("database.creating-000000", utf8("half a database"))
        try write("database.creating-000001", utf8("half a database"))
        try write("database.creating", utf8("somebody else's"))
        let other = open(folder.path("database.creating-000001"), O_RDONLY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, [1], [2])
        #expect(try environment.get(store, [1]) == [2])
        #expect(
            try folder.names() == ["database", "database-lock", "database.creating", "database.creating-000001"])
    }

    /// Where there are no hard links, a new database gets its name so: another process's is kept.
    @Test func aRenamedDraftReplacesNothing() throws {
        try write("draft", utf8("own"))
        try write("taken", utf8("other"))
        #expect(System.rename(folder.path("draft"), toNew: folder.path("taken")) < 0 && System.lastError == EEXIST)
        #expect(System.rename(folder.path("draft"), toNew: folder.path("free")) == 0)
        #expect(try folder.names() == ["free", "taken"])
        #expect(try LMDBTests.contents(of: folder.path("taken")) == utf8("other"))
    }

    @Test func manyThreadsOpeningAndClosingGetWorkingEnvironments() async throws {
        let path = folder.database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<40 {
                        let environment = try Environment.openForTest(path)
                        let store = try environment.openStores(["s"], create: true)[0]
                        try environment.put(store, [UInt8(task)], [1])
                    }
                }
            }
            try await group.waitForAll()
        }
        let environment = try Environment.openForTest(path)
        #expect(try environment.statistics(of: environment.openStores(["s"], create: false)[0]).entries == 8)
    }

    /// Only while nobody has the file open, and with the last commit that the new one knows of; at the end of a link, too.
    @Test func aFileIsExchangedUnlessItIsOpenOrChanged() throws {
        symlink(folder.database, folder.path("soft"))
        func exchange(_ commit: Int) throws -> Environment.Exchange {
            try Environment.exchange(
                folder.path("soft"), with: folder.path("new"), keepingAs: folder.path("kept"), ifLastCommitIs: commit)
        }
        _ = try Environment.openForTest(folder.path("new"))
        let commits = try {
            let environment = try Environment.openForTest(folder.database)
            let store = try environment.openStores(["s"], create: true)[0]
            try environment.put(store, [1], [2])
            let commit = environment.info.lastTransactionID
            #expect(try exchange(commit) == .isOpen)
            try environment.put(store, [1], [3])
            return (known: commit, last: environment.info.lastTransactionID)
        }()
        let before = try folder.names()
        try Environment.tryExchange(folder.path("soft"), keepingAs: folder.path("kept"))
        expectFailure(.noSuchFile) {
            try Environment.tryExchange(folder.database, keepingAs: folder.path("none/kept"))
        }
        expectFailure(.fileExists) { try Environment.tryExchange(folder.database, keepingAs: folder.path("new")) }
        #expect(commits.last == commits.known + 1)
        #expect(try exchange(commits.known) == .isChanged)
        #expect(try folder.names() == before)
        #expect(try exchange(commits.last) == .made)
        #expect(try folder.names() == ["database", "database-lock", "kept", "soft"])
        let kept = try Environment.openForTest(folder.path("kept"))
        #expect(try kept.get(kept.openStores(["s"], create: false)[0], [1]) == [3])
        #expect(try Environment.openForTest(folder.database).info.lastTransactionID == 0)
    }

    @Test func filesAreForTheOwnerOnly() throws {
        let old = umask(0)
        defer { umask(old) }
        let environment = try Environment.openForTest(folder.database)
        try environment.copy(to: folder.path("copy"), compacting: false)
        for name in ["database", "database-lock", "copy"] {
            var status = stat()
            stat(folder.path(name), &status)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test func otherOptionsForAnOpenFileAreRefused() throws {
        let environment = try Environment.openForTest(folder.database)
        expectFailure(.openedDifferently) { try Environment.openForTest(folder.database, readOnly: true) }
        expectFailure(.openedDifferently) { try Environment.open(folder.database) }
        #expect(environment.info.pageSize > 0)
    }

    @Test func readingOnlyLeavesTheFileAlone() throws {
        var environment: Environment? = try .openForTest(folder.database)
        let store = try environment!.openStores(["s"], create: true)[0]
        try environment!.put(store, [1], [2])
        environment = nil
        let before = try contents()
        environment = try .openForTest(folder.database, readOnly: true)
        let again = try environment!.openStores(["s"], create: true)[0]
        #expect(try environment!.get(again, [1]) == [2])
        expectFailure(.noSuchStore) { try environment!.openStores(["t"], create: true) }
        expectFailure(.readOnlyEnvironment) { try environment!.put(again, [1], [3]) }
        environment = nil
        #expect(try contents() == before)
    }

    @Test func whatIsNoDatabaseIsRefusedWithItsReason() throws {
        try write("text", utf8(String(repeating: "not a database ", count: 1000)))
        try write("short", utf8("x"))
        try write("empty", [])
        mkfifo(folder.path("pipe"), 0o600)
        symlink("nowhere", folder.path("dangling"))
        defer { unlink(folder.path("pipe")) }
        let cases: [(String, LMDBErrorCode)] = [
            ("/text", .invalid), ("/short", .invalid), ("/empty", .emptyFile), ("/pipe", .notAFile), ("", .isDirectory),
            ("/", .isDirectory), ("/none/database", .noSuchFile), ("/text/database", .notADirectory),
            ("/a\0b", .noSuchFile), ("/dangling", .noSuchFile),
        ]
        for (name, code) in cases {
            expectFailure(code) { try Environment.openForTest(folder.url.path + name) }
        }
        // No file is left beside another program's file.
        #expect(try folder.names() == ["dangling", "empty", "pipe", "short", "text"])
        expectFailure(.noSuchFile) { try Environment.openForTest("") }
        expectFailure(.noSuchFile) { try Environment.openForTest(folder.path("new"), readOnly: true) }
        expectFailure(.readOnlyFileSystem, .permissionDenied, .noSuchFile) { try Environment.openForTest("/proc/new") }
    }

    @Test func anotherFormatVersionIsRefused() throws {
        _ = try Environment.openForTest(folder.database)
        var bytes = try contents()
        // The version follows the four bytes of the magic number behind each page's header.
        for page in [0, 4096] { bytes[page + 20] = 77 }
        try write("database", bytes)
        expectFailure(.versionMismatch) { try Environment.openForTest(folder.database) }
    }

    @Test func everyCutOfAFileIsNoticedAtOpen() throws {
        var environment: Environment? = try .openForTest(folder.database)
        let store = try environment!.openStores(["s"], create: true)[0]
        for round in 0..<30 {
            try environment!.put(store, bigEndian(round), [UInt8](repeating: 1, count: 3000))
        }
        environment = nil
        let whole = try contents()
        for pages in 0..<whole.count / 4096 {
            try write("cut", Array(whole.prefix(pages * 4096)))
            expectFailure(pages == 0 ? .emptyFile : .corrupted) { try Environment.openForTest(folder.path("cut")) }
        }
        try write("cut", Array(whole.prefix(100)))
        expectFailure(.corrupted) { try Environment.openForTest(folder.path("cut")) }
        try write("cut", [UInt8](repeating: 0, count: 4096) + whole.dropFirst(4096))
        expectFailure(.corrupted) { try Environment.openForTest(folder.path("cut")) }
        try write("cut", whole)
        #expect(try Environment.openForTest(folder.path("cut")).info.pages == whole.count / 4096)
    }

    /// Closing a lock file after reading it would release the locks on it.
    @Test func aLockFileIsNoDatabase() async throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        #expect(try environment.get(store, [1]) == nil)
        expectFailure(.invalid) { try Environment.openForTest(folder.path("database-lock")) }
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            // Without the locks, this process would take itself for the first one and clear the table.
            try #require(try Environment.openForTest(path).info.readers > 1)
        }
    }

    /// Dispatch ends the process if it cannot open the few files that it needs.
    @Test func tooManyOpenFilesAreAnError() async throws {
        let path = folder.database
        await #expect(processExitsWith: .success) { [path = path as String] in
            let free = dup(0)
            close(free)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(7), &limit)
            limit.rlim_cur = rlim_t(free)
            var environment: Environment?
            while environment == nil, limit.rlim_cur < limit.rlim_max {
                limit.rlim_cur += 1
                try #require(setrlimit(__rlimit_resource_t(7), &limit) == 0)
                do {
                    environment = try Environment.openForTest(path)
                } catch let error as LMDBError {
                    try #require(error.code == .tooManyFiles)
                }
            }
            // Opened with as few as possible, the database leaves some for Dispatch.
            var spare = 0
            while dup(0) >= 0 { spare += 1 }
            try #require(environment != nil && spare >= 8)
        }
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = try #require(fopen(folder.path(name), "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    private func contents() throws -> [UInt8] {
        let file = try #require(fopen(folder.database, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 24)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}

/// Expects an error of the store with one of the codes.
func expectFailure<R>(
    _ codes: LMDBErrorCode..., sourceLocation: SourceLocation = #_sourceLocation, body: () throws -> R
) {
    do {
        _ = try body()
        Issue.record("no error where \(codes) was due", sourceLocation: sourceLocation)
    } catch let error as LMDBError {
        #expect(codes.contains(error.code), "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
}
