// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Runs `body` with the maintenance lock, which one thread of all processes has at a time. Loads and index builds take it;
    /// readers and writers do not. It is not recursive.
    ///
    /// Between processes it is a `flock` lock of the data file, which the system releases with the process. LMDB's own locks are on
    /// the lock file.
    package func whileMaintaining<R: ~Copyable, E: LMDBErrorConvertible>(_ body: () throws(E) -> R) throws(E) -> R {
        requireSameProcess()
        maintenance.wait(until: { !$0 }) { $0 = true }
        defer {
            maintenance.withLock { $0 = false }
            maintenance.wakeAll()
        }
        let isLocked = try converting(E.self) { () throws(LMDBError) in try lockDataFile() }
        defer { if isLocked { System.unlock(dataDescriptor) } }
        return try body()
    }

    /// - Returns: whether the file system has such locks. One without them is used by one process at most.
    private func lockDataFile() throws(LMDBError) -> Bool {
        while System.lock(dataDescriptor) != 0 {
            switch System.lastError {
            case EINTR: continue
            case ENOLCK, EOPNOTSUPP, EINVAL: return false
            default: throw failure(System.lastError, .lock)
            }
        }
        return true
    }
}
