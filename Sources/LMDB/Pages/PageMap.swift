// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The pages of one state, in LMDB's memory map.
///
/// A page number is checked against the pages that the state and the file have before the page is touched: touching a page
/// that was cut off would end the process (SIGBUS).
@unsafe
struct PageMap {
    private let base: UnsafeRawPointer
    let pageSize: Int
    private let pageCount: Int

    /// - Parameter pageCount: the pages that the file has and the state knows of.
    init(base: UnsafeRawPointer, pageSize: Int, pageCount: Int) {
        unsafe self.base = base
        unsafe self.pageSize = pageSize
        unsafe self.pageCount = pageCount
    }

    func with(pageCount: Int) -> PageMap { unsafe PageMap(base: base, pageSize: pageSize, pageCount: pageCount) }

    /// As ``PageFile/meta(of:)``.
    func meta(of transaction: Int) -> MetaPage? {
        let meta = unsafe MetaPage(base + MetaPage.number(of: transaction) * pageSize)
        return meta.transaction == transaction ? meta : nil
    }

    /// The address of a page; nil if it does not exist.
    @inline(__always)
    func address(of page: Int) -> UnsafeRawPointer? {
        guard page >= PageFormat.Meta.count, unsafe page < pageCount else { return nil }
        return unsafe base + page * pageSize
    }

    /// Prefetches the first lines of a page, if it exists.
    @inline(__always)
    func prefetch(_ page: Int, lines: Int) {
        guard let address = unsafe address(of: page) else { return }
        for line in 0..<lines { unsafe hearth_prefetch(address + 64 * line) }
    }

    /// A page of a tree; nil if it does not exist, is of another kind or has another number.
    @inline(__always)
    func page(_ number: Int, _ kind: PageFormat.Kind) -> TreePage? {
        guard let address = unsafe address(of: number),
            unsafe address.integer(at: PageFormat.Header.number) == number
        else { return nil }
        return unsafe TreePage(at: address, size: pageSize, kind)
    }

    /// The value of a leaf's entry; nil if it does not lie where values may.
    @inline(__always)
    func value(_ index: Int, of leaf: TreePage) -> MDB_val? {
        if let entry = unsafe leaf.entry(index) { return unsafe entry.value }
        return unsafe overflowValue(index, of: leaf)
    }

    @inline(never)
    private func overflowValue(_ index: Int, of leaf: TreePage) -> MDB_val? {
        guard case .overflow(let page, let byteCount)? = unsafe leaf.unusual(index),
            let address = unsafe address(of: page),
            unsafe address.integer(at: PageFormat.Header.number) == page,
            unsafe UInt16(address.short(at: PageFormat.Header.flags)) & PageFormat.Kind.mask
                == PageFormat.Kind.overflow.rawValue
        else { return nil }
        // A value that shrank keeps its pages.
        let pages = unsafe address.word(at: PageFormat.Header.overflowPages)
        guard unsafe PageFormat.Header.size + byteCount <= pages * pageSize, unsafe page + pages <= pageCount else {
            return nil
        }
        return unsafe MDB_val(
            mv_size: byteCount, mv_data: UnsafeMutableRawPointer(mutating: address + PageFormat.Header.size))
    }
}
