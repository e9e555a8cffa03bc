// SPDX-License-Identifier: Apache-2.0
import LMDB
import TestSupport
import Testing

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
}
