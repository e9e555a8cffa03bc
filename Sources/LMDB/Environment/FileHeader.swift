// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Tells a damaged database from a file that is none, before LMDB makes a lock file beside it.
///
/// An LMDB file begins with two headers, each in a page of its own, of which either names LMDB. LMDB takes the file for no database
/// unless it can read both.
enum FileHeader {
    /// Of a header, which follows 16 bytes of its page.
    private static let byteCount = 152
    private static let magic = 0xBEEF_C0DE

    /// - Throws: `invalid` for what is no database, `corrupted` for one without both headers. `versionMismatch` is left to LMDB.
    static func check(_ path: String) throws(LMDBError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, .open, path: path) }
        defer { close(descriptor) }
        let first = read(descriptor, at: 0)
        let pageSize = isHeader(first) ? first.integer(at: 40) & 0xFFFF_FFFF : sysconf(Int32(_SC_PAGESIZE))
        let second = read(descriptor, at: pageSize)
        guard isHeader(first) || isHeader(second) else { throw LMDBError(code: .invalid, operation: .open, path: path) }
        let areWhole = [first, second].allSatisfy { isHeader($0) && $0.count == byteCount }
        guard areWhole else { throw LMDBError(code: .corrupted, operation: .open, path: path) }
    }

    private static func isHeader(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 48 && bytes.integer(at: 16) & 0xFFFF_FFFF == magic
    }

    /// The bytes from `place` on, as many as there are.
    private static func read(_ descriptor: Int32, at place: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let count = unsafe pread(descriptor, &bytes, byteCount, place)
        return Array(bytes.prefix(max(0, count)))
    }
}
