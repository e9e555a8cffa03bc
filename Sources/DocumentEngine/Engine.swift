// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import JSONText
package import LMDB
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A database file: documents and their indexes.
///
/// Reads see one unchanging state; writes happen one after another, each whole or not at all. All calls are synchronous and
/// may come from any thread.
package final class Engine: Sendable {
    package struct Options: Sendable {
        /// Whether a missing file is made.
        package var creates = true
        package var readOnly = false
        /// Whether nobody writes the file while it is open, so that it needs no lock file. Implies ``readOnly``.
        package var isImmutable = false {
            didSet { if isImmutable { readOnly = true } }
        }
        /// The identity of a new database (D-1). An existing one keeps its own.
        package var identity = DatabaseID(project: Options.noProject)
        /// The project that links name; nil: that of the database, if it has one.
        package var linkedProject: Text?
        /// Bytes of address space to reserve; it grows by itself where it must.
        package var mapSize = 64 << 30
        package var durability = Environment.Durability.full
        /// A file to which queries are appended without their values, for `hearth check` and `hearth advise`.
        package var queryLog: String?

        package init() {}

        /// The project of databases that nobody has named one for.
        fileprivate static let noProject: Text = "hearth"
    }

    package let database: DatabaseID
    /// The database that links name; nil where no project is known.
    package let linked: DatabaseID?
    let scheduler: TransactionScheduler
    let recorder: QueryRecorder?

    private init(_ storage: Storage, _ database: DatabaseID, linkedProject: Text?, _ recorder: QueryRecorder?) {
        let ownProject = database.project == Options.noProject ? nil : database.project
        linked = (linkedProject ?? ownProject).map { DatabaseID(project: $0, database: database.database) }
        self.database = database
        self.recorder = recorder
        scheduler = TransactionScheduler(storage, database)
    }

    package var environment: Environment { scheduler.storage.environment }
    package var stores: Stores { scheduler.storage.stores }
    /// Where commits are told.
    package var changes: ChangeFeed { scheduler.changes }
    var ids: IDTable { scheduler.ids }
    var catalogs: CatalogCache { scheduler.catalogs }
    package var isReadOnly: Bool { environment.options.readOnly }

    /// Opens a database, or makes one.
    ///
    /// The same file opened twice in a process is the same environment. Files are made for their owner only.
    package static func open(_ path: String, _ options: Options = Options()) throws(EngineError) -> Engine {
        try open(path, options, acceptsOlderFormats: false)
    }

    /// - Parameter acceptsOlderFormats: for ``repair(fileAt:progress:keeping:)``, which upgrades the file. Nothing else may be asked
    ///   of an engine whose file has an older format.
    static func open(
        _ path: String, _ options: Options, acceptsOlderFormats: Bool
    ) throws(EngineError) -> Engine {
        let isNew = access(path, F_OK) != 0
        if isNew, !options.creates || options.readOnly {
            throw .storage(LMDBError(code: .noSuchFile, operation: .open, path: path))
        }
        let environment = try openEnvironment(path, options)
        let storage = try Storage(environment)
        let header = try DatabaseHeader.readOrWrite(storage, identity: options.identity)
        if !acceptsOlderFormats { try header.requireCurrentFormat(of: path) }
        let database = header.identity
        var recorder: QueryRecorder?
        if let log = options.queryLog { recorder = try QueryRecorder(appendingTo: log, database: database) }
        return Engine(storage, database, linkedProject: options.linkedProject, recorder)
    }

    static func openEnvironment(_ path: String, _ options: Options) throws(EngineError) -> Environment {
        do {
            var opening = Environment.Options(
                mapSize: options.mapSize, durability: options.durability, readOnly: options.readOnly)
            opening.isImmutable = options.isImmutable
            return try Environment.open(path, opening)
        } catch {
            throw .storage(error)
        }
    }
}
