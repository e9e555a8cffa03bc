// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Reads pages from the file and not through the map, where the file may be shorter than it should be.
struct PageFile {
    let descriptor: Int32
    let pageSize: Int

    /// How many whole pages the file has. Not by `lseek`, because LMDB writes at the descriptor's offset.
    var pageCount: Int {
        System.status(of: descriptor).map { $0.size / pageSize } ?? 0
    }

    /// Shows bytes of the file to `body`, in a buffer of their own; nil if they are not all there.
    func read<R>(from offset: Int, count: Int, _ body: (UnsafeMutableRawPointer) -> R) -> R? {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
        defer { unsafe buffer.deallocate() }
        guard unsafe System.read(descriptor, buffer, count, at: offset) == count else { return nil }
        return unsafe body(buffer)
    }

    /// Shows a page of a tree to `body`; nil if it is missing.
    func read<R>(page: Int, _ body: (UnsafeMutableRawPointer) -> R) -> R? {
        let (offset, overflow) = page.multipliedReportingOverflow(by: pageSize)
        return overflow || page < 0 ? nil : unsafe read(from: offset, count: pageSize, body)
    }

    /// Whether reading a page would not wait for the disk. False for a page that the file does not have, and on file systems that
    /// do not tell.
    func isInMemory(_ page: Int) -> Bool {
        let (offset, overflow) = page.multipliedReportingOverflow(by: pageSize)
        return !overflow && System.isInMemory(descriptor, at: offset)
    }

    /// One of the meta pages.
    func meta(_ number: Int) -> MetaPage? {
        unsafe read(from: number * pageSize, count: PageFormat.Meta.end) { unsafe MetaPage($0) }
    }

    /// The meta page with the state of a transaction; nil once a later commit has overwritten it.
    func meta(of transaction: Int) -> MetaPage? {
        meta(MetaPage.number(of: transaction)).flatMap { $0.transaction == transaction ? $0 : nil }
    }

    /// A whole meta page.
    struct Header {
        let meta: MetaPage
        var page: [UInt8]
    }

    /// As ``meta(of:)``; nil also where the page is none that LMDB would open.
    func header(of transaction: Int) -> Header? {
        let header: Header?? = unsafe read(page: MetaPage.number(of: transaction)) { page in
            guard unsafe isMeta(page) else { return nil }
            return unsafe Header(
                meta: MetaPage(page), page: [UInt8](UnsafeRawBufferPointer(start: page, count: pageSize)))
        }
        return (header ?? nil).flatMap { $0.meta.transaction == transaction ? $0 : nil }
    }

    @unsafe
    private func isMeta(_ page: UnsafeRawPointer) -> Bool {
        let flags = unsafe page.short(at: PageFormat.Header.flags) & Int(PageFormat.Kind.mask)
        return unsafe flags == PageFormat.Meta.kind
            && page.word(at: PageFormat.Meta.magic) == PageFormat.Meta.magicNumber
            && page.word(at: PageFormat.Meta.version) == PageFormat.Meta.versionNumber
            && page.word(at: PageFormat.Meta.pageSize) == pageSize
    }
}
