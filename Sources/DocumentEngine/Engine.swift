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
        /// As ``LMDB/Environment/Options/placesPages``.
        package var placesPages = true
        /// As ``LMDB/Environment/Options/readsPages``.
        package var readsPages = true
        /// A file to which queries are appended without their values, for `hearth check` and `hearth advise`.
        package var queryLog: String?

        package init() {}

        /// The project of databases that nobody has named one for.
        fileprivate static let noProject: Text = "hearth"
    }

    package let database: DatabaseID
    /// The database that links name; nil where no project is known.
    package let linked: DatabaseID?
    package let environment: Environment
    package let stores: Stores
    let numbers: Numbers
    let catalogs: CatalogCache
    let recorder: QueryRecorder?
    /// Where commits are told.
    package let changes = ChangeFeed()
    let commits = CommitQueue()
    let writerMemory = WriterMemory()
    /// When the last commit of this engine was made, also one that changed nothing and left no time in the file.
    let lastCommitTime = Atomic<UInt64>(0)

    private init(
        _ environment: Environment, _ stores: Stores, _ database: DatabaseID, linkedProject: Text?,
        _ recorder: QueryRecorder?
    ) {
        let ownProject = database.project == Options.noProject ? nil : database.project
        linked = (linkedProject ?? ownProject).map { DatabaseID(project: $0, database: database.database) }
        self.environment = environment
        self.stores = stores
        self.database = database
        self.recorder = recorder
        numbers = Numbers(stores)
        catalogs = CatalogCache(stores, numbers)
    }

    package var isReadOnly: Bool { environment.options.readOnly }

    /// Opens a database, or makes one.
    ///
    /// The same file opened twice in a process is the same environment. Files are made for their owner only.
    package static func open(_ path: String, _ options: Options = Options()) throws(EngineError) -> Engine {
        let isNew = access(path, F_OK) != 0
        if isNew, !options.creates || options.readOnly {
            throw .storage(LMDBError(code: .noSuchFile, operation: .open, path: path))
        }
        let environment = try openEnvironment(path, options)
        let stores = try openStores(environment)
        let database = try DatabaseHeader.readOrWrite(environment, stores, options).identity
        var recorder: QueryRecorder?
        if let log = options.queryLog { recorder = try QueryRecorder(appendingTo: log, database: database) }
        return Engine(environment, stores, database, linkedProject: options.linkedProject, recorder)
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

    /// Makes the stores in a new file; a file that has been written to and lacks them is another program's.
    private static func openStores(_ environment: Environment) throws(EngineError) -> Stores {
        do throws(LMDBError) {
            return Stores(try environment.openStores(Stores.names, create: false))
        } catch {
            guard error.code == .noSuchStore else { throw .storage(error) }
        }
        guard environment.info.lastTransactionID == 0 else {
            throw .unusable("\(environment.path) is an LMDB file, but no Hearth database.")
        }
        guard !environment.options.readOnly else { throw DatabaseHeader.neverCompleted(environment) }
        do {
            return Stores(try environment.openStores(Stores.names, create: true))
        } catch {
            throw .storage(error)
        }
    }
}
