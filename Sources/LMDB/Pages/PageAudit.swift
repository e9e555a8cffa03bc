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
    private let maximumFindings: Int
    /// Whether there are as many findings as are asked for, or the caller does not want any. Then no page is read or copied.
    private(set) var isOver = false
    /// The last page that a tree has.
    private var highestPage = 0
    /// Pages read, and how many there are to read.
    private var count = 0
    private var total = 0
    private var nextReport = Int.max
    private let progress: ((_ share: Double) -> Bool)?
    /// The copy that checked pages go to.
    private(set) var copy: CopyFile?
    /// Of the copy, while the list of stores goes there.
    private var roots: [Int] = []

    struct Outcome {
        let findings: [PageFinding]
        /// Of the copy's list of stores.
        let root: Int
        let highestPage: Int
    }

    /// - Parameters:
    ///   - copy: gets every page but those of the free list. It is useless if anything is found.
    ///   - progress: called with the share of the pages that have been read. Where it returns false, no more are.
    static func run(
        _ file: PageFile, _ meta: MetaPage, _ stores: [String]? = nil, copy: CopyFile? = nil,
        maximumFindings: Int = 100, progress: ((_ share: Double) -> Bool)? = nil
    ) -> Outcome {
        guard var audit = PageAudit(file, meta, maximumFindings, progress) else {
            let finding = PageFinding(text: "the header tells of \(meta.lastPage) pages", disorderedStore: nil)
            return Outcome(findings: [finding], root: PageFormat.Record.noPage, highestPage: 0)
        }
        let root = audit.check(meta, stores, copy)
        return Outcome(findings: audit.findings, root: root, highestPage: audit.highestPage)
    }

    /// - Returns: The root of the copy's list of stores.
    private mutating func check(_ meta: MetaPage, _ stores: [String]?, _ copy: CopyFile?) -> Int {
        guard meta.hasUsualFlags else {
            note("the header tells of keys in another order than Hearth's")
            return PageFormat.Record.noPage
        }
        let named = walk(meta.main, "the list of stores", .names).stores.filter { name, _ in
            stores.map { names in names.contains { $0 == name } } ?? true
        }
        expect(named.map(\.1) + (stores == nil ? [meta.freeList] : []))
        self.copy = copy
        let roots = named.map { name, record in walk(record, "the store \"\(name)\"", .entries(name)).root }
        self.copy = nil
        if stores == nil { walk(meta.freeList, "the free list", .freePages) }
        guard let copy, !isOver else { return PageFormat.Record.noPage }
        return copyNames(meta, to: copy, roots)
    }

    /// The records of the stores have the new roots only now, so that their list is read once more.
    private mutating func copyNames(_ meta: MetaPage, to copy: CopyFile, _ roots: [Int]) -> Int {
        guard var names = PageAudit(file, meta, maximumFindings) else {
            note("the file was cut short")
            return PageFormat.Record.noPage
        }
        (names.copy, names.roots) = (copy, roots.reversed())
        let root = names.walk(meta.main, "the list of stores", .names).root
        findings += names.findings
        if !names.roots.isEmpty { note("the list of stores has fewer of them than before") }
        return root
    }

    /// What will be read besides the list of stores.
    private mutating func expect(_ records: [TreeRecord]) {
        guard progress != nil else { return }
        total = records.reduce(count) { $0 &+ $1.branchPages &+ $1.leafPages &+ $1.overflowPages }
        nextReport = count + pagesBetweenReports
    }

    private var pagesBetweenReports: Int { max(64, total / 64) }

    mutating func noteRead(_ first: Int, pages: Int = 1) {
        highestPage = max(highestPage, first + pages - 1)
        count += pages
        guard count >= nextReport, let progress else { return }
        nextReport = count + pagesBetweenReports
        // Of a damaged file the records may tell of fewer pages.
        if !progress(min(1, Double(count) / Double(max(1, total)))) { isOver = true }
    }

    /// The root that the next store has in the copy.
    mutating func nextRoot() -> Int? {
        let root = roots.popLast()
        if root == nil { note("the list of stores has more of them than before") }
        return root
    }

    /// Whether LMDB can look for stores in the main tree.
    static func isMainTreeSound(_ file: PageFile, _ meta: MetaPage) -> Bool {
        guard meta.hasUsualFlags, var audit = PageAudit(file, meta) else { return false }
        audit.walk(meta.main, "the list of stores", .names)
        return audit.findings.isEmpty
    }

    /// Whether a file may have the pages that its header tells of. Free pages at the end may be missing from it.
    static func isPlausible(_ meta: MetaPage, in file: PageFile) -> Bool {
        meta.lastPage >= 1 && meta.lastPage <= file.pageCount + 1 << 24
    }

    private init?(
        _ file: PageFile, _ meta: MetaPage, _ maximumFindings: Int = 1, _ progress: ((_ share: Double) -> Bool)? = nil
    ) {
        guard PageAudit.isPlausible(meta, in: file) else { return nil }
        self.file = file
        self.maximumFindings = maximumFindings
        self.progress = progress
        lastPage = meta.lastPage
        used = [UInt64](repeating: 0, count: lastPage / 64 + 1)
        for page in 0..<PageFormat.Meta.count { use(page) }
    }

    mutating func note(_ text: String, disordered store: String? = nil) {
        guard !isOver else { return }
        findings.append(PageFinding(text: text, disorderedStore: store))
        isOver = findings.count >= maximumFindings
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
        guard !isOver else { return nil }
        guard use(number) else {
            note("\(owner) refers to page \(number), which does not exist or is used twice")
            return nil
        }
        noteRead(number)
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
