// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine

// Calls of FirebaseFirestore that concern a server, or a cache in front of one. Each does what makes sense for a local
// database.

extension Database {
    /// Has no effect, because there is no network. Reads, writes and listeners continue to work.
    public nonisolated(nonsending) func disableNetwork() async throws {
        try await nothing().value()
    }

    /// Has no effect, and calls `completion` without an error; see ``disableNetwork()``.
    public func disableNetwork(completion: (((any Error)?) -> Void)? = nil) {
        nothing().start { completion?($0.failure) }
    }

    /// Has no effect; see ``disableNetwork()``.
    public nonisolated(nonsending) func enableNetwork() async throws {
        try await nothing().value()
    }

    /// Has no effect, and calls `completion` without an error; see ``disableNetwork()``.
    public func enableNetwork(completion: (((any Error)?) -> Void)? = nil) {
        nothing().start { completion?($0.failure) }
    }

    private func nothing() -> Job<Void> { Job(withoutEngine: self, .read) {} }

    /// Waits until the writes requested so far have succeeded or failed. Returns at once if there are none. A failed
    /// write is not an error of this call.
    public nonisolated(nonsending) func waitForPendingWrites() async throws {
        try await pendingWritesJob().value()
    }

    /// Calls `completion` when the writes requested so far have succeeded or failed; see ``waitForPendingWrites()``.
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
    /// Use it in tests that need an empty database. The file keeps its size; later writes reuse the space.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` if this object has been used and is not terminated.
    public nonisolated(nonsending) func clearPersistence() async throws {
        try await clearJob().value()
    }

    /// Deletes every document and calls `completion` when done; see ``clearPersistence()``.
    public func clearPersistence(completion: (((any Error)?) -> Void)? = nil) {
        clearJob().start { completion?($0.failure) }
    }

    fileprivate func clearJob() -> Job<Void> {
        Job(withoutEngine: self, .maintenance) { [self] in
            try requireAdministrator()
            guard let engine = try unusedEngine() else { return }
            do throws(EngineError) { try engine.deleteDocuments() } catch { throw FirestoreError(error) }
        }
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/waitForPendingWrites()``.
    public func waitForPendingWrites() throws {
        try base.pendingWritesJob().wait()
    }

    /// The blocking form of ``Database/clearPersistence()``.
    public func clearPersistence() throws {
        try base.clearJob().wait()
    }
}

extension Database {
    /// Has no effect, because there is no server. In FirebaseFirestore, it connects to the emulator.
    public func useEmulator(withHost host: String, port: Int) {}
}
