// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import TestSupport
import Testing

/// A file or lock file that is removed or replaced while the database is open. Two processes with different lock files
/// would both be the writer.
@Suite struct PlaceTests {
    let folder: TemporaryDirectory
    let environment: Environment
    let store: Store

    init() throws {
        folder = try TemporaryDirectory()
        environment = try Environment.open(folder.database, .init(mapSize: 1 << 20))
        store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, [1], [1])
    }

    private var lockFile: String { folder.path("database-lock") }

    @Test func withoutItsLockFileNothingIsWritten() async throws {
        #expect(unlink(lockFile) == 0)
        expectFailure(.displaced) { try environment.put(store, [1], [2]) }
        // Who came now would make a new lock file, and not know of this process's reads.
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            expectFailure(.otherLockFile) { try Environment.open(path, .init(mapSize: 1 << 20)) }
        }
        expectFailure(.displaced) { try environment.put(store, [1], [3]) }
        let other = try #require(try valueInAnotherProcess)
        #expect(other == 1)
    }

    /// The value that a process sees which opens the file now. This process cannot, because it has the file open.
    private var valueInAnotherProcess: UInt8? {
        get throws {
            let copy = folder.path("copy")
            let bytes = try contents(of: folder.database)
            try write(bytes, to: copy)
            let environment = try Environment.open(copy, .init(mapSize: 1 << 20))
            return try environment.get(try environment.openStores(["s"], create: false)[0], [1])?.first
        }
    }

    @Test(arguments: ["removed", "renamed", "replaced"]) func anExchangedFileIsNotWritten(how: String) throws {
        let bytes = try contents(of: folder.database)
        switch how {
        case "removed": #expect(unlink(folder.database) == 0)
        case "renamed": #expect(rename(folder.database, folder.path("elsewhere")) == 0)
        default:
            try write(bytes, to: folder.path("other"))
            #expect(rename(folder.path("other"), folder.database) == 0)
        }
        expectFailure(.displaced) { try environment.put(store, [1], [2]) }
        #expect(try environment.get(store, [1]) == [1])
        if how == "replaced" { #expect(try contents(of: folder.database) == bytes) }
    }

    @Test func anExchangeDuringAWriteIsNoticed() throws {
        expectFailure(.displaced) {
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                try transaction.put(store, bytes(1).span.bytes, bytes(2).span.bytes)
                unlink(lockFile)
            }
        }
        #expect(try environment.get(store, [1]) == [1])
    }

    /// A client may get the lock of a file that another has replaced meanwhile.
    @Test(arguments: ["removed", "replaced"]) func noClientEntersADisplacedFile(how: String) throws {
        var first = try environment.clientLocks()
        let second = try #require(try environment.clientLocks())
        try write(try contents(of: folder.database), to: folder.path("other"))
        if how == "removed" {
            Environment.remove(folder.database)
        } else {
            try Environment.replace(folder.database, by: folder.path("other"), keepingAs: nil)
        }
        expectFailure(.displaced) { try first?.enter() }
        first = nil
        expectFailure(.displaced) { try second.enterAlone() }
        #expect(try environment.clientLocks() == nil)
        #expect(try folder.names().contains("database") == (how == "replaced"))
    }

    /// A temporary database is unlinked on purpose.
    @Test func aTemporaryDatabaseNeedsNoName() throws {
        let environment = try Environment.openForTest(folder.path("temporary"))
        let store = try environment.openStores(["s"], create: true)[0]
        unlink(folder.path("temporary"))
        unlink(folder.path("temporary-lock"))
        try environment.put(store, [1], [2])
        #expect(try environment.get(store, [1]) == [2])
    }
}
