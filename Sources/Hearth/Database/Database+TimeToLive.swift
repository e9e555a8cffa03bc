// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import Foundation
internal import Synchronization

extension Database {
    /// Deletes expired documents.
    ///
    /// A document expires if a field override of its collection group has `"ttl": true` and the document holds a past
    /// timestamp in that field. Subcollections of a deleted document stay.
    ///
    /// Each document is deleted in a write of its own, and only if it has not changed meanwhile. Other writes continue.
    /// Then the database forgets the collections that have no documents any more, and the fields that no document has, if nothing
    /// hinders it; they make collection group queries slower and the file larger. A file to which `hearth serve` has written within
    /// an hour is left to it. To delete expired documents periodically, set ``FirestoreSettings/timeToLiveSweepInterval``.
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
            do throws(EngineError) {
                let count = try engine.deleteExpired()
                // The documents are deleted, whatever hinders this. The next call tries again.
                _ = try? engine.forgetWhatIsEmpty()
                return count
            } catch {
                throw FirestoreError(error)
            }
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
        let emptyCollections = Pace()
        timer.setEventHandler { [weak engine, end] in
            guard let engine else { return }
            let progress = { () throws(EngineError) in
                if end.isCancelled { throw .refused(.cancelled, "The database was terminated.") }
            }
            do throws(EngineError) {
                try engine.deleteExpired(progress: progress)
                if emptyCollections.isDue() { _ = try? engine.forgetWhatIsEmpty(progress: progress) }
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

/// Limits how often all collections are looked at, of which there may be many.
private final class Pace: Sendable {
    private static let interval = Duration.seconds(900)

    private let next = Mutex(ContinuousClock.now)

    /// Whether it is time for a look, which then is made.
    func isDue() -> Bool {
        next.withLock { next in
            let now = ContinuousClock.now
            guard now >= next else { return false }
            next = now + Pace.interval
            return true
        }
    }
}
