// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// LMDB's descriptor of a database file, and how many more file descriptors the process may open.
enum Descriptors {
    /// LMDB's descriptor of the database file.
    @unsafe
    static func data(of environment: OpaquePointer) -> Int32 {
        var descriptor: Int32 = -1
        unsafe mdb_env_get_fd(environment, &descriptor)
        return descriptor
    }

    /// Dispatch opens three for its first thread and one now and then, and ends the process where it gets none. The others are for
    /// scratch files and early writeback.
    private static let spare = 8

    /// - Throws: `tooManyFiles` if the process cannot open that many.
    @unsafe
    static func requireSpare(_ environment: OpaquePointer, path: String) throws(LMDBError) {
        let descriptor = unsafe Descriptors.data(of: environment)
        var opened: [Int32] = []
        defer { for descriptor in opened { System.close(descriptor) } }
        while opened.count < spare {
            let copy = System.duplicate(descriptor)
            guard copy >= 0 else { throw LMDBError(System.lastError, .open, path: path) }
            opened.append(copy)
        }
    }
}
