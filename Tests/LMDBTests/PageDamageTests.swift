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
        // The store's leaves are fuller than those of the free list and the main tree.
        let leaves = (2..<whole.count / Self.pageSize).filter { page in
            whole[page * Self.pageSize + PageFormat.Header.flags] == UInt8(PageFormat.Kind.leaf.rawValue)
                && whole[page * Self.pageSize + PageFormat.Header.lower] > 16 + 2 * 10
        }
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
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(write(file, bytes, bytes.count) == bytes.count)
        close(file)
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

    private func contents(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
        #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
        return bytes
    }
}
