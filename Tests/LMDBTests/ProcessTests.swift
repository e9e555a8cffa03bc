// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import TestSupport
import Testing

/// Several processes on one file. The other processes are children of exit tests.
@Suite struct ProcessTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func processesWriteInTurns() async throws {
        let path = folder.database
        let environment = try Environment.openForTest(path, mapSize: 1 << 17)
        let store = try environment.openStores(["s"], create: true)[0]
        async let first: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try count(to: 150, in: path, mapSize: 1 << 16)
            }
        }()
        async let second: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try count(to: 150, in: path, mapSize: 1 << 30)
            }
        }()
        try count(to: 150, environment, store)
        _ = await (first, second)
        #expect(try environment.get(store, utf8("count")).map(number) == 450)
        // Each count left a large entry, so the others' maps had to grow too (MDB_MAP_RESIZED).
        #expect(try environment.statistics(of: store).entries == 451)
    }

    @Test func aKilledReadersSlotIsCleared() async throws {
        let environment = try Environment.openForTest(folder.database)
        _ = try environment.openStores(["s"], create: true)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            environment.readOrDie { (_: borrowing ReadTransaction) in kill(getpid(), SIGKILL) }
        }
        #expect(environment.clearStaleReaders() == 1)
        #expect(environment.clearStaleReaders() == 0)
    }

    @Test func fullReaderSlotsAreClearedOfTheDeadOnce() async throws {
        let options = Environment.Options(mapSize: 1 << 20, maximumReaders: 3, durability: .mayLoseDatabase)
        let environment = try Environment.open(folder.database, options)
        for _ in 0..<2 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.database as String] in
                // Opened without the check at open, as if the process had died later. The file stays open here.
                let environment = try Environment.openForTest(path)
                environment.readOrDie { (_: borrowing ReadTransaction) in
                    environment.readOrDie { (_: borrowing ReadTransaction) in kill(getpid(), SIGKILL) }
                }
            }
        }
        try nestReads(environment, depth: 3)
        expectFailure(.readersFull) { try nestReads(environment, depth: 4) }
    }

    @Test func aKilledWriterLeavesTheLastCommit() async throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, [1], [1])
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            let store = try environment.openStores(["s"], create: false)[0]
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                try transaction.put(store, bytes(1).span.bytes, bytes(2).span.bytes)
                kill(getpid(), SIGKILL)
            }
        }
        #expect(try environment.get(store, [1]) == [1])
        try environment.put(store, [1], [3])
        #expect(try environment.get(store, [1]) == [3])
    }

    /// LMDB tells readers of a commit last, when it is in the file.
    @Test func aKilledWritersCommitIsShown() async throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, [1], [1])
        try environment.put(store, [1], [2])
        let last = environment.info.lastTransactionID
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            try environment.write { (_: inout WriteTransaction) throws(LMDBError) in _ = kill(getpid(), SIGKILL) }
        }
        setReadCommit(last - 1, of: folder.database)
        #expect(try environment.get(store, [1]) == [1])
        try environment.showLastCommit()
        #expect(try environment.get(store, [1]) == [2])
        #expect(environment.info.lastTransactionID == last)
    }
}

private func nestReads(_ environment: Environment, depth: Int) throws(LMDBError) {
    guard depth > 0 else { return }
    try environment.read { (_: borrowing ReadTransaction) throws(LMDBError) in
        try nestReads(environment, depth: depth - 1)
    }
}

private func count(to limit: Int, in path: String, mapSize: Int) throws {
    let environment = try Environment.openForTest(path, mapSize: mapSize)
    try count(to: limit, environment, environment.openStores(["s"], create: false)[0])
}

private func count(to limit: Int, _ environment: Environment, _ store: Store) throws {
    for _ in 0..<limit {
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            let key = utf8("count")
            var old = 0
            if let value = try transaction.get(store, key.span.bytes) { old = number(value) }
            let filler = [UInt8](repeating: 1, count: 5000)
            try transaction.put(store, key.span.bytes, bigEndian(old + 1).span.bytes)
            try transaction.put(store, bigEndian(old).span.bytes, filler.span.bytes)
        }
    }
}
