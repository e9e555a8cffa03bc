// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
internal import QueryPlanner

extension Engine {
    /// As ``commit(_:if:)``, if what a transaction read has not changed since. Waits for no other transaction.
    ///
    /// A change of a document that was read is a conflict, and so is a change after which a query that was read would have another
    /// result. Beyond the last row of a query with a limit, changes do not matter. Without writes, nothing is checked: the reads
    /// themselves are consistent.
    ///
    /// - Throws: `aborted` in production's words if something has changed, or if the history does not reach back to the reads.
    package func commit(
        _ writes: [Write], validating reads: ReadSet, if check: CommitCheck? = nil
    ) throws(EngineError) -> CommitResult {
        _ = try requireHistory()
        return try scheduler.commit(writes, validating: writes.isEmpty ? nil : reads, if: check)
    }

    /// As ``commit(_:validating:if:)``, without waiting; see ``commit(_:if:then:)``.
    package func commit(
        _ writes: [Write], validating reads: ReadSet, if check: CommitCheck? = nil,
        then deliver: @escaping @Sendable (Result<CommitResult, EngineError>) -> Void
    ) throws(EngineError) {
        _ = try requireHistory()
        scheduler.commit(writes, validating: writes.isEmpty ? nil : reads, if: check, then: deliver)
    }

    /// Undoes every change after a time, in one commit. Documents get back the fields and times that they had. The history up to
    /// that time remains, so it can be restored repeatedly. Memory holds the documents that have changed.
    ///
    /// Every listener runs its query again, and transactions that began before are aborted.
    ///
    /// - Throws: as a read at the time does.
    package func restore(to time: Timestamp) throws(EngineError) {
        try read(at: time) { (_, _, _) in }
        try scheduler.restore(to: UInt64(time.microseconds))
    }

    /// Deletes all documents and their history in one short commit. Index definitions stay; of the collections, nothing does.
    ///
    /// Every listener runs its query again, and transactions that began before are aborted. It also works without history. Waits
    /// for a running load or index build.
    package func clear() throws(EngineError) {
        try environment.whileMaintaining { () throws(EngineError) in try scheduler.clear() }
    }
}
