// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import TestSupport
import Testing

/// Programming errors stop the program and name the broken rule.
@Suite struct MisuseTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func writingInsideARead() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            environment.readOrDie { (_: borrowing ReadTransaction) in
                environment.writeOrDie { (_: inout WriteTransaction) in }
            }
        }
        expectRule("A write was begun inside a read of the same database on the same thread.", result)
    }

    @Test func writingInsideAWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            environment.writeOrDie { (_: inout WriteTransaction) in
                environment.writeOrDie { (_: inout WriteTransaction) in }
            }
        }
        expectRule("A write was begun inside a write of the same database on the same thread.", result)
    }

    @Test func copyingInsideAWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            environment.writeOrDie { (_: inout WriteTransaction) in
                try? environment.copy(to: path + "-copy", compacting: false)
            }
        }
        expectRule("A database was copied inside a write of the same database on the same thread.", result)
    }

    @Test func usingADatabaseAfterFork() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            let fork = try #require(dlsym(nil, "fork"))
            let child = unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
            if child == 0 {
                environment.readOrDie { (_: borrowing ReadTransaction) in }
                _exit(0)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            _exit(status == 0 ? 0 : 1)
        }
        expectRule("A database was used in a forked process. Open it in the child after exec, not before fork.", result)
    }

    @Test func usingAClosedCursor() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            let store = try environment.openStores(["s"], create: true)[0]
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var cursors = transaction.makeCursors()
                let cursor = try cursors.open(store)
                cursors.close(cursor)
                _ = try cursors.next(cursor)
            }
        }
        expectRule("A cursor was used after it was closed, or in a set it was not opened in.", result)
    }

    @Test func readingNoEntry() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            let store = try environment.openStores(["s"], create: true)[0]
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var cursors = transaction.makeCursors()
                let cursor = try cursors.open(store)
                _ = cursors.key(cursor).byteCount
            }
        }
        expectRule("The key or value of a cursor was read that is at no entry.", result)
    }

    @Test func changingThroughAReadersCursor() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = folder.database as String] in
            let environment = try Environment.openForTest(path)
            let store = try environment.openStores(["s"], create: true)[0]
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var cursors = transaction.makeCursors()
                let cursor = try cursors.open(store)
                try cursors.put(cursor, key: bytes(1).span.bytes, value: bytes(1).span.bytes)
            }
        }
        expectRule("A read transaction's cursors cannot change the database.", result)
    }

    private func expectRule(_ rule: String, _ result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(rule), "\(text)")
    }
}

extension Environment {
    func readOrDie(_ body: (borrowing ReadTransaction) -> Void) {
        do {
            try read { (transaction: borrowing ReadTransaction) throws(LMDBError) in body(transaction) }
        } catch {
            print(error)
            _exit(0)
        }
    }

    func writeOrDie(_ body: (inout WriteTransaction) -> Void) {
        do {
            try write { (transaction: inout WriteTransaction) throws(LMDBError) in body(&transaction) }
        } catch {
            print(error)
            _exit(0)
        }
    }
}
