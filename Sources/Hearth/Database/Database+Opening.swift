// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import Foundation
internal import LMDB
internal import ReplicaStore
internal import Synchronization

extension Database {
    /// The engine. The first call opens it, which blocks on disk I/O.
    func engine() throws(FirestoreError) -> Engine { try engineHandle().engine }

    func engineHandle() throws(FirestoreError) -> EngineHandle {
        if let handle = openEngineHandle { return handle }
        return EngineHandle(try openedEngine())
    }

    private func openedEngine() throws(FirestoreError) -> Engine {
        var isNew = false
        let engine = try state.withFile { () throws(FirestoreError) -> Engine in
            let (known, settings) = try state.withLock { (state) throws(FirestoreError) in
                guard state.engine != nil || !state.isTerminated else { throw .alreadyTerminated }
                return (state.engine, state.settings)
            }
            if let known { return known }
            isNew = true
            return try openFile(settings)
        }
        if isNew {
            log(.debug, "Opened the database at \(state.path)")
            resumeIndexBuilds(engine)
        }
        return engine
    }

    /// Opens the file, and then lets every thread know. Requires ``Shared/withFile(_:)``.
    private func openFile(_ settings: FirestoreSettings.Values) throws(FirestoreError) -> Engine {
        var client: SyncClient?
        if let remote = settings.remote { client = try openClient(of: remote, settings) }
        let engine = if let client { client.engine } else { try open(settings) }
        let interval = engine.isReadOnly || isConnected ? nil : settings.timeToLiveSweepInterval
        let timer = interval.map { interval in
            TimeToLiveTimer(every: interval, engine) { [weak self] error in
                self?.log(FirestoreError(error), of: "Deleting expired documents")
            }
        }
        state.withLock { state in
            state.client = client
            state.engine = engine
            state.identity = engine.database
            state.timeToLiveTimer = timer
        }
        return engine
    }

    /// Resumes a change of indexes that an earlier program left unfinished.
    private func resumeIndexBuilds(_ engine: Engine) {
        guard !engine.isReadOnly, (try? engine.hasUnfinishedBuild()) ?? false else { return }
        queues.builds.async { [self] in
            do throws(EngineError) {
                let isDone = try engine.resumeIndexBuilds { (_) throws(EngineError) in
                    if isTerminated { throw .refused(.cancelled, "The database was terminated.") }
                }
                if !isDone { resumeIndexBuilds(in: .seconds(1)) }
            } catch {
                if !isTerminated { log(.error, "Building indexes failed: \(error.message)") }
            }
        }
    }

    /// Another process has the lock. It builds the indexes itself, unless it is killed. To wait in the lock would keep the file
    /// open when the database is terminated.
    private func resumeIndexBuilds(in delay: DispatchTimeInterval) {
        queues.builds.asyncAfter(deadline: .now() + delay) { [weak self] in
            if let self, let engine = openEngine { resumeIndexBuilds(engine) }
        }
    }

    /// The engine if it is open. Never waits for the disk.
    var openEngine: Engine? { openEngineHandle?.engine }

    /// As ``openEngine``, for short reads.
    var openEngineHandle: EngineHandle? {
        if let handle = state.knownEngine { return handle }
        return state.withLock { [shared = state] state in
            let handle = state.engine.map { EngineHandle($0) }
            if let handle { shared.knownEngine = handle }
            return handle
        }
    }

    /// The engine and the listener hub. The first call opens them.
    func engineAndHub() throws(FirestoreError) -> (engine: Engine, hub: ListenerHub) {
        let engine = try engine()
        let hub = try state.withLock { (state) throws(FirestoreError) in
            // The engine may be from before.
            guard !state.isTerminated else { throw .alreadyTerminated }
            let hub = state.hub ?? ListenerHub(engine, on: queues.listeners)
            state.hub = hub
            return hub
        }
        return (engine, hub)
    }

    /// Calls the program's closures.
    var callbackQueue: CallbackQueue {
        state.withLock { state in
            let queue = state.settings.dispatchQueue
            if let callbackQueue = state.callbackQueue, callbackQueue.queue === queue { return callbackQueue }
            // On Linux, each access to the main queue returns a different object.
            let isMain = queue.label == DispatchQueue.main.label
            let timeLimit: DispatchTimeInterval = isMain ? .seconds(2) : .never
            let callbackQueue = CallbackQueue(queue, timeLimit: timeLimit) { [weak self] in self?.logStuckCallbacks() }
            state.callbackQueue = callbackQueue
            return callbackQueue
        }
    }

    /// Nil before the first listener.
    var hub: ListenerHub? { state.withLock { $0.hub } }

    /// Calls `body` when the listeners have been told of the commits so far, so that a program that hears of a write's end has
    /// its rows.
    func afterListeners(_ body: @escaping @Sendable () -> Void) {
        if let hub { hub.afterDelivery(body) } else { body() }
    }

    /// The project and database IDs of the file, also after the database was terminated.
    func identity() throws(FirestoreError) -> DatabaseID {
        do throws(FirestoreError) {
            return try engine().database
        } catch {
            if let identity = state.withLock({ $0.identity }) { return identity }
            throw error
        }
    }

    /// The project and database IDs, without opening the file: those of a new database until it is open.
    var expectedIdentity: DatabaseID { openEngine?.database ?? newIdentity(state.withLock { $0.settings }) }

    private func newIdentity(_ settings: FirestoreSettings.Values) -> DatabaseID {
        settings.remote?.database ?? state.projectID.map { DatabaseID(project: Text($0)) } ?? Engine.Options().identity
    }

    /// Opens the database on a thread of Hearth if it is not open.
    nonisolated(nonsending) func opened() async throws {
        guard state.withLock({ $0.engine == nil }) else { return }
        try await Job(guarded: self, .read) { _ in }.value()
    }

    func options(_ settings: FirestoreSettings.Values) -> Engine.Options {
        var options = Engine.Options()
        options.identity = newIdentity(settings)
        let project =
            settings.remote?.database.project.string ?? state.projectID ?? ProcessInfo.processInfo.environment[
                "GCLOUD_PROJECT"] ?? ""
        options.linkedProject = project.isEmpty ? nil : Text(project)
        options.queryLog = settings.queryLog
        options.mapSize = settings.mapSize
        options.placesPages = settings.placesWritesTogether
        guard !(settings.cacheSettings is MemoryCacheSettings) else {
            options.durability = .mayLoseDatabase
            return options
        }
        options.durability = settings.durability.mode
        options.readOnly = settings.fileAccess != .readWrite
        options.isImmutable = settings.fileAccess == .immutable
        return options
    }

    func open(_ settings: FirestoreSettings.Values) throws(FirestoreError) -> Engine {
        do throws(EngineError) {
            let options = options(settings)
            guard settings.cacheSettings is MemoryCacheSettings else { return try Engine.open(state.path, options) }
            return try Database.withTemporaryFile { (path) throws(EngineError) in try Engine.open(path, options) }
        } catch {
            throw FirestoreError(error)
        }
    }

    /// The offline data of the remote database, with a client that nobody else has.
    func openReplica(_ settings: FirestoreSettings.Values) throws(FirestoreError) -> EngineReplica {
        try requireWritable(settings)
        do throws(EngineError) {
            let options = options(settings)
            guard settings.cacheSettings is MemoryCacheSettings else { return try EngineReplica(state.path, options) }
            return try Database.withTemporaryFile { (path) throws(EngineError) in try EngineReplica(path, options) }
        } catch {
            throw FirestoreError(error)
        }
    }

    func requireWritable(_ settings: FirestoreSettings.Values) throws(FirestoreError) {
        guard settings.fileAccess == .readWrite else {
            throw FirestoreError(
                .failedPrecondition, "A database with a remote must be writable: set fileAccess to readWrite.")
        }
    }

    private func openClient(
        of remote: Remote, _ settings: FirestoreSettings.Values
    ) throws(FirestoreError) -> SyncClient {
        do {
            return try SyncClient(openReplica(settings), remote, settings) { [weak self] in self?.log($0, $1) }
        } catch let error as FirestoreError {
            throw error
        } catch {
            throw FirestoreError(.internal, "The remote database cannot be used: \(error.localizedDescription)")
        }
    }

    /// The file is unlinked while it is open, so it disappears with the process even if that is killed.
    private static func withTemporaryFile<R>(
        _ body: (_ path: String) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.appending(path: "memory.db").path)
    }
}
