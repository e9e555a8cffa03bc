// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// Reads that begin at once, and what they say of pages that are in memory or not.
@Suite struct ResidentPagesTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let entries = 20_000

    /// Values of a quarter of a page, and one on three pages of its own.
    private func fill() throws {
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            for number in 0..<Self.entries {
                let size = number == Self.entries / 2 ? 10_000 : 1_000
                let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
                try transaction.append(store, bigEndian(number).span.bytes, value.span.bytes)
            }
        }
    }

    /// Takes the file out of memory; false if the system keeps it.
    private func evict() throws -> Bool {
        let descriptor = open(folder.database, O_RDONLY)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else { return false }
        let count = try Int(#require(FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int))
        let map = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0)
        defer { munmap(map, count) }
        var pages = [UInt8](repeating: 0, count: count / 4096)
        return mincore(map, count, &pages) == 0 && pages.count(where: { $0 & 1 != 0 }) * 10 < pages.count
    }

    /// Nil if a read would have had to wait before it began.
    private func isInMemory(_ number: Int, of store: Store, _ environment: Environment) throws(LMDBError) -> Bool? {
        try environment.readAtOnce { (transaction: borrowing ReadTransaction) throws(LMDBError) -> Bool? in
            try transaction.makeCursors().isInMemory(bigEndian(number).span.bytes, of: store)
        }
    }

    @Test func whatWasEvictedMustBeWaitedFor() throws {
        guard try tellsWhatIsInMemory() else { return }
        try fill()
        guard try evict() else { return print("The system keeps the file in memory: nothing to wait for") }
        let middle = Self.entries / 2
        // The system may keep the page in question, or read far ahead of the first entry.
        let isMissed = try (0..<20).contains { _ in
            guard try evict() else { return false }
            let environment = try Environment.openForTest(folder.database)
            let store = try environment.openStores(["s"], create: false)[0]
            _ = try environment.get(store, bigEndian(0))
            #expect(try isInMemory(0, of: store, environment) == true)
            guard try isInMemory(middle, of: store, environment) == false else { return false }
            _ = try environment.get(store, bigEndian(middle))
            #expect(try isInMemory(middle, of: store, environment) == true)
            return true
        }
        #expect(isMissed)
    }

    /// Each answer is right at once after the commit that changed the tree.
    @Test func aTreeThatGrowsIsInMemory() throws {
        guard try tellsWhatIsInMemory() else { return }
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        _ = try environment.get(store, bigEndian(0))
        for number in 0..<2_000 {
            #expect(try isInMemory(number, of: store, environment) == true)
            try environment.put(store, bigEndian(number), [UInt8](repeating: 7, count: 100))
            #expect(try isInMemory(number, of: store, environment) == true)
        }
    }

    @Test func aLargeValueIsTakenForOneOnDisk() throws {
        guard try tellsWhatIsInMemory() else { return }
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        for (number, size) in [30_000, 40_000].enumerated() {
            try environment.put(store, bigEndian(number), [UInt8](repeating: 7, count: size))
        }
        _ = try environment.get(store, bigEndian(0))
        #expect(try isInMemory(0, of: store, environment) == true)
        #expect(try isInMemory(1, of: store, environment) == false)
    }

    @Test func withoutAnIdleReaderNothingBegins() throws {
        guard try tellsWhatIsInMemory() else { return }
        let environment = try Environment.openForTest(folder.database)
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.read { (_: borrowing ReadTransaction) throws(LMDBError) in
            #expect(try isInMemory(0, of: store, environment) == nil)
        }
        #expect(try isInMemory(0, of: store, environment) == true)
    }

    /// Page numbers so great that their places in the file overflow: of a value's pages, and of a store's root.
    @Test func aPageThatCannotBeIsDamageAtOnce() throws {
        guard try tellsWhatIsInMemory() else { return }
        let environment = try Environment.openForTest(folder.path("whole"))
        let store = try environment.openStores(["s"], create: true)[0]
        try environment.put(store, bigEndian(0), [7])
        try environment.put(store, bigEndian(1), [UInt8](repeating: 7, count: 10_000))
        let whole = try contents(of: folder.path("whole"))
        // The nodes' headers and keys. The number of the first page follows the key; a root is the last word of its record.
        let value = nodes([0x10, 0x27, 0, 0, 1, 0, 8, 0] + bigEndian(1), in: whole)
        let root = nodes([48, 0, 0, 0, 2, 0, 1, 0] + utf8("s"), in: whole).map { $0 + 40 }
        #expect(!value.isEmpty && !root.isEmpty)
        for bit in 51..<64 {
            try expectDamage(of: value, bit, whole, hasFirst: true)
            try expectDamage(of: root, bit, whole, hasFirst: false)
        }
    }

    /// Where the values of nodes begin that begin with some bytes, also on pages that are no longer used.
    private func nodes(_ start: [UInt8], in file: [UInt8]) -> [Int] {
        (start.count..<file.count).filter { file[$0 - start.count..<$0].elementsEqual(start) }
    }

    /// Expects that reading the second entry fails once a bit of some page numbers is turned around.
    private func expectDamage(of numbers: [Int], _ bit: Int, _ whole: [UInt8], hasFirst: Bool) throws {
        var bytes = whole
        for number in numbers { bytes[number + bit / 8] ^= 1 << UInt8(bit % 8) }
        let path = folder.path("\(hasFirst)-\(bit)")
        try write(bytes, to: path)
        let environment = try Environment.openForTest(path, readOnly: true)
        let store = try environment.openStores(["s"], create: false)[0]
        if hasFirst {
            #expect(try environment.get(store, bigEndian(0)) == [7])
        } else {
            expectFailure(.corrupted) { try environment.get(store, bigEndian(0)) }
        }
        #expect(try isInMemory(1, of: store, environment) == true)
        expectFailure(.corrupted) { try environment.get(store, bigEndian(1)) }
    }
}
