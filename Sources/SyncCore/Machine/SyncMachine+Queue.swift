// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// The queue as the program sees and changes it.
extension SyncMachine {
    /// The batches of the user that the server has not answered, in the order in which they are sent.
    package func pendingWrites() throws(ReplicaError) -> [MutationBatch] { try store.batches() }

    /// The batches of the user that the server has refused and that were neither queued again nor dropped, oldest first.
    package func rejectedWrites() throws(ReplicaError) -> [RejectedBatch] { try store.rejectedBatches() }

    func cancelWrite(_ id: Int) throws(SyncError) {
        let cancelled = try stored { () throws(ReplicaError) in try store.cancel(id) }
        guard let (batch, changes) = cancelled else { throw try reasonAgainstCancelling(id) }
        pipeline.removeAll { $0.id == id }
        moveWaits(of: id)
        finish(batch, .cancelledWrite)
        emit(changes)
        fillPipeline()
    }

    /// Who waited for a batch that was cancelled waits for those before it.
    func moveWaits(of id: Int) {
        guard let waits = waitsForBatch[id], let earlier = try? store.lastBatch(before: id) else { return }
        waitsForBatch[id] = nil
        waitsForBatch[earlier, default: []] += waits
    }

    private func reasonAgainstCancelling(_ id: Int) throws(SyncError) -> SyncError {
        let isQueued = try stored { () throws(ReplicaError) in try store.isQueued(id) }
        guard isQueued else {
            return SyncError(.notFound, "There is no pending write \(id). The server may have answered it.")
        }
        return SyncError(
            .failedPrecondition,
            "Pending write \(id) was sent, so the server may have committed it. Undo it by another write.")
    }

    func retryRejected(_ id: Int, _ write: Int) {
        do throws(SyncError) {
            // It is the former user's, and what is queued now is the next one's.
            guard !store.isUserAwaited else { throw .changingUser }
            let queued = try stored { () throws(ReplicaError) in try store.retry(id, at: now, marker: marker) }
            guard let (batch, changes) = queued else { throw SyncError.noRejectedWrite(id) }
            self.queued(batch, changes, write)
        } catch {
            effects.append(.writeFinished(error, write: write))
        }
    }

    func dropRejected(_ id: Int) throws(SyncError) {
        let isDropped = try stored { () throws(ReplicaError) in try store.dropRejected(id) }
        guard isDropped else { throw .noRejectedWrite(id) }
    }

    /// Runs a call of the store for a program that is told what fails.
    func stored<Result>(_ body: () throws(ReplicaError) -> Result) throws(SyncError) -> Result {
        do throws(ReplicaError) { return try body() } catch { throw SyncError(error) }
    }
}

extension SyncError {
    static let cancelledWrite = SyncError(.cancelled, "The write was cancelled before it was sent.")

    fileprivate static let changingUser = SyncError(
        .failedPrecondition, "The user is changing. Queue the write again when credentials have named the user.")

    fileprivate static func noRejectedWrite(_ id: Int) -> SyncError {
        SyncError(.notFound, "There is no rejected write \(id). It may have been queued again or dropped.")
    }
}
