// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine

// Calls of FirebaseFirestore that are about a server, or about a cache in front of it. Each does what makes sense where the
// database itself is on this machine.

extension Database {
    /// Does nothing: there is no network to be without (C-35). Reads, writes and listeners work as before.
    public nonisolated(nonsending) func disableNetwork() async throws {
        try await nothing().value()
    }

    /// The same with a callback.
    public func disableNetwork(completion: (((any Error)?) -> Void)? = nil) {
        nothing().start { completion?($0.failure) }
    }

    /// Does nothing; see ``disableNetwork()``.
    public nonisolated(nonsending) func enableNetwork() async throws {
        try await nothing().value()
    }

    /// The same with a callback.
    public func enableNetwork(completion: (((any Error)?) -> Void)? = nil) {
        nothing().start { completion?($0.failure) }
    }

    private func nothing() -> Job<Void> { Job(withoutEngine: self, .read) {} }

    /// Returns when the writes that were asked for so far have succeeded or failed, which a failed one does not change; at once
    /// if there are none (C-36).
    public nonisolated(nonsending) func waitForPendingWrites() async throws {
        try await pendingWritesJob().value()
    }

    /// The same with a callback.
    public func waitForPendingWrites(completion: @escaping ((any Error)?) -> Void) {
        pendingWritesJob().start { completion($0.failure) }
    }

    fileprivate func pendingWritesJob() -> Job<Void> {
        Job(withoutEngine: self, .maintenance) { [self] in
            let isDone = DispatchSemaphore(value: 0)
            guard let engine = openEngine else { return }
            engine.whenCommitted { isDone.signal() }
            isDone.wait()
        }
    }

    /// Deletes every document of the database. Index definitions stay, as they do on a server.
    ///
    /// For tests that want to begin with an empty database. The file keeps its size and uses the space again.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` unless this object has not been used yet, or was terminated (C-37).
    public nonisolated(nonsending) func clearPersistence() async throws {
        try await clearJob().value()
    }

    /// The same with a callback.
    public func clearPersistence(completion: (((any Error)?) -> Void)? = nil) {
        clearJob().start { completion?($0.failure) }
    }

    fileprivate func clearJob() -> Job<Void> {
        Job(withoutEngine: self, .maintenance) { [self] in
            guard let engine = try unusedEngine() else { return }
            do throws(EngineError) { try engine.deleteDocuments() } catch { throw FirestoreError(error) }
        }
    }
}

extension Synchronous where Base == Database {
    /// ``Database/waitForPendingWrites()``, blocking.
    public func waitForPendingWrites() throws {
        try base.pendingWritesJob().wait()
    }

    /// ``Database/clearPersistence()``, blocking.
    public func clearPersistence() throws {
        try base.clearJob().wait()
    }
}
