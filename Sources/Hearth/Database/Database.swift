// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import Foundation
internal import LMDB
internal import Synchronization

/// FirebaseFirestore's name of ``Database``.
public typealias Firestore = Database

/// A document database: documents in collections, in one file, with Cloud Firestore's data model, queries and indexes.
///
/// ```swift
/// let database = try await Database.open(path: "cities.db")
/// try await database.document("cities/SF").setData(["name": "San Francisco", "population": 860_000])
/// let city = try await database.document("cities/SF").getDocument()
/// ```
///
/// A database may be used from any thread. Each call that reads or writes comes in three forms: `async`, with a callback, and
/// blocking behind `sync` (see ``Synchronous``). Reads see the writes that this object was asked for before them.
///
/// The file closes when the last reference to the database, or to anything that came from it, is gone, or with
/// ``terminate()``. Several processes may have it open.
public final class Database: Sendable {
    private struct State {
        var settings: FirestoreSettings.Values
        var engine: Engine?
        var hub: ListenerHub?
        var expiry: ExpiryTimer?
        var callbackQueue: CallbackQueue?
        var isTerminated = false
    }

    private let path: String
    private let projectID: String?
    private let state: Mutex<State>
    let queues = WorkQueues()

    /// A database that opens when it is first used.
    init(path: String, settings: FirestoreSettings, projectID: String? = nil) {
        self.path = path
        self.projectID = projectID
        state = Mutex(State(settings: settings.values))
    }

    /// Opens the database file, or makes one, readable by its owner only. A lock file (the path with `-lock`) lies beside it.
    ///
    /// In an asynchronous function the asynchronous form of this call is chosen.
    ///
    /// - Parameters:
    ///   - path: of the file; its folder must exist. With ``MemoryCacheSettings`` nothing is read or made there.
    ///   - settings: how to open it.
    ///   - projectID: the Firebase project that links in missing-index errors lead to, else the one that the environment variable
    ///     `GCLOUD_PROJECT` names; without either, errors have no link. A new database counts itself to this project, and
    ///     references to documents name it; an existing one keeps its own.
    /// - Throws: ``FirestoreError``: `internal` where the file cannot be opened, `failedPrecondition` where it is no database of
    ///   Hearth, or of a newer version, or of an older format (see <doc:BackupAndFiles#Files-of-older-versions>), `dataLoss` where it
    ///   is damaged or was cut short, `resourceExhausted` where the disk is full or the process has too many files open.
    public static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), projectID: String? = nil
    ) throws -> Database {
        let database = Database(path: path, settings: settings, projectID: projectID)
        _ = try database.engine()
        return database
    }

    /// The same without blocking.
    public nonisolated(nonsending) static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), projectID: String? = nil
    ) async throws -> Database {
        let database = Database(path: path, settings: settings, projectID: projectID)
        try await database.opened()
        return database
    }

    /// The settings in force, as a copy: to change them, assign them.
    ///
    /// Assigning settings to a database that has been used is a programmer error and traps (C-1).
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
    /// The engine, opened now if it was not; blocks on the disk then.
    func engine() throws(FirestoreError) -> Engine {
        var isNew = false
        let engine = try state.withLock { (state) throws(FirestoreError) in
            if let engine = state.engine { return engine }
            guard !state.isTerminated else {
                throw FirestoreError(.failedPrecondition, "The client has already been terminated.")
            }
            let engine = try open(state.settings)
            state.engine = engine
            let interval = engine.isReadOnly ? nil : state.settings.expiryInterval
            state.expiry = interval.map { interval in
                ExpiryTimer(every: interval, engine) { [weak self] error in
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

    /// Goes on with a change of indexes in which an earlier program was interrupted.
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

    /// The engine if it is open; never waits for the disk.
    var openEngine: Engine? { state.withLock { $0.engine } }

    /// The engine for a blocking read, which sees the writes that were asked for before it.
    func engineAfterWrites() throws(FirestoreError) -> Engine {
        queues.waitForUnawaited(self)
        return try engine()
    }

    /// The engine and the hub of listeners, opened now if they were not.
    func engineAndHub() throws(FirestoreError) -> (engine: Engine, hub: ListenerHub) {
        let engine = try engine()
        let hub = state.withLock { state in
            let hub = state.hub ?? ListenerHub(engine, on: queues.listeners)
            state.hub = hub
            return hub
        }
        return (engine, hub)
    }

    /// Where the program's closures are called.
    var callbackQueue: CallbackQueue {
        state.withLock { state in
            let queue = state.settings.dispatchQueue
            if let callbackQueue = state.callbackQueue, callbackQueue.queue === queue { return callbackQueue }
            // On Linux each object for the main queue is another one.
            let isMain = queue.label == DispatchQueue.main.label
            let patience: DispatchTimeInterval = isMain ? .seconds(2) : .never
            let callbackQueue = CallbackQueue(queue, patience: patience) { [weak self] in self?.logStuckCallbacks() }
            state.callbackQueue = callbackQueue
            return callbackQueue
        }
    }

    /// Nil if there were no listeners so far.
    var hub: ListenerHub? { state.withLock { $0.hub } }

    /// The names that the database goes by.
    func identity() throws(FirestoreError) -> DatabaseID { try engine().database }

    /// The same without opening the file; before that, the names of a new database.
    var expectedIdentity: DatabaseID { openEngine?.database ?? newIdentity }

    private var newIdentity: DatabaseID {
        projectID.map { DatabaseID(project: Text($0)) } ?? Engine.Options().identity
    }

    /// Opens the database on a thread of Hearth's own, if it is not open.
    nonisolated(nonsending) func opened() async throws {
        guard state.withLock({ $0.engine == nil }) else { return }
        try await Job(self, .read) { _ in }.value()
    }

    /// An engine on the database's file while this object is not using it; nil if there is no file.
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

    /// The file has no name any more once it is open, so that it goes with the process even if that is killed.
    private static func openTemporary(_ options: Engine.Options) throws(EngineError) -> Engine {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try Engine.open(folder.appending(path: "memory.db").path, options)
    }

    /// Ends the use of this object: calls made before are finished, later ones throw `failedPrecondition`. Listeners are not
    /// called any more, and their sequences end. The default database ends, and ``firestore()`` makes a new one (C-4).
    public nonisolated(nonsending) func terminate() async throws {
        try await terminateJob().value()
    }

    /// The same with a callback.
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
                    state.expiry = nil
                }
                state.isTerminated = true
                return state.hub
            }
            hub?.stop()
            log(.debug, "Terminated the database at \(path)")
        }
    }
}
