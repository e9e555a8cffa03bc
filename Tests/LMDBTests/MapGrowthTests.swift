// SPDX-License-Identifier: Apache-2.0
import LMDB
import TestSupport
import Testing

@Suite struct MapGrowthTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// The map grows many times from the smallest size, between reads that must each see a whole commit.
    @Test func theMapGrowsUnderReaders() throws {
        let environment = try Environment.openForTest(folder.database, mapSize: 1)
        let stores = try environment.openStores(["a", "b"], create: true)
        let start = environment.info.mapSize
        let readers = Background(threads: 3) { _ in try expectEqualStores(environment, stores) }
        for round in 0..<100 {
            readers.waitForRounds(round)
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                for store in stores {
                    for part in 0..<10 {
                        let value = [UInt8](repeating: UInt8(round), count: 1000)
                        try transaction.put(store, bigEndian(round * 10 + part).span.bytes, value.span.bytes)
                    }
                }
            }
        }
        readers.stop()
        #expect(environment.info.mapSize >= 16 * start)
        #expect(try environment.statistics(of: stores[0]).entries == 1000)
    }

    /// A body that catches the error of a full map must not commit without the writes that failed.
    @Test func aCaughtFullMapRunsTheWholeWriteAgain() throws {
        let environment = try Environment.openForTest(folder.database, mapSize: 1)
        let store = try environment.openStores(["s"], create: true)[0]
        var runs = 0
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            runs += 1
            for number in 0..<100 {
                let value = [UInt8](repeating: 7, count: 3000)
                try? transaction.put(store, bigEndian(number).span.bytes, value.span.bytes)
            }
        }
        #expect(runs > 1)
        #expect(try environment.statistics(of: store).entries == 100)
    }

    @Test func oneValueLargerThanTheMap() throws {
        let environment = try Environment.openForTest(folder.database, mapSize: 1)
        let store = try environment.openStores(["s"], create: true)[0]
        let value = [UInt8](repeating: 9, count: 3_000_000)
        try environment.put(store, [1], value)
        #expect(try environment.get(store, [1]) == value)
    }
}

/// Both stores hold the same numbers, and each number has all its ten parts, in every state that a read sees.
private func expectEqualStores(_ environment: Environment, _ stores: [Store]) throws {
    let counts = try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> [Int] in
        var cursors = transaction.makeCursors()
        var counts: [Int] = []
        for store in stores {
            let cursor = try cursors.open(store)
            var count = 0
            while try cursors.next(cursor) {
                let expected = UInt8(truncatingIfNeeded: number(Array(copying: cursors.key(cursor))) / 10)
                let value = Array(copying: cursors.value(cursor))
                if value.first == expected, value.last == expected { count += 1 }
            }
            counts.append(count)
        }
        return counts
    }
    #expect(counts[0] == counts[1] && counts[0] % 10 == 0, "\(counts)")
}
