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

/// A walk over the pages of one state, as bytes of the file.
struct PageAudit {
    let file: PageFile
    let lastPage: Int
    /// One bit a page: whether a tree or the free list has it.
    private var used: [UInt64]
    private var findings: [PageFinding] = []
    private static let maximumFindings = 100
    /// Pages read.
    private var count = 0
    private let progress: ((_ pages: Int) -> Void)?
    private var pagesBetweenReports: Int { max(512, lastPage / 16) }

    /// - Parameter progress: called with the number of pages read so far.
    static func run(
        _ file: PageFile, _ meta: MetaPage, _ stores: [String]? = nil, progress: ((_ pages: Int) -> Void)? = nil
    ) -> [PageFinding] {
        guard var audit = PageAudit(file, meta, progress) else {
            return [PageFinding(text: "the header tells of \(meta.lastPage) pages", disorderedStore: nil)]
        }
        guard meta.hasUsualFlags else {
            return [PageFinding(text: "the header tells of keys in another order than Hearth's", disorderedStore: nil)]
        }
        for (name, record) in audit.walk(meta.main, "the list of stores", .names)
        where stores.map({ names in names.contains { $0 == name } }) ?? true {
            audit.walk(record, "the store \"\(name)\"", .entries(name))
        }
        if stores == nil { audit.walk(meta.freeList, "the free list", .freePages) }
        return audit.findings
    }

    /// Whether LMDB can look for stores in the main tree.
    static func isMainTreeSound(_ file: PageFile, _ meta: MetaPage) -> Bool {
        guard meta.hasUsualFlags, var audit = PageAudit(file, meta) else { return false }
        audit.walk(meta.main, "the list of stores", .names)
        return audit.findings.isEmpty
    }

    private init?(_ file: PageFile, _ meta: MetaPage, _ progress: ((_ pages: Int) -> Void)? = nil) {
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

    /// Shows a page's bytes to `body`, if it is used here alone and is what it should be.
    mutating func read(
        _ number: Int, _ kind: PageFormat.Kind, _ owner: String, _ body: (inout PageAudit, UnsafeRawPointer) -> Void
    ) {
        guard use(number) else {
            return note("\(owner) refers to page \(number), which does not exist or is used twice")
        }
        count += 1
        if let progress, count % pagesBetweenReports == 0 { progress(count) }
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
