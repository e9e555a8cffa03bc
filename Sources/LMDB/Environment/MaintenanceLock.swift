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
        defer { endMaintenance() }
        _ = try converting(E.self) { () throws(LMDBError) in try lockDataFile(waits: true) }
        defer { System.unlock(dataDescriptor) }
        return try body()
    }

    /// As ``whileMaintaining(_:)``, if no thread of any process has the lock; otherwise nil.
    package func ifNobodyMaintains<R, E: LMDBErrorConvertible>(_ body: () throws(E) -> R) throws(E) -> R? {
        requireSameProcess()
        let isFree = maintenance.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { return nil }
        defer { endMaintenance() }
        guard try converting(E.self, { () throws(LMDBError) in try lockDataFile(waits: false) }) else { return nil }
        defer { System.unlock(dataDescriptor) }
        return try body()
    }

    private func endMaintenance() {
        maintenance.withLock { $0 = false }
        maintenance.wakeAll()
    }

    /// - Returns: false if another process has the lock and `waits` is false.
    private func lockDataFile(waits: Bool) throws(LMDBError) -> Bool {
        while System.lock(dataDescriptor, waits: waits) != 0 {
            switch System.lastError {
            case EINTR: continue
            case EAGAIN: return false
            // A file system without such locks is used by one process at most.
            case ENOLCK, EOPNOTSUPP, EINVAL: return true
            default: throw failure(System.lastError, .lock)
            }
        }
        return true
    }
}
