// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel

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

    /// A database that is opened on first use.
    init(path: String, settings: FirestoreSettings.Values, projectID: String? = nil) {
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
    ///   disk is full, the process has too many open files, or all places for readers stay taken.
    public static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), projectID: String? = nil
    ) throws -> Database {
        let database = Database(path: path, settings: settings.values, projectID: projectID)
        _ = try database.engine()
        return database
    }

    /// Opens a database file, or creates it, without blocking the calling thread. Parameters and errors are those of
    /// the blocking form.
    public nonisolated(nonsending) static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), projectID: String? = nil
    ) async throws -> Database {
        let database = Database(path: path, settings: settings.values, projectID: projectID)
        try await database.opened()
        return database
    }

    /// A copy of the settings in force. To change settings, assign this property before the first use of the database.
    ///
    /// Assigning other settings to a database that has been used is a programming error and traps.
    public var settings: FirestoreSettings {
        get { FirestoreSettings(state.withLock { $0.settings }) }
        set {
            guard state.change(newValue.values) else {
                misuse(
                    "Firestore instance has already been started and its settings can no longer be changed. You can "
                        + "only set settings before calling any other methods on a Firestore instance.")
            }
        }
    }
}
