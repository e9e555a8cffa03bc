// SPDX-License-Identifier: Apache-2.0

/// The page format of LMDB 0.9 on 64-bit machines, in the machine's byte order. All of this module's own reading of pages uses
/// these offsets, which are in bytes.
enum PageFormat {
    /// The header of every page.
    enum Header {
        static let number = 0
        static let flags = 10
        /// End of the array of node offsets, which follows the header.
        static let lower = 12
        /// Start of the nodes, which fill the page from its end.
        static let upper = 14
        /// Of an overflow page, in place of `lower` and `upper`: how many pages the value takes.
        static let overflowPages = 12
        static let size = 16
    }

    /// What a page is, as its flags say.
    enum Kind: UInt16 {
        case branch = 0x01
        case leaf = 0x02
        case overflow = 0x04

        /// The flags that say what a page is; the others are about its life in memory.
        static let mask: UInt16 = 0x6F
    }

    /// A node: an entry of a leaf, or the separator and child of a branch.
    enum Node {
        /// Of a leaf: the value's size, in two halves. Of a branch: the child's page number, in three.
        static let low = 0
        static let high = 2
        static let flags = 4
        static let highest = 4
        static let keySize = 6
        static let headerSize = 8

        /// The value lies on overflow pages; the node has the number of the first.
        static let overflow = 0x01
        /// The value is the record of a named store.
        static let store = 0x02
    }

    /// LMDB's record of a tree: in the meta page, or the value of a named store in the main tree.
    enum Record {
        static let flags = 4
        static let depth = 6
        static let branchPages = 8
        static let leafPages = 16
        static let overflowPages = 24
        static let entries = 32
        static let root = 40
        static let size = 48
        /// The root of an empty tree.
        static let noPage = -1
    }

    /// A meta page: the header of one state. The file begins with two of them, which commits write in turn.
    enum Meta {
        static let magic = 16
        static let version = 20
        static let mapSize = 32
        static let freeList = 40
        /// The tree whose entries are the records of the named stores.
        static let main = 88
        static let lastPage = 136
        static let transaction = 144
        static let end = 152

        /// The lower half of the free list's flags: its keys are integers, and nothing else. LMDB takes them from the file, and
        /// ends the process where they say that keys have several values. The upper half is of the environment.
        static let freeListFlags = 0x08

        /// Shares its place with a field of the free list's record that LMDB does not use there.
        static let pageSize = 40
        static let magicNumber = 0xBEEF_C0DE
        static let versionNumber = 1
        /// What the page's flags say that it is.
        static let kind = 0x08
        static let count = 2
    }

    /// What LMDB can write: a node's offset in its page has 16 bits.
    static func isPageSize(_ size: Int) -> Bool { (256...32_768).contains(size) && size.nonzeroBitCount == 1 }

    static let maximumKeySize = 511
    /// Far above any tree: pages have at least two nodes.
    static let maximumDepth = 16
}

extension UnsafeRawPointer {
    @inline(__always)
    func integer(at offset: Int) -> Int { unsafe loadUnaligned(fromByteOffset: offset, as: Int.self) }

    @inline(__always)
    func word(at offset: Int) -> Int { unsafe Int(loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }

    @inline(__always)
    func short(at offset: Int) -> Int { unsafe Int(loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
}

/// LMDB's record of a tree.
struct TreeRecord {
    let flags: Int
    let depth: Int
    let branchPages: Int
    let leafPages: Int
    let overflowPages: Int
    let entries: Int
    let root: Int

    var isEmpty: Bool { root == PageFormat.Record.noPage }

    @unsafe
    init(_ record: UnsafeRawPointer) {
        flags = unsafe record.short(at: PageFormat.Record.flags)
        depth = unsafe record.short(at: PageFormat.Record.depth)
        branchPages = unsafe record.integer(at: PageFormat.Record.branchPages)
        leafPages = unsafe record.integer(at: PageFormat.Record.leafPages)
        overflowPages = unsafe record.integer(at: PageFormat.Record.overflowPages)
        entries = unsafe record.integer(at: PageFormat.Record.entries)
        root = unsafe record.integer(at: PageFormat.Record.root)
    }

    var statistics: StoreStatistics {
        StoreStatistics(
            entries: entries, depth: depth, branchPages: branchPages, leafPages: leafPages,
            overflowPages: overflowPages)
    }
}

/// What a meta page says of its state.
struct MetaPage {
    let transaction: Int
    let lastPage: Int
    let freeList: TreeRecord
    let main: TreeRecord

    /// - Parameter page: has at least ``PageFormat/Meta/end`` bytes.
    @unsafe
    init(_ page: UnsafeRawPointer) {
        transaction = unsafe page.integer(at: PageFormat.Meta.transaction)
        lastPage = unsafe page.integer(at: PageFormat.Meta.lastPage)
        freeList = unsafe TreeRecord(page + PageFormat.Meta.freeList)
        main = unsafe TreeRecord(page + PageFormat.Meta.main)
    }

    /// Whether LMDB can follow both trees.
    var hasUsualFlags: Bool { freeList.flags & 0xFF == PageFormat.Meta.freeListFlags && main.flags == 0 }

    /// Which of the meta pages has the state of a transaction.
    static func number(of transaction: Int) -> Int { transaction & (PageFormat.Meta.count - 1) }
}

/// A value of the free list: how many pages one transaction freed, then their numbers.
@unsafe
struct FreeList {
    private let start: UnsafeRawPointer
    let count: Int

    /// Nil if the value is shorter than it says.
    init?(_ start: UnsafeRawPointer, byteCount: Int) {
        guard byteCount >= 8 else { return nil }
        unsafe self.start = start
        unsafe count = start.integer(at: 0)
        guard unsafe (0...(byteCount / 8 - 1)).contains(count) else { return nil }
    }

    func page(_ index: Int) -> Int { unsafe start.integer(at: 8 + 8 * index) }
}
