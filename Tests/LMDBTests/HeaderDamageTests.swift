// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import LMDB

/// What LMDB takes from the two meta pages as it stands.
@Suite struct HeaderDamageTests {
    private static let pageSize = 4096
    let folder: TemporaryDirectory
    /// A small database.
    private let whole: [UInt8]

    init() throws {
        folder = try TemporaryDirectory()
        var environment: Environment? = try .openForTest(folder.database)
        let store = try environment!.openStores(["s"], create: true)[0]
        try environment!.put(store, [1], [2])
        environment = nil
        whole = try contents(of: folder.database)
    }

    /// LMDB takes the flags of two trees from the file, and ends the process by a signal where they say that keys have several
    /// values.
    @Test func wrongFlagsAreNoticedAtOpen() throws {
        for flags in [44, 92] {
            for bit in 0..<8 { try expectDamage(flags, bit, pages: [0], [1]) }
        }
    }

    /// LMDB divides by the page size of one of the pages, and looks for the other one behind it.
    @Test func aWrongPageSizeIsNoticedAtOpen() throws {
        for bit in 0..<32 {
            try expectDamage(PageFormat.Meta.pageSize, bit, pages: [0], [1], [0, 1])
        }
    }

    /// A number of pages so great that the size in bytes overflows.
    @Test func tooManyPagesAreNoticedAtOpen() throws {
        try expectDamage(PageFormat.Meta.lastPage, 52, pages: [0, 1])
    }

    /// Expects that the database cannot be opened once a bit of a word of its header is turned around.
    ///
    /// - Parameter pages: in which of the meta pages, each list in a copy of its own.
    private func expectDamage(_ word: Int, _ bit: Int, pages: [Int]...) throws {
        for pages in pages {
            var bytes = whole
            for page in pages { bytes[page * Self.pageSize + word + bit / 8] ^= 1 << UInt8(bit % 8) }
            let path = folder.path("\(word)-\(bit)-\(pages.map(String.init).joined())")
            try write(bytes, to: path)
            for readOnly in [true, false] {
                expectFailure(.corrupted) { try Environment.openForTest(path, readOnly: readOnly) }
            }
        }
    }
}
