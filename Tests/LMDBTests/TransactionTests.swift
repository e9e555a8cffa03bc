// SPDX-License-Identifier: Apache-2.0
import Dispatch
import LMDB
import TestSupport
import Testing

@Suite struct TransactionTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func aReadKeepsItsStateWhileOthersCommit() throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, [1], [1])
        try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            let before = transaction.transactionID
            let written = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                try? environment.put(store, [1], [2])
                written.signal()
            }
            written.wait()
            #expect(transaction.transactionID == before)
            guard let value = try transaction.get(store, bytes(1).span.bytes) else { return #expect(Bool(false)) }
            #expect(Array(copying: value) == [1])
            // A read inside a read sees the newer state.
            #expect(try environment.get(store, [1]) == [2])
        }
        #expect(environment.info.lastTransactionID == 3)
    }

    @Test func aThrownErrorUndoesTheWriteAndComesOutAsItIs() throws {
        struct Failure: LMDBErrorConvertible, Equatable {
            var store: LMDBError?
            init() {}
            init(_ error: LMDBError) { store = error }
        }
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        #expect(throws: Failure()) {
            try environment.write { (transaction: inout WriteTransaction) throws(Failure) in
                do throws(LMDBError) {
                    try transaction.put(store, bytes(1).span.bytes, bytes(1).span.bytes)
                } catch { throw Failure(error) }
                throw Failure()
            }
        }
        #expect(try environment.get(store, [1]) == nil)
    }

    @Test func keysHaveOneTo511Bytes() throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        let longest = [UInt8](repeating: 1, count: 511)
        try environment.put(store, longest, [])
        #expect(try environment.get(store, longest) == [])
        #expect(try environment.get(store, longest + [1]) == nil)
        #expect(try environment.get(store, []) == nil)
        expectFailure(.badValueSize) { try environment.put(store, longest + [1], []) }
        expectFailure(.badValueSize) { try environment.put(store, [], []) }
    }

    @Test func appendingTakesAscendingKeysOnly() throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try transaction.append(store, bytes(1).span.bytes, bytes().span.bytes)
            try transaction.append(store, bytes(2).span.bytes, bytes().span.bytes)
            let isAppended = try transaction.append(store, bytes(1, 1).span.bytes, bytes().span.bytes)
            #expect(!isAppended)
        }
        #expect(try environment.get(store, [1, 1]) == nil)
    }

    @Test func freePagesAreCountedAndUsedAgain() throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        let value = [UInt8](repeating: 1, count: 400_000)
        for _ in 0..<10 { try environment.put(store, [1], value) }
        let free = try environment.countFreePages()
        let statistics = try environment.statistics(of: store)
        #expect(free >= 98 && free < 300)
        #expect(statistics.overflowPages == 98 && statistics.depth == 1 && statistics.entries == 1)
        #expect(environment.info.pages < 400)
    }

    /// The cursors of a query: many at once, compared with each other, closed and opened again.
    @Test func cursorsOfOneReadAreComparedInPairs() throws {
        let environment = try Environment.openForTest(folder.database)
        let stores = try environment.openStores(["a", "b"], create: true)
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            for index in 0..<300 {
                try transaction.put(stores[0], bigEndian(index * 2).span.bytes, bytes().span.bytes)
                try transaction.put(stores[1], bigEndian(index * 3).span.bytes, bytes().span.bytes)
            }
        }
        for _ in 0..<3 {
            let shared = try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> [Int] in
                var cursors = transaction.makeCursors()
                return try join(&cursors, stores[0], stores[1])
            }
            #expect(shared == (0..<100).map { $0 * 6 })
        }
    }

    private func join(_ cursors: inout CursorSet, _ a: Store, _ b: Store) throws(LMDBError) -> [Int] {
        var found: [Int] = []
        // Unused cursors in between make the set's storage grow while others are positioned.
        let left = try cursors.open(a)
        var isMore = try cursors.next(left)
        for _ in 0..<30 { _ = try cursors.open(b) }
        let right = try cursors.open(b)
        if isMore { isMore = try cursors.next(right) }
        while isMore {
            let order = compareBytes(cursors.key(left), cursors.key(right))
            if order == 0 {
                found.append(number(Array(copying: cursors.key(left))))
                isMore = try cursors.next(left)
            } else {
                let behind = order < 0 ? left : right
                let target = Array(copying: cursors.key(order < 0 ? right : left))
                isMore = try cursors.seek(behind, target.span.bytes)
            }
        }
        cursors.close(right)
        let again = try cursors.open(b)
        #expect(again == right)
        return found
    }

    @Test func bytesCompareAsUnsignedAndShorterFirst() {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<2000 {
            let a = (0..<Int.random(in: 0...4, using: &random)).map { _ in UInt8.random(in: 126...129, using: &random) }
            let b = (0..<Int.random(in: 0...4, using: &random)).map { _ in UInt8.random(in: 126...129, using: &random) }
            let order = compareBytes(a.span.bytes, b.span.bytes)
            #expect((order < 0) == a.lexicographicallyPrecedes(b) && (order == 0) == (a == b))
            #expect(startsWith(a.span.bytes, b.span.bytes) == a.starts(with: b))
        }
    }
}
