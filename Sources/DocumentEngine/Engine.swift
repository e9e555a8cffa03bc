// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import LMDB

/// An open database file: its documents and indexes.
///
/// A read sees one snapshot. Writes are atomic and happen one after another. All calls are synchronous and may come
/// from any thread.
package final class Engine: Sendable {
    package struct Options: Sendable {
        /// Whether to create a missing file.
        package var creates = true
        package var readOnly = false
        /// Promises that nobody writes the file while it is open, so that it needs no lock file. Implies ``readOnly``.
        package var isImmutable = false {
            didSet { if isImmutable { readOnly = true } }
        }
        /// The identity of a new database (D-1). An existing one keeps its own.
        package var identity = DatabaseID(project: Options.noProject)
        /// The project that links name; nil for the database's own project, if it has one.
        package var linkedProject: Text?
        /// Bytes of address space to reserve. The map grows by itself if necessary.
        package var mapSize = 64 << 30
        package var durability = Environment.Durability.full
        /// As ``LMDB/Environment/Options/placesPages``.
        package var placesPages = true
        /// As ``LMDB/Environment/Options/readsPages``.
        package var readsPages = true
        /// A file to which queries are appended without their values, for `hearth check` and `hearth advise`.
        package var queryLog: String?
        /// Whether queries that differ in values only share what planning found out, and whether a single scan is read without a
        /// plan. Without, every query is planned from the beginning, and whole, with the same result: for tests.
        package var usesPlanCache = true
        /// Whether documents of new collections are sorted before they are written. Without, loads are ordinary commits: for tests.
        package var stagesLoads = true
        /// Keeps replaced versions of documents, for reads at past times and for transactions; nil to keep none.
        package var history: HistoryLimits?
        /// Opens or creates a client's replica: documents beside a queue of writes, which only whoever sets this knows. Any other
        /// engine may only read such a file.
        package var isReplica = false
        /// The current time in microseconds since 1970, of which commits, reads at a time and time to live know; nil for the system's.
        package var clock: (@Sendable () -> UInt64)?
        /// An earlier engine's ``Engine/latestTime``, which is not in the file if it is that of a read.
        package var latestTime = Timestamp.minimum
        /// The ``Engine/incarnation()`` of a database without any commit, of which nobody may know a state but an empty one by this
        /// number; nil for a random one.
        package var firstIncarnation: UInt64?

        /// What an opening for reading only does, a hundred times at most, while another process may be creating the file. Tests
        /// complete it meanwhile.
        package var awaitCreation: @Sendable () -> Void = { System.pause(microseconds: 10_000) }

        package init() {}

        /// The project of a database that was created without one.
        fileprivate static let noProject: Text = "hearth"
    }

    package let database: DatabaseID
    /// The database that links name; nil if no project is known.
    package let linked: DatabaseID?
    /// Whether the file is a client's replica.
    package let isReplica: Bool
    let scheduler: TransactionScheduler
    // The scheduler's. Reads that came by them through it would count references to them, as all threads would.
    let idTables: IDTables
    let catalogs: CatalogCache
    let recorder: QueryRecorder?
    let usesPlanCache: Bool
    let stagesLoads: Bool

    private init(
        _ storage: Storage, _ header: DatabaseHeader, _ options: Options, _ recorder: QueryRecorder?
    ) throws(EngineError) {
        self.database = header.identity
        isReplica = header.isReplica
        let database = header.identity
        let ownProject = database.project == Options.noProject ? nil : database.project
        linked = (options.linkedProject ?? ownProject).map { DatabaseID(project: $0, database: database.database) }
        self.recorder = recorder
        usesPlanCache = options.usesPlanCache
        stagesLoads = options.stagesLoads
        scheduler = try TransactionScheduler(
            storage, database, options.history, after: options.latestTime, firstIncarnation: options.firstIncarnation)
        idTables = scheduler.idTables
        catalogs = scheduler.catalogs
    }

    package var environment: Environment { scheduler.storage.environment }
    package var stores: Stores { scheduler.storage.stores }
    /// Reports the engine's commits.
    package var changes: ChangeFeed { scheduler.changes }
    /// This thread's.
    var ids: IDTable { idTables.own }
    package var isReadOnly: Bool { environment.options.readOnly }

    /// Opens a database, or creates it.
    ///
    /// Opening a file twice in a process gives the same environment. New files are accessible to their owner only.
    package static func open(_ path: String, _ options: Options = Options()) throws(EngineError) -> Engine {
        try open(path, options, acceptsOlderFormats: false)
    }

    /// - Parameter acceptsOlderFormats: for ``repair(fileAt:progress:keeping:)``, which upgrades the file. Nothing else may be asked
    ///   of an engine whose file has an older format.
    static func open(
        _ path: String, _ options: Options, acceptsOlderFormats: Bool
    ) throws(EngineError) -> Engine {
        let isNew = !System.exists(path)
        if isNew, !options.creates || options.readOnly {
            throw .storage(LMDBError(code: .noSuchFile, operation: .open, path: path))
        }
        let environment = try openEnvironment(path, options)
        let (storage, header) = try openComplete(environment, options)
        if !acceptsOlderFormats { try header.requireCurrentFormat(of: path) }
        try header.requireUse(asReplica: options.isReplica, readOnly: options.readOnly, of: path)
        guard !header.isReplica || storage.stores.replica != nil else {
            throw .damaged("the records of the client's queue are gone")
        }
        let database = header.identity
        var recorder: QueryRecorder?
        if let log = options.queryLog { recorder = try QueryRecorder(appendingTo: log, database: database) }
        return try Engine(storage, header, options, recorder)
    }

    /// Opens the stores, for reading only once the process that is creating the file has completed it.
    private static func openComplete(
        _ environment: Environment, _ options: Options
    ) throws(EngineError) -> (Storage, DatabaseHeader) {
        for _ in 0..<100 {
            do {
                return try openStores(environment, options)
            } catch {
                guard case .incomplete = error else { throw error }
                options.awaitCreation()
            }
        }
        return try openStores(environment, options)
    }

    private static func openStores(
        _ environment: Environment, _ options: Options
    ) throws(EngineError) -> (Storage, DatabaseHeader) {
        let open = { () throws(EngineError) in
            try Storage(
                environment, keepsHistory: options.history != nil,
                createsReplica: options.isReplica && !options.readOnly, now: options.clock ?? System.now)
        }
        let storage = try open()
        let header = try DatabaseHeader.readOrWrite(
            storage, identity: options.identity, isReplica: options.isReplica)
        guard header.isReplica, storage.stores.replica == nil else { return (storage, header) }
        // The store is created before the header, but maybe after it was looked for.
        return (try open(), header)
    }

    static func openEnvironment(_ path: String, _ options: Options) throws(EngineError) -> Environment {
        do {
            var opening = Environment.Options(
                mapSize: options.mapSize, durability: options.durability, readOnly: options.readOnly)
            opening.isImmutable = options.isImmutable
            opening.placesPages = options.placesPages
            opening.readsPages = options.readsPages
            return try Environment.open(path, opening)
        } catch {
            throw .storage(error)
        }
    }
}
