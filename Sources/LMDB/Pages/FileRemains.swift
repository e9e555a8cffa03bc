// SPDX-License-Identifier: Apache-2.0

/// What tells of a file that it was a database, after it was cut short and LMDB cannot open it any more.
package enum FileRemains {
    private static let blockSize = 1 << 20

    /// Whether these bytes are somewhere in a file.
    package static func contain(_ bytes: [UInt8], in path: String) throws(LMDBError) -> Bool {
        let descriptor = System.open(path, .reading)
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .open, path: path) }
        defer { System.close(descriptor) }
        // Blocks overlap, so that the bytes lie in one of them.
        var block = [UInt8](repeating: 0, count: blockSize + bytes.count)
        var offset = 0
        while true {
            let count = unsafe System.read(descriptor, &block, block.count, at: offset)
            guard count >= 0 else { throw LMDBError(System.lastError, .open, path: path) }
            if hasPart(bytes, block.prefix(count)) { return true }
            guard count == block.count else { return false }
            offset += blockSize
        }
    }

    private static func hasPart(_ bytes: [UInt8], _ block: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        var rest = block
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: bytes) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Whether a file is empty beside a lock file of LMDB's, so that nothing else is left of a database.
    package static func areNothing(at path: String) -> Bool {
        guard let file = System.resolve(path), System.status(of: file)?.size == 0 else { return false }
        let descriptor = System.open(LockFile.path(file), .reading)
        guard descriptor >= 0 else { return false }
        defer { System.close(descriptor) }
        // It begins with the number with which a meta page names LMDB.
        var bytes: [UInt8] = [0, 0, 0, 0]
        let count = unsafe System.read(descriptor, &bytes, bytes.count, at: 0)
        return count == bytes.count && bytes.reversed().reduce(0) { $0 << 8 | Int($1) } == PageFormat.Meta.magicNumber
    }
}
