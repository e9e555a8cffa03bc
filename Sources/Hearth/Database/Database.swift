// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import Foundation
internal import LMDB
internal import Synchronization

/// FirebaseFirestore's name for ``Database``.
public typealias Firestore = Database

/// A document database: documents in collections, in one file, with Cloud Firestore's data model, queries and indexes.
///
/// ```swift
/// let database = try await Database.open(path: "cities.db")
/// try await database.document("cities/SF").setData(["name": "San Francisco", "population": 860_000])
/// let city = try await database.document("cities/SF").getDocument()
/// ```
///
/// A database may be used from any thread. Each call that reads or writes has three forms: `async`, with a callback,
/// and blocking behind `sync` (see ``BlockingAPI``). Reads see the writes requested from this object before them.
///
/// The file is closed by ``terminate()``, or when the last reference to the database and to the objects obtained from
/// it is released. Several processes may open the same file.
public final class Database: Sendable {
    let state: Shared
    let queues: WorkQueues
    /// For whom security rules decide; nil for the administrator.
    let user: SecurityRules.Auth?

    private var path: String { state.path }
    private var projectID: String? { state.projectID }

    /// A database that is opened on first use.
    init(path: String, settings: FirestoreSettings, projectID: String? = nil) {
        state = Shared(path: path, settings: settings, projectID: projectID)
        queues = state.queues
        user = nil
    }

    /// A view of the same database.
    init(of database: Database, for user: SecurityRules.Auth) {
        state = database.state
        queues = database.queues
        self.user = user
    }

    /// Opens a database file, or creates it, readable by its owner only. A lock file beside it has the same path with
    /// the suffix `-lock`.
    ///
    /// In an asynchronous function, the compiler chooses the asynchronous form of this call.
    ///
    /// - Parameters:
    ///   - path: the path of the file, whose directory must exist. With ``MemoryCacheSettings``, no file is read or
    ///     created there.
    ///   - settings: how to open the file.
    ///   - projectID: the Firebase project that the links in missing-index errors lead to; by default, the project that
    ///     the environment variable `GCLOUD_PROJECT` names. Without either, errors have no link. A new database stores
    ///     this project ID, and references to its documents name it. An existing database keeps its own.
    /// - Throws: ``FirestoreError``: `internal` if the file cannot be opened, `failedPrecondition` if it is not a
    ///   Hearth database, has a newer format, or has an older one (see <doc:BackupAndFiles#Files-of-older-versions>), `dataLoss` if it is damaged or truncated, `resourceExhausted` if the
    ///   disk is full or the process has too many open files.
    public static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), projectID: String? = nil
    ) throws -> Database {
        let database = Database(path: path, settings: settings, projectID: projectID)
        _ = try database.engine()
        return database
    }

    /// Opens a database file, or creates it, without blocking the calling thread. Parameters and errors are those of
    /// the blocking form.
    public nonisolated(nonsending) static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), projectID: String? = nil
    ) async throws -> Database {
        let database = Database(path: path, settings: settings, projectID: projectID)
        try await database.opened()
        return database
    }

    /// A copy of the settings in force. To change settings, assign this property before the first use of the database.
    ///
    /// Assigning settings to a database that has been used is a programming error and traps.
    public var settings: FirestoreSettings {
        get { FirestoreSettings(state.withLock { $0.settings }) }
        set {
            let values = newValue.values
            let isStarted = state.withLock { state in
                if state.engine == nil { state.settings = values }
                return state.engine != nil
            }
            precondition(
                !isStarted,
                "Firestore instance has already been started and its settings can no longer be changed. You can only "
                    + "set settings before calling any other methods on a Firestore instance.")
        }
    }
}

// MARK: - Opening

extension Database {
    /// The engine. The first call opens it, which blocks on disk I/O.
    func engine() throws(FirestoreError) -> Engine {
        var isNew = false
        let engine = try state.withLock { (state) throws(FirestoreError) in
            if let engine = state.engine { return engine }
            guard !state.isTerminated else {
                throw FirestoreError(.failedPrecondition, "The client has already been terminated.")
            }
            let engine = try open(state.settings)
            state.engine = engine
            let interval = engine.isReadOnly ? nil : state.settings.timeToLiveSweepInterval
            state.timeToLiveTimer = interval.map { interval in
                TimeToLiveTimer(every: interval, engine) { [weak self] error in
                    self?.log(FirestoreError(error), of: "Deleting expired documents")
                }
            }
            isNew = true
            return engine
        }
        if isNew {
            log(.debug, "Opened the database at \(path)")
            resumeIndexBuilds(engine)
        }
        return engine
    }

    /// Resumes a change of indexes that an earlier program left unfinished.
    private func resumeIndexBuilds(_ engine: Engine) {
        guard !engine.isReadOnly, let catalog = try? engine.catalog(), catalog.isBuilding else { return }
        queues.maintenance.async { [self] in
            do throws(EngineError) {
                try engine.resumeIndexBuilds()
            } catch {
                log(.error, "Building indexes failed: \(error.message)")
            }
        }
    }

    /// The engine if it is open. Never waits for the disk.
    var openEngine: Engine? { state.withLock { $0.engine } }

    /// The engine for a blocking read, which sees the writes requested before it.
    func engineAfterWrites() throws(FirestoreError) -> Engine {
        queues.waitForUnawaited(self)
        return try engine()
    }

    /// The engine and the listener hub. The first call opens them.
    func engineAndHub() throws(FirestoreError) -> (engine: Engine, hub: ListenerHub) {
        let engine = try engine()
        let hub = state.withLock { state in
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

    /// The project and database IDs of the file.
    func identity() throws(FirestoreError) -> DatabaseID { try engine().database }

    /// The project and database IDs, without opening the file: those of a new database until it is open.
    var expectedIdentity: DatabaseID { openEngine?.database ?? newIdentity }

    private var newIdentity: DatabaseID {
        projectID.map { DatabaseID(project: Text($0)) } ?? Engine.Options().identity
    }

    /// Opens the database on a thread of Hearth if it is not open.
    nonisolated(nonsending) func opened() async throws {
        guard state.withLock({ $0.engine == nil }) else { return }
        try await Job(guarded: self, .read) { _ in }.value()
    }

    /// An engine on the database's file while this object does not use it; nil if there is no file.
    func unusedEngine() throws(FirestoreError) -> Engine? {
        try state.withLock { (state) throws(FirestoreError) in
            guard state.engine == nil else {
                throw FirestoreError(
                    .failedPrecondition, "Persistence cannot be cleared while the firestore instance is running.")
            }
            let isThere =
                state.settings.cacheSettings is PersistentCacheSettings && FileManager.default.fileExists(atPath: path)
            return isThere ? try open(state.settings) : nil
        }
    }

    private func open(_ settings: FirestoreSettings.Values) throws(FirestoreError) -> Engine {
        var options = Engine.Options()
        options.identity = newIdentity
        let project = projectID ?? ProcessInfo.processInfo.environment["GCLOUD_PROJECT"] ?? ""
        options.linkedProject = project.isEmpty ? nil : Text(project)
        options.queryLog = settings.queryLog
        options.mapSize = settings.mapSize
        options.placesPages = settings.placesWritesTogether
        do throws(EngineError) {
            guard settings.cacheSettings is MemoryCacheSettings else {
                options.durability = settings.durability.mode
                options.readOnly = settings.fileAccess != .readWrite
                options.isImmutable = settings.fileAccess == .immutable
                return try Engine.open(path, options)
            }
            options.durability = .mayLoseDatabase
            return try Database.openTemporary(options)
        } catch {
            throw FirestoreError(error)
        }
    }

    /// The file is unlinked while it is open, so it disappears with the process even if that is killed.
    private static func openTemporary(_ options: Engine.Options) throws(EngineError) -> Engine {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try Engine.open(folder.appending(path: "memory.db").path, options)
    }

    /// Closes the database. Calls made before finish; later calls throw `failedPrecondition`. Listeners are no longer
    /// called, and their sequences end. After the default database is terminated, ``firestore()`` returns a new one.
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
            let hub = state.withLock { state in
                defer {
                    state.engine = nil
                    state.hub = nil
                    state.timeToLiveTimer = nil
                }
                state.isTerminated = true
                return state.hub
            }
            hub?.stop()
            log(.debug, "Terminated the database at \(path)")
        }
    }
}
