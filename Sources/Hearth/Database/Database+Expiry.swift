// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import Foundation

extension Database {
    /// Deletes the documents that have expired: where a field override says `"ttl": true`, those of its collection group whose
    /// field holds a time that has passed. Other documents stay, and so do documents in collections below a deleted one.
    ///
    /// Each document is deleted by itself, and only if it has not changed meanwhile; other writes go on. See also
    /// ``FirestoreSettings/expiryInterval``.
    ///
    /// - Returns: how many were deleted.
    /// - Throws: ``FirestoreError`` where the file cannot be read or written; what was deleted before stays deleted.
    @discardableResult
    public nonisolated(nonsending) func deleteExpiredDocuments() async throws -> Int {
        try await expiryJob().value()
    }

    fileprivate func expiryJob() -> Job<Int> {
        Job(self, .maintenance) { engine in
            do throws(EngineError) { return try engine.deleteExpired() } catch { throw FirestoreError(error) }
        }
    }
}

extension Synchronous where Base == Database {
    /// ``Database/deleteExpiredDocuments()``, blocking.
    @discardableResult
    public func deleteExpiredDocuments() throws -> Int {
        try base.expiryJob().wait()
    }
}

/// Sweeps a database again and again, until it is released.
final class ExpiryTimer: @unchecked Sendable {  // Immutable.
    private let timer: any DispatchSourceTimer

    /// - Parameter failed: told why a sweep ended early; the next one tries again.
    init(every interval: TimeInterval, _ engine: Engine, failed: @escaping @Sendable (EngineError) -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "hearth.expiry", qos: .utility))
        timer.setEventHandler { [weak engine] in
            guard let engine else { return }
            do throws(EngineError) { try engine.deleteExpired() } catch { failed(error) }
        }
        timer.schedule(deadline: .now(), repeating: max(interval, 0.001), leeway: .milliseconds(100))
        timer.resume()
    }

    deinit { timer.cancel() }
}
