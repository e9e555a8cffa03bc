// SPDX-License-Identifier: Apache-2.0

/// What keeps the database of a reference or query. Those that are made from one collection count references to its origin and not to
/// the database: threads that have collections of their own then count nothing in common.
class DatabaseOrigin: @unchecked Sendable {  // Immutable.
    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The engine for a blocking read, which sees the writes requested before it.
    // Not inlined: this counts no reference to the database, where callers would.
    @inline(never)
    final func engineAfterWrites() throws(FirestoreError) -> Database.EngineHandle {
        database.queues.waitForUnawaited(database)
        return try database.engineHandle()
    }
}
