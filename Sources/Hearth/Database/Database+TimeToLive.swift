// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import Foundation

extension Database {
    /// Deletes expired documents.
    ///
    /// A document expires if a field override of its collection group has `"ttl": true` and the document holds a past
    /// timestamp in that field. Subcollections of a deleted document stay.
    ///
    /// Each document is deleted in a write of its own, and only if it has not changed meanwhile. Other writes continue.
    /// To delete expired documents periodically, set ``FirestoreSettings/timeToLiveSweepInterval``.
    ///
    /// - Returns: the number of deleted documents.
    /// - Throws: ``FirestoreError`` if the file cannot be read or written. Documents deleted before the error stay
    ///   deleted.
    @discardableResult
    public nonisolated(nonsending) func deleteExpiredDocuments() async throws -> Int {
        try await timeToLiveJob().value()
    }

    fileprivate func timeToLiveJob() -> Job<Int> {
        Job(self, .maintenance) { [self] engine in
            try requireNoRemote(for: "Deleting expired documents")
            do throws(EngineError) { return try engine.deleteExpired() } catch { throw FirestoreError(error) }
        }
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/deleteExpiredDocuments()``.
    @discardableResult
    public func deleteExpiredDocuments() throws -> Int {
        try base.timeToLiveJob().wait()
    }
}

/// Deletes expired documents periodically, until it is stopped or released.
final class TimeToLiveTimer: @unchecked Sendable {  // Immutable.
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "hearth.time-to-live", qos: .utility)
    private let end = Cancellation()

    /// - Parameter failed: called with the error that ended a sweep early. The next sweep tries again.
    init(every interval: TimeInterval, _ engine: Engine, failed: @escaping @Sendable (EngineError) -> Void) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak engine, end] in
            guard let engine else { return }
            do throws(EngineError) {
                try engine.deleteExpired(progress: { () throws(EngineError) in
                    if end.isCancelled { throw .refused(.cancelled, "The database was terminated.") }
                })
            } catch {
                if !end.isCancelled { failed(error) }
            }
        }
        timer.schedule(deadline: .now(), repeating: max(interval, 0.001), leeway: .milliseconds(100))
        timer.resume()
    }

    /// A sweep that is running ends before its next slice, for which this waits.
    func stop() {
        cancel()
        queue.sync {}
    }

    private func cancel() {
        end.cancel()
        timer.cancel()
    }

    deinit { cancel() }
}
