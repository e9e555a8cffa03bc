// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Glibc

/// The file descriptors that a process may open yet.
enum Descriptors {
    /// Dispatch takes three when its first thread begins, and one now and then; where it gets none, it ends the process. The others
    /// are for scratch files and early writeback.
    private static let spare = 8

    /// - Throws: `tooManyFiles` if the process cannot open some more.
    @unsafe
    static func requireSpare(_ environment: OpaquePointer, path: String) throws(LMDBError) {
        let descriptor = unsafe Environment.dataDescriptor(of: environment)
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < spare {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw LMDBError(errno, .open, path: path) }
            opened.append(copy)
        }
    }
}
