// SPDX-License-Identifier: Apache-2.0
import Glibc
import LMDB
import TestSupport
import Testing

@Suite struct CopyTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Each copy is one state: `a` and `b` always have equal values.
    @Test(arguments: [false, true]) func copiesWhileWriting(compacting: Bool) throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        let writer = Background(threads: 1) { round in
            let value = bigEndian(round)
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                for key in [utf8("a"), utf8("b"), bigEndian(round % 500)] {
                    try transaction.put(store, key.span.bytes, value.span.bytes)
                }
            }
        }
        for number in 0..<10 {
            writer.waitForRounds(20 * number)
            try environment.copy(to: folder.path("copy\(number)"), compacting: compacting)
        }
        writer.stop()
        for number in 0..<10 {
            let copy = try Environment.openForTest(folder.path("copy\(number)"), readOnly: true)
            let store = try copy.openStores(["s"], create: false)[0]
            #expect(try copy.get(store, utf8("a")) == copy.get(store, utf8("b")))
        }
    }

    /// LMDB's own read of a copy takes a slot, which a reader that waits for its next use gives up.
    @Test func idleReadersLeaveACopyItsSlot() throws {
        let options = Environment.Options(mapSize: 1 << 20, maximumReaders: 3, durability: .mayLoseDatabase)
        let environment = try Environment.open(folder.database, options)
        environment.readOrDie { (_: borrowing ReadTransaction) in
            environment.readOrDie { (_: borrowing ReadTransaction) in
                environment.readOrDie { (_: borrowing ReadTransaction) in }
            }
        }
        try environment.copy(to: folder.path("copy"), compacting: false)
    }

    @Test func copyingOverwritesNothing() throws {
        let environment = try Environment.openForTest(folder.database)
        expectFailure(.fileExists) { try environment.copy(to: folder.database, compacting: false) }
        expectFailure(.noSuchFile) { try environment.copy(to: folder.path("none/copy"), compacting: true) }
    }
}
