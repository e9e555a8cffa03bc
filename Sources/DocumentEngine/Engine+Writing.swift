// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Engine {
    /// Applies writes in order, all or none; when it returns, they are as durable as the environment's mode says.
    package func commit(_ writes: [Write]) throws(EngineError) -> CommitResult {
        for write in writes { try WriteValidator.validate(write, database: database) }
        return try apply(writes)
    }

    /// Commits writes that are known to be valid.
    func apply(_ writes: [Write]) throws(EngineError) -> CommitResult {
        try write { (cursors, commitTime, changes) throws(EngineError) in
            let catalog = try self.catalogs.read(&cursors)
            var applier = try WriteApplier(
                self.stores, catalog, database: self.database, commitTime: commitTime, &cursors)
            var results: [WriteResult] = []
            for write in writes { results.append(try applier.apply(write, &changes, &cursors)) }
            try applier.finish(&cursors)
            return CommitResult(commitTime: commitTime, results: results)
        }
    }

    /// Runs `body` in the write transaction. It may run again when the map has grown, so it must keep nothing of a run that did
    /// not commit. What it notes in the log is told to the observer of ``changes`` once it is committed.
    func write<R>(
        _ body: (inout CursorSet, Timestamp, inout ChangeLog) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        var changeSet: ChangeSet?
        do throws(EngineError) {
            let result = try environment.write { (transaction) throws(EngineError) in
                let transactionID = transaction.transactionID
                var cursors = transaction.makeCursors()
                let commitTime = try self.nextCommitTime(&cursors)
                var log = ChangeLog(isObserved: self.changes.isObserved)
                let result = try body(&cursors, commitTime, &log)
                changeSet = ChangeSet(transactionID: transactionID, commitTime: commitTime, changes: log.changes)
                return result
            }
            if let changeSet { changes.publish(changeSet) }
            return result
        } catch {
            catalogs.forget()
            throw error
        }
    }

    /// Now, or just after the last commit if the clock has not moved on, or was set back.
    @_lifetime(cursors: copy cursors)
    private func nextCommitTime(_ cursors: inout CursorSet) throws(EngineError) -> Timestamp {
        let counter = Counter(.commitTime, stores)
        let time = max(Engine.now(), try counter.value(cursors) + 1)
        try counter.set(time, &cursors)
        guard let timestamp = Timestamp(microseconds: Int64(clamping: time)) else {
            throw .damaged("the time of the last commit is beyond the year 9999")
        }
        return timestamp
    }

    /// Microseconds since 1970.
    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(max(0, time.tv_nsec)) / 1_000
    }
}
