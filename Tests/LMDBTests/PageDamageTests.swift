// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import LMDB

/// Pages that are whole, but not the ones that belong in their places.
@Suite struct PageDamageTests {
    private static let pageSize = 4096
    private static let count = 2_000
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        let environment = try Environment.openForTest(folder.path("whole"))
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            for number in 0..<Self.count {
                let value = [UInt8](repeating: 1, count: 100)
                try transaction.append(store, bigEndian(number).span.bytes, value.span.bytes)
            }
        }
    }

    @Test(arguments: [true, false]) func everyExchangedLeafIsFound(withNumber: Bool) throws {
        var random = SeededGenerator.printingSeed()
        let whole = try contents(of: folder.path("whole"))
        let leaves = leaves(of: whole)
        #expect(leaves.count > 50)
        for round in 0..<60 {
            let pair = leaves.shuffled(using: &random).prefix(2)
            var bytes = whole
            for offset in (withNumber ? 0 : 8)..<Self.pageSize {
                bytes.swapAt(pair[0] * Self.pageSize + offset, pair[1] * Self.pageSize + offset)
            }
            let isWhole = try read(bytes, "exchanged\(round)", forward: round % 2 == 0)
            #expect(!isWhole, "pages \(pair), seed \(random.seed)")
        }
    }

    /// Two stores with the same keys, whose leaves fit in each other's places: only a page's number tells them apart.
    @Test func exchangedLeavesOfStoresWithEqualKeysAreFound() throws {
        let value = { (store: Int, key: Int) in [UInt8](repeating: UInt8(store * 100 + key % 100), count: 100) }
        let environment = try Environment.openForTest(folder.path("twins"))
        let stores = try environment.openStores(["s", "t"], create: true)
        for (number, store) in stores.enumerated() {
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                for key in 0..<Self.count {
                    try transaction.append(store, bigEndian(key).span.bytes, value(number, key).span.bytes)
                }
            }
        }
        let whole = try contents(of: folder.path("twins"))
        // By their first keys, the leaves of each store in the order in which they were written.
        let firstLeaves = Dictionary(grouping: leaves(of: whole)) { page in
            let node =
                page * Self.pageSize + Int(whole[page * Self.pageSize + 16]) + Int(whole[page * Self.pageSize + 17])
                << 8
            return number(Array(whole[node + 8..<node + 16]))
        }
        let pairs = firstLeaves.filter { $0.value.count == 2 }.sorted { $0.key < $1.key }
        #expect(pairs.count > 50)
        for (key, pages) in pairs.prefix(20) {
            var bytes = whole
            for offset in 0..<Self.pageSize {
                bytes.swapAt(pages[0] * Self.pageSize + offset, pages[1] * Self.pageSize + offset)
            }
            let path = folder.path("twins\(key)")
            try write(bytes, to: path)
            let damaged = try Environment.openForTest(path, readOnly: true)
            for store in try damaged.openStores(["s", "t"], create: false) {
                #expect(!scan(damaged, store, forward: true), "pages \(pages)")
                #expect { _ = try damaged.get(store, bigEndian(key)) } throws: {
                    ($0 as? LMDBError)?.code == .corrupted
                }
            }
        }
    }

    /// What is cut off after the file was opened is noticed in the next state.
    @Test func aFileCutShortWhileOpenThrows() throws {
        let path = folder.path("whole")
        let environment = try Environment.openForTest(path)
        let store = try environment.openStores(["s"], create: false)[0]
        let size = try contents(of: path).count
        truncate(path, off_t(size / 2 / Self.pageSize * Self.pageSize))
        #expect(!scan(environment, store, forward: true))
    }

    /// - Returns: false if a scan of the store threw.
    private func read(_ bytes: [UInt8], _ name: String, forward: Bool) throws -> Bool {
        let path = folder.path(name)
        try write(bytes, to: path)
        let environment = try Environment.openForTest(path, readOnly: true)
        return scan(environment, try environment.openStores(["s"], create: false)[0], forward: forward)
    }

    private func scan(_ environment: Environment, _ store: Store, forward: Bool) -> Bool {
        do throws(LMDBError) {
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var cursors = transaction.makeCursors()
                let cursor = try cursors.open(store)
                var count = 0
                while forward ? try cursors.next(cursor) : try cursors.previous(cursor) { count += 1 }
                #expect(count == Self.count)
            }
            return true
        } catch {
            #expect(error.code == .corrupted)
            return false
        }
    }

    /// The leaves of stores, which are fuller than those of the free list and the main tree.
    private func leaves(of whole: [UInt8]) -> [Int] {
        (2..<whole.count / Self.pageSize).filter { page in
            whole[page * Self.pageSize + PageFormat.Header.flags] == UInt8(PageFormat.Kind.leaf.rawValue)
                && whole[page * Self.pageSize + PageFormat.Header.lower] > 16 + 2 * 10
        }
    }
}
