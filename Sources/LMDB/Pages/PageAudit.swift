// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

extension Environment {
    /// Checks every page of every store's tree and of the free list: that it is there, is what its place calls for, holds
    /// its keys in order, and is used once.
    ///
    /// LMDB trusts its pages: a damaged one can end the process or send it round in circles. So they are read from the
    /// file, not through the map, before LMDB follows them. Others may write meanwhile.
    ///
    /// - Returns: What is wrong, at most a hundred findings.
    package func auditPages() throws(LMDBError) -> [PageFinding] {
        while true {
            // The pages of a state are not used again while a read of it is open.
            let findings = try read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> [PageFinding]? in
                var descriptor: Int32 = -1
                unsafe mdb_env_get_fd(handle, &descriptor)
                return PageAudit.run(descriptor, pageSize: info.pageSize, transaction: transaction.transactionID)
            }
            if let findings { return findings }
        }
    }
}

/// What is wrong with a page.
package struct PageFinding: Sendable {
    /// In words.
    package let text: String
    /// The store in which entries may not be found though LMDB can read it safely: keys are out of order, or not as many
    /// as they should be. Nil where LMDB must not follow the pages at all.
    package let disorderedStore: String?
}

/// A walk over the pages of one state, as bytes of the file, in the page format of LMDB 0.9.
struct PageAudit {
    private enum Kind: Int {
        case branch = 1
        case leaf = 2
        case overflow = 4
    }

    private let descriptor: Int32
    private let pageSize: Int
    private let lastPage: Int
    /// One bit a page: whether a tree or the free list has it.
    private var taken: [UInt64]
    private var findings: [PageFinding] = []
    private static let maximumFindings = 100

    /// Nil if the state's header was overwritten before it was read: two later commits have happened.
    static func run(_ descriptor: Int32, pageSize: Int, transaction: Int) -> [PageFinding]? {
        guard let header = header(descriptor, pageSize: pageSize, transaction: transaction) else { return nil }
        let lastPage = header.integer(at: 136)
        // The file may be shorter than this, by pages that are free, but it cannot be much longer than it is.
        // Not by `lseek`: LMDB moves the descriptor's place to write there.
        var file = stat()
        let size = unsafe fstat(descriptor, &file) == 0 ? Int(file.st_size) : 0
        guard lastPage >= 1, lastPage <= size / pageSize + 1 << 24 else {
            return [PageFinding(text: "the header tells of \(lastPage) pages", disorderedStore: nil)]
        }
        var audit = PageAudit(
            descriptor: descriptor, pageSize: pageSize, lastPage: lastPage,
            taken: [UInt64](repeating: 0, count: lastPage / 64 + 1))
        audit.take(0)
        audit.take(1)
        let main = audit.walk(Tree(header, at: 88), "the list of stores", .names)
        for (name, record) in main {
            audit.walk(Tree(record, at: 0), "the store \"\(name)\"", .entries(name))
        }
        audit.walk(Tree(header, at: 40), "the free list", .freePages)
        return audit.findings
    }

    /// The page with the header that a transaction wrote.
    static func header(_ descriptor: Int32, pageSize: Int, transaction: Int) -> [UInt8]? {
        [0, 1].lazy.compactMap { page in read(descriptor, from: page * pageSize, count: 152) }
            .first { $0.count == 152 && $0.integer(at: 144) == transaction }
    }

    private static func read(_ descriptor: Int32, from offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe pread(descriptor, &bytes, count, offset)
        return read < 0 ? nil : Array(bytes.prefix(read))
    }

    private mutating func note(_ text: String, disordered store: String? = nil) {
        guard findings.count < PageAudit.maximumFindings else { return }
        findings.append(PageFinding(text: text, disorderedStore: store))
    }

    /// Marks a page as used; false if it was, or cannot be.
    @discardableResult
    private mutating func take(_ page: Int) -> Bool {
        guard (0...lastPage).contains(page), taken[page / 64] & 1 << UInt64(page % 64) == 0 else { return false }
        taken[page / 64] |= 1 << UInt64(page % 64)
        return true
    }

    /// The page's bytes, if it is free to be used here and says of itself what is expected of it.
    private mutating func page(_ number: Int, _ kind: Kind, _ owner: String) -> [UInt8]? {
        guard take(number) else {
            note("\(owner) refers to page \(number), which does not exist or is used twice")
            return nil
        }
        guard let bytes = PageAudit.read(descriptor, from: number * pageSize, count: pageSize),
            bytes.count == pageSize
        else {
            note("page \(number) of \(owner) is missing from the file")
            return nil
        }
        guard bytes.integer(at: 0) == number, bytes.short(at: 10) & 0x6F == kind.rawValue else {
            note("page \(number) of \(owner) is not the page it should be")
            return nil
        }
        return bytes
    }
}

// MARK: - Trees

extension PageAudit {
    /// LMDB's record of a tree.
    private struct Tree {
        let depth: Int
        let branchPages: Int
        let leafPages: Int
        let overflowPages: Int
        let entries: Int
        /// -1 for an empty tree.
        let root: Int

        init(_ bytes: [UInt8], at offset: Int) {
            depth = bytes.short(at: offset + 6)
            branchPages = bytes.integer(at: offset + 8)
            leafPages = bytes.integer(at: offset + 16)
            overflowPages = bytes.integer(at: offset + 24)
            entries = bytes.integer(at: offset + 32)
            root = bytes.integer(at: offset + 40)
        }
    }

    private enum Content {
        case names
        case entries(String)
        case freePages

        var store: String? {
            if case .entries(let name) = self { name } else { nil }
        }
    }

    /// What one walk has seen.
    private struct Walk {
        let owner: String
        let content: Content
        var branchPages = 0
        var leafPages = 0
        var overflowPages = 0
        var entries = 0
        /// The stores that a list of them names: their names and records.
        var stores: [(String, [UInt8])] = []
    }

    @discardableResult
    private mutating func walk(_ tree: Tree, _ owner: String, _ content: Content) -> [(String, [UInt8])] {
        var walk = Walk(owner: owner, content: content)
        if tree.root != -1 {
            guard (1...32).contains(tree.depth) else {
                note("\(owner) has an impossible depth")
                return []
            }
            visit(tree.root, depth: tree.depth, from: nil, to: nil, &walk)
        }
        let agrees =
            tree.entries == walk.entries && tree.branchPages == walk.branchPages && tree.leafPages == walk.leafPages
            && tree.overflowPages == walk.overflowPages
        if !agrees {
            note("\(owner) does not have the pages and entries that its record tells of", disordered: content.store)
        }
        return walk.stores
    }

    /// Visits a page whose keys must lie from `lower` to just below `upper`.
    private mutating func visit(_ number: Int, depth: Int, from lower: [UInt8]?, to upper: [UInt8]?, _ walk: inout Walk)
    {
        let kind: Kind = depth > 1 ? .branch : .leaf
        guard let bytes = page(number, kind, walk.owner) else { return }
        if kind == .branch { walk.branchPages += 1 } else { walk.leafPages += 1 }
        guard let nodes = nodes(of: bytes) else {
            return note("page \(number) of \(walk.owner) has entries out of place")
        }
        if kind == .branch, nodes.isEmpty { note("page \(number) of \(walk.owner) is empty") }
        var previous = lower
        var isInOrder = true
        for (index, node) in nodes.enumerated() {
            let size = bytes.short(at: node + 6)
            // The first key of a branch page stands for everything below the second.
            let key = kind == .branch && index == 0 ? lower : Array(bytes[node + 8..<node + 8 + size])
            let isFirst = index == 0
            let isPlaced =
                isOrdered(previous, key, orEqual: isFirst, walk.content)
                && isOrdered(key, upper, orEqual: false, walk.content)
            if isInOrder, !isPlaced {
                note("page \(number) of \(walk.owner) has keys out of order", disordered: walk.content.store)
            }
            isInOrder = isInOrder && isPlaced
            previous = key
            if kind == .leaf {
                visitEntry(bytes, node, &walk)
            } else {
                let child = bytes.short(at: node) | bytes.short(at: node + 2) << 16 | bytes.short(at: node + 4) << 32
                let next = index + 1 < nodes.count ? nodes[index + 1] : nil
                let end = next.map { Array(bytes[$0 + 8..<$0 + 8 + bytes.short(at: $0 + 6)]) } ?? upper
                visit(child, depth: depth - 1, from: key, to: end, &walk)
            }
        }
    }

    /// Where the page's nodes begin, if each lies within the page.
    private func nodes(of bytes: [UInt8]) -> [Int]? {
        let isLeaf = bytes.short(at: 10) & Kind.leaf.rawValue != 0
        let (lower, upper) = (bytes.short(at: 12), bytes.short(at: 14))
        guard lower >= 16, lower % 2 == 0, lower <= upper, upper <= pageSize else { return nil }
        var nodes: [Int] = []
        for offset in stride(from: 16, to: lower, by: 2) {
            let node = bytes.short(at: offset)
            guard node >= upper, node + 8 <= pageSize else { return nil }
            let keySize = bytes.short(at: node + 6)
            guard !isLeaf || (1...511).contains(keySize) else { return nil }
            var end = node + 8 + keySize
            if isLeaf {
                let isApart = bytes.short(at: node + 4) & Int(0x01) != 0
                end += isApart ? 8 : bytes.short(at: node) | bytes.short(at: node + 2) << 16
            }
            guard end <= pageSize else { return nil }
            nodes.append(node)
        }
        return nodes
    }

    private func isOrdered(_ one: [UInt8]?, _ other: [UInt8]?, orEqual: Bool, _ content: Content) -> Bool {
        guard let one, let other else { return true }
        // The free list's keys are transaction numbers.
        if case .freePages = content {
            guard one.count == 8, other.count == 8 else { return false }
            return one.integer(at: 0) < other.integer(at: 0) || (orEqual && one == other)
        }
        let order = unsafe compareBytes(one.span.bytes, other.span.bytes)
        return order < 0 || (orEqual && order == 0)
    }
}

// MARK: - Entries

extension PageAudit {
    private mutating func visitEntry(_ bytes: [UInt8], _ node: Int, _ walk: inout Walk) {
        walk.entries += 1
        let flags = bytes.short(at: node + 4)
        let size = bytes.short(at: node) | bytes.short(at: node + 2) << 16
        let keyEnd = node + 8 + bytes.short(at: node + 6)
        switch (walk.content, flags) {
        case (.names, 0x02) where size == 48:
            let name = String(decoding: bytes[node + 8..<keyEnd], as: UTF8.self)
            walk.stores.append((name, Array(bytes[keyEnd..<keyEnd + size])))
        case (.entries, 0): break
        case (.freePages, 0): takeFreePages(Array(bytes[keyEnd..<keyEnd + size]), walk.owner)
        case (.entries, 0x01), (.freePages, 0x01):
            guard let value = overflow(bytes.integer(at: keyEnd), size, &walk) else { return }
            if case .freePages = walk.content { takeFreePages(value, walk.owner) }
        default: note("\(walk.owner) has an entry that is none of Hearth's")
        }
    }

    /// A value on pages of its own.
    private mutating func overflow(_ number: Int, _ size: Int, _ walk: inout Walk) -> [UInt8]? {
        guard let first = page(number, .overflow, walk.owner) else { return nil }
        // A value that shrank keeps its pages.
        let pages = first.word(at: 12)
        walk.overflowPages += pages
        guard pages > (16 + size - 1) / pageSize, number <= lastPage - (pages - 1),
            (1..<pages).allSatisfy({ take(number + $0) }),
            let value = PageAudit.read(descriptor, from: number * pageSize + 16, count: size), value.count == size
        else {
            note("the value on page \(number) of \(walk.owner) is incomplete")
            return nil
        }
        return value
    }

    /// One entry of the free list: how many pages, then their numbers.
    private mutating func takeFreePages(_ list: [UInt8], _ owner: String) {
        guard list.count >= 8, (0...list.count / 8 - 1).contains(list.integer(at: 0)) else {
            return note("\(owner) has an entry that is cut short")
        }
        for index in 0..<list.integer(at: 0) {
            let page = list.integer(at: 8 + 8 * index)
            if !take(page) { note("\(owner) has page \(page), which does not exist or is in use") }
        }
    }
}
