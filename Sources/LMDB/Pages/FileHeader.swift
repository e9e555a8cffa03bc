// SPDX-License-Identifier: Apache-2.0

/// Tells a damaged database from another kind of file before LMDB creates a lock file beside it.
///
/// Each of the two meta pages names LMDB. LMDB opens a file only if it can read both, and trusts their flags and page sizes: with
/// a wrong one, it divides by zero, or reads where the file has no pages.
enum FileHeader {
    /// - Returns: the number of the last commit.
    /// - Throws: `invalid` for a file that is no database, `corrupted` for one without both meta pages, or with wrong flags or page sizes.
    ///   LMDB itself finds `versionMismatch`.
    @discardableResult
    static func check(_ path: String) throws(LMDBError) -> Int {
        let descriptor = System.open(path, .reading)
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .open, path: path) }
        defer { System.close(descriptor) }
        let first = Page(descriptor, at: 0)
        let pageSize = first.isMeta ? first.pageSize : System.pageSize
        let second = Page(descriptor, at: pageSize)
        guard first.isMeta || second.isMeta else { throw LMDBError(code: .invalid, operation: .open, path: path) }
        guard first.isMeta, second.isMeta, first.isWhole, second.isWhole, first.pageSize == second.pageSize,
            PageFormat.isPageSize(pageSize)
        else {
            throw LMDBError(code: .corrupted, operation: .open, path: path)
        }
        return max(first.transaction, second.transaction)
    }

    private struct Page {
        let isMeta: Bool
        let isWhole: Bool
        let pageSize: Int
        /// Zero for a page that is not whole.
        let transaction: Int

        init(_ descriptor: Int32, at offset: Int) {
            var bytes = [UInt8](repeating: 0, count: PageFormat.Meta.end)
            let count = unsafe System.read(descriptor, &bytes, bytes.count, at: offset)
            let isRead = count == bytes.count
            (isWhole, transaction) = unsafe bytes.withUnsafeBytes { bytes in
                guard isRead, let page = bytes.baseAddress else { return (false, 0) }
                let meta = unsafe MetaPage(page)
                return (meta.hasUsualFlags, meta.transaction)
            }
            (isMeta, pageSize) = unsafe bytes.withUnsafeBytes { bytes in
                guard count >= PageFormat.Meta.pageSize + 4, let page = bytes.baseAddress else { return (false, 0) }
                return unsafe (
                    page.word(at: PageFormat.Meta.magic) == PageFormat.Meta.magicNumber,
                    page.word(at: PageFormat.Meta.pageSize)
                )
            }
        }
    }
}
