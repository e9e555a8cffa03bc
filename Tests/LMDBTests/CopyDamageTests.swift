// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import LMDB

/// Copies of files that are damaged or cut short, also while they are copied, and of files that only look so.
@Suite struct CopyDamageTests {
    private static let pageSize = 4_096
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// The sync would not tell of it again.
    @Test func theDevicesErrorsAreFailures() {
        #expect([EIO, ENOSPC, EDQUOT, EBADF].allSatisfy(CopyFile.isFailure))
        #expect(![0, ENOSYS, EINVAL, ESPIPE, EOPNOTSUPP].contains(where: CopyFile.isFailure))
    }

    @Test(arguments: [
        (PageFormat.Header.flags, 0x04), (PageFormat.Meta.magic, 1), (PageFormat.Meta.version, 1),
        (PageFormat.Meta.pageSize, 8_192),
    ])
    func aDamagedHeaderIsNotCopied(field: Int, change: Int) throws {
        try fill(stores: ["a"])
        let environment = try Environment.openForTest(folder.database)
        let header = try contents(of: folder.database).prefix(2 * Self.pageSize)
        for page in 0..<2 {
            let old = header[(page * Self.pageSize + field)...].prefix(4)
            let bits = zip(old, [change & 0xFF, change >> 8, 0, 0]).map { $0 ^ UInt8($1) }
            try overwrite(folder.database, at: page * Self.pageSize + field, bits)
        }
        try expectCorrupted(environment)
        #expect(try environment.auditPages().count == 1)
    }

    /// It is the size of the map, not what the file says of it.
    @Test func aDamagedMapSizeIsNotCopied() throws {
        try fill(stores: ["a"])
        let environment = try Environment.openForTest(folder.database)
        for page in 0..<2 {
            let field = page * Self.pageSize + PageFormat.Meta.mapSize
            try overwrite(folder.database, at: field, bigEndian(1 << 60).reversed())
        }
        try environment.copy(to: folder.path("copy"), compacting: true)
        for page in try pages(of: folder.path("copy")).prefix(2) {
            #expect(page[32..<40].elementsEqual(bigEndian(1 << 30).reversed()))
        }
    }

    @Test(arguments: [Int.max, Int.max >> 12, 1 << 60, 0, -1, Int.min]) func anImpossibleLastPageIsFound(_ page: Int)
        throws
    {
        try fill(stores: ["a"])
        try setLastPage(page)
        let (source, destination) = (
            open(folder.database, O_RDONLY), open(folder.path("copy"), O_RDWR | O_CREAT, 0o600)
        )
        defer { for file in [source, destination] { close(file) } }
        let file = PageFile(descriptor: source, pageSize: Self.pageSize)
        let header = try #require(file.header(of: file.meta(0)?.transaction ?? 0))
        #expect(!file.copy(to: CopyFile(destination, pageSize: Self.pageSize), header, nil))
    }

    /// A process may have died between writing a header and telling others of it: the state before stays the last one.
    @Test(arguments: [false, true]) func aHeaderThatNobodyWasToldOfIsNotWaitedFor(compacting: Bool) throws {
        try fill(stores: ["a"])
        let environment = try Environment.openForTest(folder.database)
        let state = environment.info.lastTransactionID
        var page = try pages(of: folder.database)[state & 1]
        page.replaceSubrange(PageFormat.Meta.transaction..<PageFormat.Meta.end, with: bigEndian(state + 1).reversed())
        try overwrite(folder.database, at: (state + 1) & 1 * Self.pageSize, page)
        try environment.copy(to: folder.path("copy"), compacting: compacting)
        let copy = try Environment.openForTest(folder.path("copy"))
        #expect(copy.info.lastTransactionID == state)
        #expect(try copy.auditPages().map(\.text) == [])
    }

    /// Cut off is a page that was checked and not yet copied: in a compacted file the list of stores is the last.
    @Test func aFileCutShortWhileItIsCopiedIsRefused() throws {
        try fill(stores: ["a"])
        let path = folder.path("compacted")
        try Environment.openForTest(folder.database).copy(to: path, compacting: true)
        let environment = try Environment.openForTest(path)
        let size = try contents(of: path).count
        try expectCorrupted(environment, [false]) { _ in truncate(path, off_t(size - Self.pageSize)) }
        #expect(try contents(of: path).count == size - Self.pageSize)
    }

    /// The list of stores is read a second time when all else is in the copy.
    @Test func aFileCutShortBeforeTheListOfStoresIsCopiedIsRefused() throws {
        try fill(stores: ["a"])
        let size = try contents(of: folder.database).count
        let pageCount = size / Self.pageSize + 1 << 24 + 2
        try #require(truncate(folder.database, off_t(pageCount * Self.pageSize)) == 0)
        try setLastPage(pageCount - 1)
        let environment = try Environment.openForTest(folder.database, readOnly: true)
        try expectCorrupted(environment, [true]) { _ in truncate(folder.database, off_t(size)) }
        #expect(try contents(of: folder.database).count == size)
    }

    /// Pages that neither a tree nor the free list has are no damage: LMDB only never uses them again.
    @Test(arguments: [false, true]) func lostPagesAreNoDamage(compacting: Bool) throws {
        try fill(stores: ["a"])
        try Environment.openForTest(folder.database).copy(to: folder.path("whole"), compacting: compacting)
        let count = try contents(of: folder.database).count / Self.pageSize
        try #require(truncate(folder.database, off_t((count + 10) * Self.pageSize)) == 0)
        try setLastPage(count + 9)
        try Environment.openForTest(folder.database).copy(to: folder.path("copy"), compacting: compacting)
        let more = try pages(of: folder.path("copy")).count - pages(of: folder.path("whole")).count
        #expect(more == (compacting ? 0 : 10))
        #expect(try Environment.openForTest(folder.path("copy")).auditPages().map(\.text) == [])
    }

    /// The second child of a branch becomes its first, or the branch itself.
    @Test(arguments: [false, true]) func aPageUsedTwiceIsFound(loop: Bool) throws {
        try fill(stores: ["a"])
        let pages = try pages(of: folder.database)
        for (number, page) in pages.enumerated().dropFirst(2) where page[10] == 1 {
            let first = Int(page[16]) + 256 * Int(page[17])
            let second = Int(page[18]) + 256 * Int(page[19])
            let own: [UInt8] = bigEndian(number).reversed()
            let child = loop ? own.prefix(6) : page[first..<first + 6]
            try overwrite(folder.database, at: number * Self.pageSize + second, Array(child))
        }
        let environment = try Environment.openForTest(folder.database, readOnly: true)
        #expect(try environment.auditPages().contains { $0.text.contains("used twice") })
        try expectCorrupted(environment)
    }

    /// Of a large file the first finding ends the work.
    @Test(arguments: [false, true]) func nothingIsReadAfterAFinding(compacting: Bool) throws {
        try fill(stores: ["a", "b", "c"])
        let environment = try Environment.openForTest(folder.database, readOnly: true)
        var shares: [Double] = []
        try expectCorrupted(environment, [compacting]) { share in
            if shares.isEmpty { breakAllLeaves() }
            shares.append(share)
        }
        #expect(shares.count == 1 && shares[0] < 0.5)
    }

    private func breakAllLeaves() {
        guard let pages = try? pages(of: folder.database) else { return }
        for (number, page) in pages.enumerated().dropFirst(2) where page[10] == 2 {
            try? overwrite(folder.database, at: number * Self.pageSize + 10, [4])
        }
    }

    /// Fills each store with 500 leaves.
    private func fill(stores names: [String]) throws {
        let environment = try Environment.openForTest(folder.database)
        let value = [UInt8](repeating: 1, count: 1_000)
        for store in try environment.openStores(names, create: true) {
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                for key in 0..<1_500 { try transaction.put(store, bigEndian(key).span.bytes, value.span.bytes) }
            }
        }
    }

    private func expectCorrupted(
        _ environment: Environment, _ compacting: [Bool] = [false, true], _ progress: ((Double) -> Void)? = nil
    ) throws {
        for compacting in compacting {
            expectFailure(.corrupted) {
                try environment.copy(to: folder.path("copy"), compacting: compacting, progress: progress)
            }
            #expect(access(folder.path("copy"), F_OK) != 0)
        }
    }

    private func setLastPage(_ page: Int) throws {
        for meta in 0..<2 {
            let field = meta * Self.pageSize + PageFormat.Meta.lastPage
            try overwrite(folder.database, at: field, bigEndian(page).reversed())
        }
    }

    private func overwrite(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY)
        defer { close(file) }
        try #require(pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count)
    }
}
