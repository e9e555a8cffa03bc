// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Checks every page of every store's tree and of the free list: that it exists, is of the right kind, has its keys in
    /// order, and is used once.
    ///
    /// The pages are read from the file and not by LMDB, which trusts them: a damaged page can end the process or send it
    /// into an endless loop. Others may write meanwhile.
    ///
    /// - Returns: What is wrong, at most a hundred findings.
    package func auditPages() throws(LMDBError) -> [PageFinding] {
        while true {
            // While a read of a state is open its pages are not reused.
            let findings = try read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> [PageFinding]? in
                let file = PageFile(descriptor: dataDescriptor, pageSize: info.pageSize)
                guard let meta = file.meta(of: transaction.transactionID) else {
                    // Two commits later it is overwritten; else it is damaged.
                    guard info.lastTransactionID == transaction.transactionID else { return nil }
                    return [PageFinding(text: "the header is not the one it should be", disorderedStore: nil)]
                }
                return PageAudit.run(file, meta)
            }
            if let findings { return findings }
        }
    }
}

/// What is wrong with a page.
package struct PageFinding: Sendable {
    /// In words.
    package let text: String
    /// The store in which entries may not be found though LMDB can read it safely: keys are out of order, or their number is
    /// not the recorded one. Nil where LMDB must not follow the pages at all.
    package let disorderedStore: String?
}

/// A walk over the pages of one state, as bytes of the file.
struct PageAudit {
    private let file: PageFile
    private let lastPage: Int
    /// One bit a page: whether a tree or the free list has it.
    private var used: [UInt64]
    private var findings: [PageFinding] = []
    private static let maximumFindings = 100

    static func run(_ file: PageFile, _ meta: MetaPage) -> [PageFinding] {
        guard var audit = PageAudit(file, meta) else {
            return [PageFinding(text: "the header tells of \(meta.lastPage) pages", disorderedStore: nil)]
        }
        for (name, record) in audit.walk(meta.main, "the list of stores", .names) {
            audit.walk(record, "the store \"\(name)\"", .entries(name))
        }
        audit.walk(meta.freeList, "the free list", .freePages)
        return audit.findings
    }

    /// Whether LMDB can look for stores in the main tree.
    static func isMainTreeSound(_ file: PageFile, _ meta: MetaPage) -> Bool {
        guard meta.main.flags == 0, var audit = PageAudit(file, meta) else { return false }
        audit.walk(meta.main, "the list of stores", .names)
        return audit.findings.isEmpty
    }

    private init?(_ file: PageFile, _ meta: MetaPage) {
        // Free pages at the end may be missing from the file.
        guard meta.lastPage >= 1, meta.lastPage <= file.pageCount + 1 << 24 else { return nil }
        self.file = file
        lastPage = meta.lastPage
        used = [UInt64](repeating: 0, count: lastPage / 64 + 1)
        for page in 0..<PageFormat.Meta.count { use(page) }
    }

    private mutating func note(_ text: String, disordered store: String? = nil) {
        guard findings.count < PageAudit.maximumFindings else { return }
        findings.append(PageFinding(text: text, disorderedStore: store))
    }

    /// Marks a page as used; false if it was, or does not exist.
    @discardableResult
    private mutating func use(_ page: Int) -> Bool {
        guard (0...lastPage).contains(page), used[page / 64] & 1 << UInt64(page % 64) == 0 else { return false }
        used[page / 64] |= 1 << UInt64(page % 64)
        return true
    }

    /// Shows a page's bytes to `body`, if it is used here alone and is what it should be.
    private mutating func read(
        _ number: Int, _ kind: PageFormat.Kind, _ owner: String, _ body: (inout PageAudit, UnsafeRawPointer) -> Void
    ) {
        guard use(number) else {
            return note("\(owner) refers to page \(number), which does not exist or is used twice")
        }
        let file = file
        let isThere: Void? = unsafe file.read(page: number) { page in
            let flags = unsafe UInt16(page.short(at: PageFormat.Header.flags)) & PageFormat.Kind.mask
            guard unsafe page.integer(at: PageFormat.Header.number) == number, flags == kind.rawValue else {
                return note("page \(number) of \(owner) is not the page it should be")
            }
            unsafe body(&self, page)
        }
        if isThere == nil { note("page \(number) of \(owner) is missing from the file") }
    }
}

// MARK: - Trees

extension PageAudit {
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
        /// The stores that the main tree names.
        var stores: [(String, TreeRecord)] = []

        func agrees(with record: TreeRecord) -> Bool {
            record.entries == entries && record.branchPages == branchPages && record.leafPages == leafPages
                && record.overflowPages == overflowPages
        }
    }

    /// The keys between which those of a page must lie: from `lower` to just below `upper`.
    @unsafe
    private struct Bounds {
        var lower: MDB_val?
        var upper: MDB_val?
    }

    @discardableResult
    private mutating func walk(
        _ record: TreeRecord, _ owner: String, _ content: Content
    ) -> [(String, TreeRecord)] {
        var walk = Walk(owner: owner, content: content)
        if !record.isEmpty {
            guard (1...PageFormat.maximumDepth).contains(record.depth) else {
                note("\(owner) has an impossible depth")
                return []
            }
            unsafe visit(record.root, depth: record.depth, Bounds(), &walk)
        }
        if case .entries = content, record.flags != 0 { note("\(owner) has keys in another order than Hearth's") }
        if !walk.agrees(with: record) {
            note("\(owner) does not have the pages and entries that its record tells of", disordered: content.store)
        }
        return walk.stores
    }

    @unsafe
    private mutating func visit(_ number: Int, depth: Int, _ bounds: Bounds, _ walk: inout Walk) {
        let kind: PageFormat.Kind = depth > 1 ? .branch : .leaf
        unsafe read(number, kind, walk.owner) { audit, bytes in
            if kind == .branch { walk.branchPages += 1 } else { walk.leafPages += 1 }
            guard let page = unsafe TreePage(at: bytes, size: audit.file.pageSize, kind),
                unsafe page.hasNodesInPlace(kind)
            else { return audit.note("page \(number) of \(walk.owner) has entries out of place") }
            if unsafe !audit.isInOrder(page, kind, bounds, walk.content) {
                audit.note("page \(number) of \(walk.owner) has keys out of order", disordered: walk.content.store)
            }
            for index in unsafe 0..<page.count {
                if kind == .leaf {
                    unsafe audit.visitEntry(page, index, &walk)
                } else if let child = unsafe page.child(index) {
                    let lower = unsafe index == 0 ? bounds.lower : page.key(index)
                    let upper = unsafe index + 1 < page.count ? page.key(index + 1) : bounds.upper
                    unsafe audit.visit(child, depth: depth - 1, Bounds(lower: lower, upper: upper), &walk)
                }
            }
        }
    }

    @unsafe
    private func isInOrder(_ page: TreePage, _ kind: PageFormat.Kind, _ bounds: Bounds, _ content: Content) -> Bool {
        var previous = unsafe bounds.lower
        // Node 0 of a branch has no key.
        for index in unsafe (kind == .branch ? 1 : 0)..<page.count {
            let key = unsafe page.key(index)
            let mayBeEqual = kind == .leaf && index == 0
            guard unsafe isOrdered(previous, key, orEqual: mayBeEqual, content) else { return false }
            unsafe previous = unsafe key
        }
        return unsafe isOrdered(previous, bounds.upper, orEqual: false, content)
    }

    @unsafe
    private func isOrdered(_ one: MDB_val?, _ other: MDB_val?, orEqual: Bool, _ content: Content) -> Bool {
        guard let one = unsafe one, let other = unsafe other else { return true }
        guard case .freePages = content else {
            let order = unsafe compareBytes(RawSpan(one), RawSpan(other))
            return order < 0 || (orEqual && order == 0)
        }
        // The free list's keys are transaction numbers.
        guard let first = unsafe one.number, let second = unsafe other.number else { return false }
        return first < second || (orEqual && first == second)
    }
}

extension MDB_val {
    fileprivate var number: Int? {
        unsafe mv_size == 8 ? UnsafeRawPointer(mv_data).map { unsafe $0.integer(at: 0) } : nil
    }
}

// MARK: - Entries

extension PageAudit {
    @unsafe
    private mutating func visitEntry(_ page: TreePage, _ index: Int, _ walk: inout Walk) {
        walk.entries += 1
        let unusual = unsafe page.unusual(index)
        switch (walk.content, unusual) {
        case (.names, .record(let record)?):
            guard let key = unsafe page.key(index) else { return }
            walk.stores.append(
                (
                    unsafe String(
                        decoding: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size), as: UTF8.self), record
                ))
        case (.entries, nil): break
        case (.freePages, nil):
            guard let (_, value) = unsafe page.entry(index), let start = unsafe UnsafeRawPointer(value.mv_data) else {
                return
            }
            unsafe useFreePages(FreeList(start, byteCount: value.mv_size), walk.owner)
        case (.entries, .overflow(let number, let byteCount)?), (.freePages, .overflow(let number, let byteCount)?):
            visitOverflow(number, byteCount, &walk)
        default: note("\(walk.owner) has an entry that is none of Hearth's")
        }
    }

    /// A value on pages of its own.
    private mutating func visitOverflow(_ number: Int, _ byteCount: Int, _ walk: inout Walk) {
        unsafe read(number, .overflow, walk.owner) { audit, page in
            let pageSize = audit.file.pageSize
            // A value that shrank keeps its pages.
            let pages = unsafe page.word(at: PageFormat.Header.overflowPages)
            walk.overflowPages += pages
            let start = number * pageSize + PageFormat.Header.size
            guard pages * pageSize >= PageFormat.Header.size + byteCount, number <= audit.lastPage - (pages - 1),
                (1..<pages).allSatisfy({ audit.use(number + $0) })
            else { return audit.note("the value on page \(number) of \(walk.owner) is incomplete") }
            let file = audit.file
            let isThere: Void? = unsafe file.read(from: start, count: byteCount) { bytes in
                guard case .freePages = walk.content else { return }
                unsafe audit.useFreePages(FreeList(bytes, byteCount: byteCount), walk.owner)
            }
            if isThere == nil { audit.note("the value on page \(number) of \(walk.owner) is incomplete") }
        }
    }

    @unsafe
    private mutating func useFreePages(_ list: FreeList?, _ owner: String) {
        guard let list = unsafe list else { return note("\(owner) has an entry that is cut short") }
        for index in unsafe 0..<list.count {
            let page = unsafe list.page(index)
            if !use(page) { note("\(owner) has page \(page), which does not exist or is in use") }
        }
    }
}
