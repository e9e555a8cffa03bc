// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// What is wrong with a page.
package struct PageFinding: Sendable {
    /// In words.
    package let text: String
    /// The store in which entries may not be found though LMDB can read it safely: keys are out of order, or their number is
    /// not the recorded one. Nil where LMDB must not follow the pages at all.
    package let disorderedStore: String?
}

/// A walk over the pages of one state, as bytes of the file, which can write them to a compacted copy on its way.
struct PageAudit {
    let file: PageFile
    let lastPage: Int
    /// One bit a page: whether a tree or the free list has it.
    private var used: [UInt64]
    private var findings: [PageFinding] = []
    private static let maximumFindings = 100
    /// Pages read, and how many there are to read.
    var count = 0
    private var total = 0
    private var nextReport = Int.max
    private let progress: ((_ share: Double) -> Void)?
    /// The copy that checked pages go to.
    private(set) var copy: CopyFile?
    /// Of the copy, while the list of stores goes there.
    private(set) var roots: [Int] = []

    /// - Parameters:
    ///   - copy: gets every page but those of the free list. It is useless if anything is found.
    ///   - progress: called with the share of the pages that have been read.
    /// - Returns: What is wrong, and the root of the copy's list of stores.
    static func run(
        _ file: PageFile, _ meta: MetaPage, _ stores: [String]? = nil, copy: CopyFile? = nil,
        progress: ((_ share: Double) -> Void)? = nil
    ) -> (findings: [PageFinding], root: Int) {
        guard var audit = PageAudit(file, meta, progress) else {
            return ([PageFinding(text: "the header tells of \(meta.lastPage) pages", disorderedStore: nil)], 0)
        }
        guard meta.hasUsualFlags else {
            let text = "the header tells of keys in another order than Hearth's"
            return ([PageFinding(text: text, disorderedStore: nil)], 0)
        }
        let named = audit.walk(meta.main, "the list of stores", .names).stores.filter { name, _ in
            stores.map { names in names.contains { $0 == name } } ?? true
        }
        audit.expect(named.map(\.1) + (stores == nil ? [meta.freeList] : []))
        audit.copy = copy
        let roots = named.map { name, record in
            audit.walk(record, "the store \"\(name)\"", .entries(name)).root
        }
        audit.copy = nil
        if stores == nil { audit.walk(meta.freeList, "the free list", .freePages) }
        guard let copy, audit.findings.isEmpty, var names = PageAudit(file, meta) else { return (audit.findings, 0) }
        // The records of the stores have the new roots only now.
        (names.copy, names.roots) = (copy, roots.reversed())
        let root = names.walk(meta.main, "the list of stores", .names).root
        return (names.findings, root)
    }

    /// What will be read besides the list of stores.
    private mutating func expect(_ records: [TreeRecord]) {
        guard progress != nil else { return }
        total = records.reduce(count) { $0 &+ $1.branchPages &+ $1.leafPages &+ $1.overflowPages }
        nextReport = count + pagesBetweenReports
    }

    private var pagesBetweenReports: Int { max(64, total / 64) }

    mutating func noteRead(pages: Int = 1) {
        count += pages
        guard count >= nextReport else { return }
        nextReport = count + pagesBetweenReports
        // Of a damaged file the records may tell of fewer pages.
        progress?(min(1, Double(count) / Double(max(1, total))))
    }

    /// The root that the next store has in the copy.
    mutating func nextRoot() -> Int? { roots.popLast() }

    /// Whether LMDB can look for stores in the main tree.
    static func isMainTreeSound(_ file: PageFile, _ meta: MetaPage) -> Bool {
        guard meta.hasUsualFlags, var audit = PageAudit(file, meta) else { return false }
        audit.walk(meta.main, "the list of stores", .names)
        return audit.findings.isEmpty
    }

    private init?(_ file: PageFile, _ meta: MetaPage, _ progress: ((_ share: Double) -> Void)? = nil) {
        // Free pages at the end may be missing from the file.
        guard meta.lastPage >= 1, meta.lastPage <= file.pageCount + 1 << 24 else { return nil }
        self.file = file
        self.progress = progress
        lastPage = meta.lastPage
        used = [UInt64](repeating: 0, count: lastPage / 64 + 1)
        for page in 0..<PageFormat.Meta.count { use(page) }
    }

    mutating func note(_ text: String, disordered store: String? = nil) {
        guard findings.count < PageAudit.maximumFindings else { return }
        findings.append(PageFinding(text: text, disorderedStore: store))
    }

    /// Marks a page as used; false if it was, or does not exist.
    @discardableResult
    mutating func use(_ page: Int) -> Bool {
        guard (0...lastPage).contains(page), used[page / 64] & 1 << UInt64(page % 64) == 0 else { return false }
        used[page / 64] |= 1 << UInt64(page % 64)
        return true
    }

    /// Shows a page's bytes to `body`, which may change them, if the page is used here alone and is what it should be.
    ///
    /// - Returns: The page's number in the copy, as `body` has it; nil without one.
    @discardableResult
    mutating func read(
        _ number: Int, _ kind: PageFormat.Kind, _ owner: String,
        _ body: (inout PageAudit, UnsafeMutableRawPointer) -> Int?
    ) -> Int? {
        guard use(number) else {
            note("\(owner) refers to page \(number), which does not exist or is used twice")
            return nil
        }
        noteRead()
        let file = file
        let copied: Int?? = unsafe file.read(page: number) { page in
            let bytes = UnsafeRawPointer(page)
            let flags = unsafe UInt16(bytes.short(at: PageFormat.Header.flags)) & PageFormat.Kind.mask
            guard unsafe bytes.integer(at: PageFormat.Header.number) == number, flags == kind.rawValue else {
                note("page \(number) of \(owner) is not the page it should be")
                return nil
            }
            return unsafe body(&self, page)
        }
        if copied == nil { note("page \(number) of \(owner) is missing from the file") }
        return copied ?? nil
    }
}
