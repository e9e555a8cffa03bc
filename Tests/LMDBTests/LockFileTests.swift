// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// Processes that open a database while another replaces it. The other process is a lock of this one's on the lock file.
@Suite(.timeLimit(.minutes(5))) struct LockFileTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var lockFile: String { folder.path("database-lock") }

    /// A database with so many commits, the last of which put a value.
    private func make(_ name: String, commits: Int, value: UInt8) throws {
        let environment = try Environment.openForTest(folder.path(name))
        let store = try environment.openStores(["s"], create: true)[0]
        while environment.info.lastTransactionID < commits { try environment.put(store, [1], [value]) }
    }

    private func value(_ environment: Environment) throws -> UInt8? {
        try environment.get(try environment.openStores(["s"], create: false)[0], [1])?.first
    }

    /// An opener waits two seconds for another process to end a replacement: those of all databases wait together.
    @Test func aNumberOfAnotherDatabaseIsRefused() throws {
        var refusals: [(path: String, other: LockHolder, opening: Opening)] = []
        for difference in [-10, -2, 1, 2, 100] {
            for readOnly in [true, false] {
                let name = "database\(difference)-\(readOnly)"
                try make(name, commits: 10, value: 7)
                let other = try LockHolder(folder.path("\(name)-lock"), exclusively: false)
                setReadCommit(10 + difference, of: folder.path(name))
                refusals.append((folder.path(name), other, Opening(folder.path(name), readOnly: readOnly)))
            }
        }
        for (path, other, opening) in refusals {
            expectFailure(.foreignLockFile) { try opening.result() }
            other.release()
            let environment = try Environment.openForTest(path)
            #expect(environment.info.lastTransactionID == 10, "\(path)")
            #expect(try value(environment) == 7)
            try environment.put(try environment.openStores(["s"], create: false)[0], [1], [8])
            #expect(try value(environment) == 8)
        }
    }

    /// Whoever opens the database first makes the lock file, such as root with `hearth query`, who locked the owner out.
    @Test(arguments: [0o600, 0o640, 0o660] as [mode_t]) func aNewOneIsForWhomTheDatabaseIsFor(mode: mode_t) throws {
        try make("database", commits: 2, value: 7)
        unlink(lockFile)
        // Others than root cannot give a file away.
        if geteuid() == 0 { chown(folder.database, 12_345, 23_456) }
        chmod(folder.database, mode)
        #expect(try value(.openForTest(folder.database, readOnly: true)) == 7)
        var (database, lock) = (stat(), stat())
        stat(folder.database, &database)
        stat(lockFile, &lock)
        #expect(lock.st_uid == database.st_uid && lock.st_gid == database.st_gid)
        #expect(lock.st_mode & 0o777 == mode)
    }

    /// A reader who may change the folder is not refused, and does not lock the owner out, whom a mode cannot name alone.
    @Test(.enabled(if: geteuid() == 0), arguments: [(0, 0o644), (12_345, 0o666)] as [(uid_t, mode_t)])
    func aReadersNewOneIsForTheOwnerToo(owner: uid_t, mode: mode_t) async throws {
        try make("database", commits: 2, value: 7)
        unlink(lockFile)
        let reader: uid_t = 23_456
        // Root of a container may have no other users.
        guard chown(folder.url.path, reader, reader) == 0 else { return }
        chown(folder.database, owner, owner)
        chmod(folder.database, 0o644)
        await #expect(processExitsWith: .success) { [path = folder.database as String, reader = reader as uid_t] in
            become(reader)
            _ = try Environment.openForTest(path, readOnly: true)
        }
        var lock = stat()
        stat(lockFile, &lock)
        #expect(lock.st_uid == reader && lock.st_mode & 0o777 == mode)
        await #expect(processExitsWith: .success) { [path = folder.database as String, owner = owner as uid_t] in
            become(owner)
            _ = try Environment.openForTest(path)
        }
    }

    /// A number one too small is also that of a commit that has not returned.
    @Test func theLastCommitIsNotOverwritten() throws {
        try make("database", commits: 10, value: 7)
        let other = try LockHolder(lockFile, exclusively: false)
        setReadCommit(9, of: folder.database)
        var environment: Environment? = try .openForTest(folder.database)
        let store = try environment!.openStores(["s"], create: false)[0]
        expectFailure(.foreignLockFile) { try environment!.put(store, [1], [8]) }
        environment = nil
        other.release()
        #expect(try value(.openForTest(folder.database)) == 7)
    }

    /// Of two containers, which number their processes each for itself.
    @Test(arguments: [false, true]) func aProcessWithTheSameIDIsRefused(readOnly: Bool) throws {
        try make("database", commits: 2, value: 7)
        // As the other process locks the byte of its ID.
        let other = try LockHolder(lockFile, exclusively: true, byte: Int(getpid()))
        expectFailure(.sharedProcessID) {
            let environment = try Environment.openForTest(folder.database, readOnly: readOnly)
            try environment.read { (_) throws(LMDBError) in }
        }
        other.release()
        #expect(try value(.openForTest(folder.database)) == 7)
    }

    /// Two writers who do not know of each other would write over each other's commits.
    @Test(arguments: [false, true]) func aSecondNameIsRefused(readOnly: Bool) async throws {
        try make("database", commits: 2, value: 7)
        let other = folder.path("other")
        #expect(link(folder.database, other) == 0)
        var environment: Environment? = try .openForTest(folder.database, readOnly: readOnly)
        await #expect(processExitsWith: .success) { [other = other as String, path = folder.database as String] in
            expectFailure(.otherLockFile) { try Environment.openForTest(other) }
            expectFailure(.otherLockFile) { try Environment.openForTest(other, readOnly: true) }
            _ = try Environment.openForTest(path)
        }
        #expect(environment?.path == folder.database)
        environment = nil
        await #expect(processExitsWith: .success) { [other = other as String] in
            let environment = try Environment.openForTest(other)
            try environment.put(try environment.openStores(["s"], create: false)[0], [1], [8])
        }
        #expect(try value(.openForTest(folder.database)) == 8)
    }

    @Test func anAuditOfAStateWithoutAHeaderEnds() throws {
        try make("database", commits: 10, value: 7)
        let environment = try Environment.openForTest(folder.database)
        setReadCommit(14, of: folder.database)
        #expect(try environment.auditPages().count == 1)
    }

    /// Opens a database of ten commits, which `exchange` replaces by "new" while the opener waits for another process's lock.
    private func openDuringExchange(readOnly: Bool, _ exchange: () throws -> Void) async throws -> Environment {
        try make("database", commits: 10, value: 7)
        let other = try LockHolder(lockFile, exclusively: true)
        let opening = Opening(folder.database, readOnly: readOnly)
        try await wait(for: "an opener at the lock") { try other.hasWaiter }
        try exchange()
        other.release()
        return try opening.result()
    }

    /// As `hearth push` exchanges it.
    @Test(arguments: [true, false])
    func whoWaitsForAnExchangeOpensTheNewFile(readOnly: Bool) async throws {
        try make("new", commits: 25, value: 8)
        let environment = try await openDuringExchange(readOnly: readOnly) {
            #expect(rename(folder.path("new"), folder.database) == 0)
        }
        // Opened before the exchange, the old file is the right one.
        #expect(try value(environment) == 8)
        #expect(environment.info.lastTransactionID == 25)
    }

    /// The two files are replaced one after the other: nobody stays with the old lock file.
    @Test(arguments: [true, false])
    func whoOpensDuringAReplacementHasANewPair(readOnly: Bool) async throws {
        // One number could be either's.
        try make("new", commits: 10, value: 8)
        let environment = try await openDuringExchange(readOnly: readOnly) {
            try Environment.replace(folder.database, by: folder.path("new"), keepingAs: nil)
        }
        #expect(try value(environment) == 8)
        #expect(throws: LockHolder.Taken.self) { try LockHolder(lockFile, exclusively: true) }
        withExtendedLifetime(environment) {}
    }
}

/// Goes on as a user who has one group of his own.
private func become(_ user: uid_t) {
    setgroups(0, nil)
    setgid(user)
    setuid(user)
}

/// An opening on a thread of its own.
private final class Opening: @unchecked Sendable {  // The result is set before the group is left.
    private var outcome: Result<Environment, any Error>?
    private let group = DispatchGroup()

    init(_ path: String, readOnly: Bool) {
        DispatchQueue(label: "opening").async(group: group) { [self] in
            outcome = Result { try Environment.openForTest(path, readOnly: readOnly) }
        }
    }

    func result() throws -> Environment {
        group.wait()
        return try #require(outcome).get()
    }
}

/// Holds a lock as another process would, by default that of LMDB's openers: it belongs to a descriptor.
private final class LockHolder {
    struct Taken: Error {}

    private let descriptor: Int32
    private let inode: ino_t
    private let byte: Int

    init(_ path: String, exclusively: Bool, byte: Int = 0) throws {
        self.byte = byte
        // Never closed: that would release the locks that LMDB has in this process.
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        var status = stat()
        fstat(descriptor, &status)
        inode = status.st_ino
        guard set(exclusively ? F_WRLCK : F_RDLCK) else { throw Taken() }
    }

    func release() { _ = set(F_UNLCK) }

    private func set(_ kind: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = byte
        lock.l_len = 1
        // F_OFD_SETLK
        return fcntl(descriptor, 37, &lock) == 0
    }

    /// Whether somebody waits for a lock on the file.
    var hasWaiter: Bool {
        get throws {
            let text = String(decoding: try contents(ofUnsized: "/proc/locks"), as: UTF8.self)
            return text.split(separator: "\n").contains { $0.contains("->") && $0.contains(":\(inode) ") }
        }
    }
}

private func contents(ofUnsized path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var end = 0
    while true {
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + end, $0.count - end) }
        guard count > 0 else { return Array(bytes.prefix(end)) }
        end += count
    }
}
