// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Held by whoever brings in or rebuilds large parts of a database, one at a time over all processes; readers and writers do
/// not ask for it. It goes with its holder, however that ends.
@safe
package struct MaintenanceLock: ~Copyable {
    private let descriptor: Int32

    /// Waits until nobody holds the lock of the database at `path`.
    ///
    /// A lock of the data file's open description: LMDB's own locks are records of the lock file, which this never touches.
    init(of path: String) throws(LMDBError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, .lock, path: path) }
        while flock(descriptor, LOCK_EX) != 0 {
            // File systems without such locks are used by one process at most.
            if errno == ENOLCK || errno == EOPNOTSUPP || errno == EINVAL { return }
            guard errno == EINTR else {
                let code = errno
                close(descriptor)
                throw LMDBError(code, .lock, path: path)
            }
        }
    }

    deinit {
        close(descriptor)
    }
}

extension Environment {
    /// Waits for the ``MaintenanceLock`` and runs `body` while holding it. Inside `body` it must not be asked for again.
    package func whileMaintaining<R: ~Copyable, E: LMDBErrorConvertible>(_ body: () throws(E) -> R) throws(E) -> R {
        let lock = try converting(E.self) { () throws(LMDBError) in try MaintenanceLock(of: path) }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}
