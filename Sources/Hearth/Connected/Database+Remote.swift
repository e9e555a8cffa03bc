// SPDX-License-Identifier: Apache-2.0

extension Database {
    /// Opens the offline data of a server's database, or creates it. Then everything means what it means in
    /// FirebaseFirestore: writes are applied here at once and queued for the server, listeners and reads get the server's
    /// documents together with them, and without a connection all goes on with what is here.
    ///
    /// ```swift
    /// let database = try Database.open(path: "app.db", remote: remote)
    /// ```
    ///
    /// The network is used in the background; this call does not wait for it, nor for credentials.
    ///
    /// - Parameters:
    ///   - path: the path of the file, whose directory must exist. The file belongs to this server's database. Other
    ///     processes, and other objects, may open it for the same remote: one of them talks with the server for all.
    ///   - settings: how to open the file. ``PersistentCacheSettings`` limits its size; with ``MemoryCacheSettings``,
    ///     nothing is kept over a restart, nor are queued writes.
    ///   - remote: the server's database; the product HearthConnected makes it.
    /// - Throws: ``FirestoreError``: `failedPrecondition` if the file is no offline data, belongs to another server's
    ///   database, or is damaged and in use by another client; otherwise as for a database without a remote.
    public static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), remote: Remote
    ) throws -> Database {
        let database = Database(path: path, settings: settings.values.with(remote))
        _ = try database.client()
        return database
    }

    /// Opens the offline data of a server's database without blocking the calling thread. Parameters and errors are those
    /// of the blocking form.
    public nonisolated(nonsending) static func open(
        path: String, settings: FirestoreSettings = FirestoreSettings(), remote: Remote
    ) async throws -> Database {
        let database = Database(path: path, settings: settings.values.with(remote))
        try await database.opened()
        return database
    }
}
