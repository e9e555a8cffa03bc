// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The right to be a file's only client, which one object of all processes has at a time. It ends with the object, or with its
/// process.
package final class FileClaim: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { System.close(descriptor) }
}

extension Environment {
    /// Claims the file. Readers and writers are not hindered: it only keeps two clients apart that both claim it.
    ///
    /// - Returns: nil if another object of this or another process has claimed it.
    package func claim() throws(LMDBError) -> FileClaim? {
        requireSameProcess()
        let descriptor = System.open(path, .lockFile)
        guard descriptor >= 0 else { throw failure(System.lastError, .lock) }
        switch hearth_claim(descriptor) {
        // A file system without such locks is used by one process at most.
        case 0, ENOLCK, EOPNOTSUPP, EINVAL: return FileClaim(descriptor)
        case EAGAIN, EACCES:
            System.close(descriptor)
            return nil
        case let code:
            System.close(descriptor)
            throw failure(code, .lock)
        }
    }
}
