// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension Environment {
    /// Runs `body` while nobody else does so on this database, in this process or another; waits until that is so. For whoever
    /// brings in or rebuilds large parts; readers and writers do not ask for it. Inside `body` it must not be asked for again.
    ///
    /// Between processes it is a lock of the data file's open description, which goes with its process however that ends. LMDB's
    /// own locks are records of the lock file.
    package func whileMaintaining<R: ~Copyable, E: LMDBErrorConvertible>(_ body: () throws(E) -> R) throws(E) -> R {
        requireSameProcess()
        maintenance.wait(until: { !$0 }) { $0 = true }
        defer {
            maintenance.withLock { $0 = false }
            maintenance.wakeAll()
        }
        let isLocked = try converting(E.self) { () throws(LMDBError) in try lockDataFile() }
        defer { if isLocked { flock(dataDescriptor, LOCK_UN) } }
        return try body()
    }

    /// - Returns: whether the file system has such locks; one that has not is used by one process at most.
    private func lockDataFile() throws(LMDBError) -> Bool {
        while flock(dataDescriptor, LOCK_EX) != 0 {
            switch errno {
            case EINTR: continue
            case ENOLCK, EOPNOTSUPP, EINVAL: return false
            default: throw failure(errno, .lock)
            }
        }
        return true
    }
}
