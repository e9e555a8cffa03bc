// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import Foundation
internal import LMDB
internal import ReplicaStore

// Calls of FirebaseFirestore that concern a server, or a cache in front of one. Without a remote, each does what makes
// sense for a local database.

extension Database {
    /// Stops to use the network, until ``enableNetwork()``. Reads and listeners are answered from the local database, and
    /// writes are queued (C-35). Has no effect in a database without a remote.
    ///
    /// One of the processes that have a file open has the connection for all. If it is this one, another one of the same
    /// user that wants the network takes it over within two seconds. While another one has it, this process goes on with
    /// what that one hears from the server, and what it writes is sent.
    public nonisolated(nonsending) func disableNetwork() async throws {
        try await networkJob(isEnabled: false).value()
    }

    /// Stops to use the network and calls `completion` when that is done; see ``disableNetwork()``.
    public func disableNetwork(completion: (((any Error)?) -> Void)? = nil) {
        networkJob(isEnabled: false).start { completion?($0.failure) }
    }

    /// Uses the network again; see ``disableNetwork()``.
    public nonisolated(nonsending) func enableNetwork() async throws {
        try await networkJob(isEnabled: true).value()
    }

    /// Uses the network again and calls `completion` when that is requested; see ``disableNetwork()``.
    public func enableNetwork(completion: (((any Error)?) -> Void)? = nil) {
        networkJob(isEnabled: true).start { completion?($0.failure) }
    }

    private func networkJob(isEnabled: Bool) -> Job<Void> {
        guard isConnected else { return Job(withoutEngine: self, .answer) {} }
        return Job(askingClientOf: self) { client, deliver in
            client.setNetworkEnabled(isEnabled)
            client.afterCalls { deliver(.success(())) }
        }
    }

    /// Waits until the writes requested so far have succeeded or failed. Returns at once if there are none. A failed
    /// write is not an error of this call (C-36).
    ///
    /// With a remote, it waits until the server has answered, for queued writes of earlier runs too.
    ///
    /// - Throws: ``FirestoreError``: `cancelled` if the user changes or the database is terminated meanwhile. With a
    ///   remote, `CancellationError` if the task is cancelled, as every call that waits for the server; the writes stay
    ///   queued.
    public nonisolated(nonsending) func waitForPendingWrites() async throws {
        try await pendingWritesJob().value()
    }

    /// Calls `completion` when the writes requested so far have succeeded or failed; see ``waitForPendingWrites()``.
    public func waitForPendingWrites(completion: @escaping ((any Error)?) -> Void) {
        pendingWritesJob().start { completion($0.failure) }
    }

    fileprivate func pendingWritesJob() -> Job<Void> {
        guard !isConnected else {
            let cancellation = Cancellation()
            return Job(askingClientOf: self, cancellation) { client, deliver in
                let wait = client.waitForPendingWrites { deliver($0.map { .failure($0) } ?? .success(())) }
                cancellation.whenCancelled { [weak client] in client?.removeWait(wait) }
            }
        }
        return Job(withoutEngine: self, .afterCommits) {}
    }

    /// Deletes every document of the database. Index definitions stay, as they do on a server.
    ///
    /// Use it in tests that need an empty database. The file keeps its size; later writes reuse the space.
    ///
    /// With a remote, it deletes the file, be it damaged, and the copies that were kept of a damaged one: what was cached, the
    /// queued writes of all users, and index definitions. A copy that does not tell that it is this database's stays, as do the
    /// server's documents.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` if this object has been used and is not terminated.
    public nonisolated(nonsending) func clearPersistence() async throws {
        try await clearJob().value()
    }

    /// Deletes every document and calls `completion` when done; see ``clearPersistence()``.
    public func clearPersistence(completion: (((any Error)?) -> Void)? = nil) {
        clearJob().start { completion?($0.failure) }
    }

    /// Nobody else may use it meanwhile, and send what is deleted. A file that cannot be read is deleted, and not healed.
    private func deleteReplica(_ settings: FirestoreSettings.Values) throws(FirestoreError) {
        // It has no file.
        guard !(settings.cacheSettings is MemoryCacheSettings) else { return }
        try requireWritable(settings)
        let locks: ClientLocks
        let copies: [String]
        do throws(EngineError) {
            let options = options(settings)
            locks = try DamagedReplica.lock(state.path, options)
            copies = try ownCopies(options.identity)
        } catch {
            throw FirestoreError(error)
        }
        let files = copies.flatMap { [$0 + "-lock", $0] } + Database.deletedFiles(of: state.path)
        do {
            for file in files where FileManager.default.fileExists(atPath: file) {
                try FileManager.default.removeItem(atPath: file)
            }
        } catch {
            throw FirestoreError(
                .internal, "The offline data cannot be deleted: \(error.localizedDescription)")
        }
        withExtendedLifetime(locks) {}
    }

    /// A database file, which a path may lead to by a link, and its lock file, in the order in which they are deleted: what tells
    /// whose they are comes last, so that a call after a crash finds the rest. Of an empty file only the lock file does.
    static func deletedFiles(of path: String) -> [String] {
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        let lockFile = file + "-lock"
        return FileRemains.areNothing(at: file) ? [file, lockFile] : [lockFile, file]
    }

    /// The copies of the file that are this database's. The path may have been another one's.
    private func ownCopies(_ identity: DatabaseID) throws(EngineError) -> [String] {
        var own: [String] = []
        for copy in ReplicaHealing.copies(of: state.path) where FileManager.default.fileExists(atPath: copy) {
            if try DamagedReplica.isRecognized(copy, as: identity) { own.append(copy) }
        }
        return own
    }

    fileprivate func clearJob() -> Job<Void> {
        Job(withoutEngine: self, .maintenance) { [self] in
            try requireAdministrator()
            try whileUnused { (settings) throws(FirestoreError) in
                guard !isConnected else { return try deleteReplica(settings) }
                let engine = try open(settings)
                do throws(EngineError) { try engine.deleteDocuments() } catch { throw FirestoreError(error) }
            }
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
    /// Asks an emulator, the official one or `hearth serve`, instead of Cloud Firestore: sets ``FirestoreSettings/host`` and
    /// turns ``FirestoreSettings/isSSLEnabled`` off. A service account becomes the emulator's administrator.
    ///
    /// Has no effect in a database without ``FirestoreSettings/remote``. With one, to call it after the database has been used
    /// is a programming error and traps.
    public func useEmulator(withHost host: String, port: Int) {
        var values = state.withLock { $0.settings }
        guard values.remote != nil else { return }
        values.host = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        values.isSSLEnabled = false
        guard state.change(values) else {
            misuse("useEmulator(withHost:port:) was called after the database had been used: call it first.")
        }
    }
}
