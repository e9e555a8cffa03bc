// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// Tells a file that was cut short from a whole one, before touching a missing page kills the process (SIGBUS).
///
/// A whole file may be shorter than its header says: LMDB never writes a page that a transaction takes at the end
/// and frees again. Such pages stand in the free list; a missing page that does not was cut off. The free list is
/// read with `pread`, in LMDB's page format, because the map must not be touched yet.
struct FileLength {
    private let descriptor: Int32
    private let pageSize: Int
    private var missing: Range<Int>
    private var freePages: Set<Int> = []
    private var pagesRead = 0

    @unsafe
    static func check(_ handle: OpaquePointer, path: String) throws(LMDBError) {
        var stat = MDB_stat()
        unsafe mdb_env_stat(handle, &stat)
        let descriptor = unsafe Environment.dataDescriptor(of: handle)
        // Another process may commit meanwhile; only a header that stayed the same proves anything.
        while true {
            var check = FileLength(descriptor: descriptor, pageSize: Int(stat.ms_psize), missing: 0..<0)
            let before = check.newestHeader()
            if let before, check.isWhole(before) { return }
            if before?.transaction == check.newestHeader()?.transaction {
                throw LMDBError(code: .corrupted, operation: .open, path: path)
            }
        }
    }

    private struct Header {
        let transaction: Int
        let lastPage: Int
        let freeListRoot: Int
    }

    private func newestHeader() -> Header? {
        [0, 1].compactMap { page in
            guard let bytes = read(from: page * pageSize, count: 152), bytes.count == 152 else { return nil }
            return Header(
                transaction: bytes.integer(at: 144), lastPage: bytes.integer(at: 136),
                freeListRoot: bytes.integer(at: 80))
        }.max { $0.transaction < $1.transaction }
    }

    private mutating func isWhole(_ header: Header) -> Bool {
        var file = stat()
        let size = unsafe fstat(descriptor, &file) == 0 ? Int(file.st_size) : 0
        let present = size / pageSize
        guard (0..<1 << 48).contains(header.lastPage) else { return false }
        guard present <= header.lastPage else { return true }
        missing = present..<header.lastPage + 1
        // LMDB marks an empty tree with the greatest page number.
        guard header.freeListRoot != -1, collect(header.freeListRoot, depth: 0) else { return false }
        return freePages.count == missing.count
    }

    /// Gathers the missing pages that the tree of the free list names; `false` if the tree itself is damaged.
    private mutating func collect(_ page: Int, depth: Int) -> Bool {
        pagesRead += 1
        guard depth < 32, pagesRead <= missing.lowerBound, (0..<missing.lowerBound).contains(page),
            let bytes = read(from: page * pageSize, count: pageSize), bytes.count == pageSize
        else { return false }
        let isBranch = bytes[10] & 1 != 0
        let entries = (bytes.short(at: 12) - 16) / 2
        guard entries >= 0, 16 + 2 * entries <= pageSize else { return false }
        for entry in 0..<entries {
            let node = bytes.short(at: 16 + 2 * entry)
            guard node + 8 <= pageSize else { return false }
            let low = bytes.short(at: node) | bytes.short(at: node + 2) << 16
            if isBranch {
                guard collect(low | bytes.short(at: node + 4) << 32, depth: depth + 1) else { return false }
            } else {
                guard collectLeaf(bytes, node: node, count: low) else { return false }
            }
        }
        return true
    }

    /// One entry of the free list: its length and its page numbers, in the leaf or in pages of its own.
    private mutating func collectLeaf(_ bytes: [UInt8], node: Int, count: Int) -> Bool {
        let start = node + 8 + bytes.short(at: node + 6)
        let isApart = bytes[node + 4] & 1 != 0
        guard start + (isApart ? 8 : count) <= pageSize else { return false }
        var list = isApart ? [] : Array(bytes[start..<start + count])
        if isApart {
            let page = bytes.integer(at: start)
            guard (0..<missing.lowerBound).contains(page),
                page * pageSize + 16 + count <= missing.lowerBound * pageSize,
                let apart = read(from: page * pageSize + 16, count: count)
            else { return false }
            list = apart
        }
        guard list.count >= 8, list.count == count else { return false }
        let pages = list.integer(at: 0)
        guard (0...(count / 8 - 1)).contains(pages) else { return false }
        for index in 0..<pages {
            let page = list.integer(at: 8 + 8 * index)
            if missing.contains(page) { freePages.insert(page) }
        }
        return true
    }

    private func read(from offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe pread(descriptor, &bytes, count, offset)
        guard read >= 0 else { return nil }
        return Array(bytes.prefix(read))
    }
}
