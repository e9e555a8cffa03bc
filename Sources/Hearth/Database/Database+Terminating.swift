// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import Foundation

extension Database {
    /// Closes the database. Calls made before finish; later calls throw `failedPrecondition`. Listeners are no longer
    /// called, and their sequences end. After the default database is terminated, ``firestore()`` returns a new one.
    ///
    /// If it is building indexes that an earlier program left unfinished, it stops. Who opens the file next continues. It also stops to
    /// delete expired documents in the background.
    ///
    /// With a remote, writes that the server has not answered stay queued. Who waits for them gets the error `cancelled`.
    public nonisolated(nonsending) func terminate() async throws {
        try await terminateJob().value()
    }

    /// Closes the database and calls `completion` when it is closed; see ``terminate()``.
    public func terminate(completion: (((any Error)?) -> Void)? = nil) {
        terminateJob().start { completion?($0.failure) }
    }

    func terminateJob() -> Job<Void> {
        Job(withoutEngine: self, .maintenance) { [self] in
            DefaultDatabase.forget(self)
            // The engine, which may close the file, is released without the lock.
            let (_, hub, client, timer) = state.withFile {
                state.withLock { state in
                    defer {
                        state.engine = nil
                        self.state.forgetEngine()
                        state.hub = nil
                        state.client = nil
                        state.timeToLiveTimer = nil
                    }
                    state.isTerminated = true
                    return (state.engine, state.hub, state.client, state.timeToLiveTimer)
                }
            }
            hub?.stop()
            client?.stop()
            timer?.stop()
            // A resumed build ends after its next commit.
            queues.builds.sync {}
            log(.debug, "Terminated the database at \(state.path)")
        }
    }

    var isTerminated: Bool { state.withLock { $0.isTerminated } }

    /// Calls `use` with the settings if the database has a file and this object does not use it, nor begins to meanwhile.
    func whileUnused(_ use: (FirestoreSettings.Values) throws(FirestoreError) -> Void) throws(FirestoreError) {
        try state.withFile { () throws(FirestoreError) in
            let settings = try state.withLock { (state) throws(FirestoreError) in
                guard state.engine == nil else {
                    throw FirestoreError(
                        .failedPrecondition, "Persistence cannot be cleared while the firestore instance is running.")
                }
                return state.settings
            }
            let isThere =
                settings.cacheSettings is PersistentCacheSettings
                && FileManager.default.fileExists(atPath: state.path)
            if isThere { try use(settings) }
        }
    }
}
