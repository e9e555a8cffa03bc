// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Tells a file that was cut short from a whole one, before touching a missing page ends the process (SIGBUS).
///
/// A whole file may be shorter than its meta page says: LMDB does not write a page that a transaction allocates at the end and
/// frees again. Such pages are in the free list; a missing page that is not was cut off. The free list is read from the file,
/// because the map must not be touched yet.
struct FileLength {
    private let file: PageFile
    private let missing: Range<Int>
    private var freePages: Set<Int> = []
    private var pagesRead = 0

    private init(_ file: PageFile, missing: Range<Int>) {
        self.file = file
        self.missing = missing
    }

    @unsafe
    static func check(_ handle: OpaquePointer, path: String) throws(LMDBError) {
        var stat = MDB_stat()
        unsafe mdb_env_stat(handle, &stat)
        let file = unsafe PageFile(
            descriptor: Descriptors.data(of: handle), pageSize: Int(stat.ms_psize))
        // Another process may commit meanwhile; only a meta page that stayed the same proves anything.
        while true {
            let before = newestMeta(file)
            if let before, isWhole(file, before) { return }
            if before?.transaction == newestMeta(file)?.transaction {
                throw LMDBError(code: .corrupted, operation: .open, path: path)
            }
        }
    }

    private static func newestMeta(_ file: PageFile) -> MetaPage? {
        (0..<PageFormat.Meta.count).compactMap { file.meta($0) }.max { $0.transaction < $1.transaction }
    }

    private static func isWhole(_ file: PageFile, _ meta: MetaPage) -> Bool {
        let present = file.pageCount
        guard (0..<1 << 48).contains(meta.lastPage) else { return false }
        guard present <= meta.lastPage else { return true }
        var length = FileLength(file, missing: present..<meta.lastPage + 1)
        guard !meta.freeList.isEmpty, length.collect(meta.freeList.root, depth: meta.freeList.depth) else {
            return false
        }
        return length.freePages.count == length.missing.count
    }

    /// Gathers the missing pages that the free list names; `false` if its tree is damaged.
    private mutating func collect(_ page: Int, depth: Int) -> Bool {
        pagesRead += 1
        guard (1...PageFormat.maximumDepth).contains(depth), pagesRead <= missing.lowerBound,
            (0..<missing.lowerBound).contains(page)
        else { return false }
        return unsafe file.read(page: page) { start in
            guard let page = unsafe TreePage(at: start, size: file.pageSize, depth > 1 ? .branch : .leaf) else {
                return false
            }
            for index in unsafe 0..<page.count {
                guard unsafe depth > 1 ? collectChild(page.child(index), depth: depth - 1) : collectLeaf(page, index)
                else { return false }
            }
            return true
        } ?? false
    }

    private mutating func collectChild(_ page: Int?, depth: Int) -> Bool {
        page.map { collect($0, depth: depth) } ?? false
    }

    /// One entry of the free list, in the leaf or on overflow pages.
    @unsafe
    private mutating func collectLeaf(_ leaf: TreePage, _ index: Int) -> Bool {
        if let (_, value) = unsafe leaf.entry(index), let start = unsafe UnsafeRawPointer(value.mv_data) {
            return unsafe collect(FreeList(start, byteCount: value.mv_size))
        }
        guard case .overflow(let page, let byteCount)? = unsafe leaf.unusual(index),
            (0..<missing.lowerBound).contains(page)
        else { return false }
        return unsafe file.read(from: page * file.pageSize + PageFormat.Header.size, count: byteCount) { start in
            unsafe collect(FreeList(start, byteCount: byteCount))
        } ?? false
    }

    @unsafe
    private mutating func collect(_ list: FreeList?) -> Bool {
        guard let list = unsafe list else { return false }
        for index in unsafe 0..<list.count {
            let page = unsafe list.page(index)
            if missing.contains(page) { freePages.insert(page) }
        }
        return true
    }
}
