// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TestSupport
import Testing

@testable import LMDB

@Suite struct ReadersBesideCommitsTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A reader may be overtaken by two commits while it begins, the second of which writes over its meta page.
    @Test func noReadMeetsHalfOfAMetaPage() throws {
        let environment = try Environment.openForTest(folder.database)
        let stores = try environment.openStores(["a", "b"], create: true)
        for store in stores { try environment.put(store, [1], [1]) }
        let readers = Background(threads: 4) { _ in
            for _ in 0..<100 { _ = try environment.get(stores[1], [1]) }
        }
        for round in 0..<10_000 {
            try environment.put(stores[round & 1], bigEndian(round % 5_000), [UInt8](repeating: 7, count: 100))
        }
        readers.stop()
    }

    /// Once the next commit is in the file, the one after it may be writing over the meta page of the state that begins.
    @Test func aReadThatMayBeOvertakenBeginsAgain() throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, [1], [1])
        // On another thread: a write inside a read of the same thread is a programming error.
        func commit() {
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                try? environment.put(store, [1], [2])
                isDone.signal()
            }
            isDone.wait()
        }
        try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            guard let access = environment.pageAccess else { return }
            let before = PageReader(access, transaction.reader.transaction)
            #expect(before.begin())
            commit()
            let pages = PageReader(access, transaction.reader.transaction)
            #expect(!pages.begin())
            // If LMDB begins the same state once more, its meta page was whole when it was read. The next commit may write over it.
            commit()
            #expect(pages.begin())
            let (found, expected) = try (pages.record(of: store), before.record(of: store))
            #expect(found.root == expected.root && found.entries == expected.entries)
            #expect(!PageReader(access, transaction.reader.transaction).begin())
        }
    }
}
