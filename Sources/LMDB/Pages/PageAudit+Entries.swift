// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension PageAudit {
    @unsafe
    mutating func visitEntry(_ buffer: BufferPage, _ index: Int, _ walk: inout Walk) {
        walk.entries += 1
        let page = unsafe buffer.page
        let unusual = unsafe page.unusual(index)
        switch (walk.content, unusual) {
        case (.names, .record(let record)?):
            guard let key = unsafe page.key(index) else { return }
            walk.stores.append(
                (
                    unsafe String(
                        decoding: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size), as: UTF8.self), record
                ))
            if copy != nil, let root = nextRoot() { unsafe buffer.setRoot(index, root) }
        case (.entries, nil): break
        case (.freePages, nil):
            guard let (_, value) = unsafe page.entry(index), let start = unsafe UnsafeRawPointer(value.mv_data) else {
                return
            }
            unsafe useFreePages(FreeList(start, byteCount: value.mv_size), walk.owner)
        case (.entries, .overflow(let number, let byteCount)?), (.freePages, .overflow(let number, let byteCount)?):
            if let copied = visitOverflow(number, byteCount, &walk) { unsafe buffer.setOverflow(index, copied) }
        default: note("\(walk.owner) has an entry that is none of Hearth's")
        }
    }

    /// A value on pages of its own.
    private mutating func visitOverflow(_ number: Int, _ byteCount: Int, _ walk: inout Walk) -> Int? {
        unsafe read(number, .overflow, walk.owner) { audit, page in
            let pageSize = audit.file.pageSize
            // A value that shrank keeps its pages.
            let pages = unsafe UnsafeRawPointer(page).word(at: PageFormat.Header.overflowPages)
            walk.overflowPages += pages
            // A copy takes what follows the value, too. A damaged page may tell of more than there is memory for.
            let copiesAll = audit.copy != nil
            guard pages * pageSize >= PageFormat.Header.size + byteCount, number <= audit.lastPage - (pages - 1),
                !copiesAll || walk.overflowPages <= walk.record.overflowPages,
                (1..<pages).allSatisfy({ audit.use(number + $0) })
            else {
                audit.note("the value on page \(number) of \(walk.owner) is incomplete")
                return nil
            }
            audit.noteRead(number + 1, pages: pages - 1)
            let file = audit.file
            let count = copiesAll ? pages * pageSize : PageFormat.Header.size + byteCount
            let copied: Int?? = unsafe file.read(from: number * pageSize, count: count) { bytes in
                if case .freePages = walk.content {
                    unsafe audit.useFreePages(
                        FreeList(bytes + PageFormat.Header.size, byteCount: byteCount), walk.owner)
                }
                return unsafe audit.copy?.append(bytes, count: count)
            }
            if copied == nil { audit.note("the value on page \(number) of \(walk.owner) is incomplete") }
            return copied ?? nil
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
