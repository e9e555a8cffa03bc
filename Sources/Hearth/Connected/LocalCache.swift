// SPDX-License-Identifier: Apache-2.0

internal import SyncCore

/// What a database with a remote holds of the server's documents.
///
/// Every call throws ``FirestoreError`` `failedPrecondition` in a database without a remote.
public struct LocalCache: Sendable {
    private let database: Database

    fileprivate init(_ database: Database) {
        self.database = database
    }

    /// The bytes in use, with indexes and queued writes, without free pages of the file.
    public nonisolated(nonsending) func size() async throws -> Int {
        let job = Job<Int>(askingClientOf: database) { client, deliver in
            client.inspect({ (machine) throws(ReplicaError) in try machine.cacheSize() }, deliver)
        }
        return try await job.value()
    }

    /// Forgets a document, and what queries that nobody listens to know of their results with it.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` for a document that a listener shows, that a pinned query or one
    ///   with a listener matches, or that a pending write changes.
    public nonisolated(nonsending) func evict(_ document: DocumentReference) async throws {
        try await Job(changing: database) { _, call in
            .evict(SyncQuery(document: try document.own()), call: call)
        }.value()
    }

    /// Forgets the cached results of a query, except documents that have to stay, as those of ``evict(_:)-(DocumentReference)``.
    public nonisolated(nonsending) func evict(_ query: Query) async throws {
        try await Job(changing: database) { client, call in
            .evict(try query.syncQuery(client.database), call: call)
        }.value()
    }

    /// Keeps what the server sends of a query, however large the cache grows, until ``unpin(_:)``; over restarts too.
    /// Pinning does not listen: read the query, or listen to it, to have its documents.
    public nonisolated(nonsending) func pin(_ query: Query) async throws {
        try await Job(changing: database) { client, call in
            .pin(try query.syncQuery(client.database), call: call)
        }.value()
    }

    /// Ends ``pin(_:)``.
    public nonisolated(nonsending) func unpin(_ query: Query) async throws {
        try await Job(changing: database) { client, call in
            .unpin(try query.syncQuery(client.database), call: call)
        }.value()
    }

    /// The server's time as of which the cache has every document of a query; nil if it may lack some. Then a read from
    /// ``FirestoreSource/cache`` gives what the server had at that time, or newer, with the program's own writes.
    ///
    /// It is known after the query itself was read from the server, or listened to. A query without limit and cursors
    /// answers for others, too: for those of its collection, or of collections in its collection group, that have at least
    /// its filters, and whose filters or orders name the fields by which it is ordered. A query with a limit answers until
    /// one of its documents changes.
    public nonisolated(nonsending) func completeAsOf(_ query: Query) async throws -> Timestamp? {
        let job = Job<Timestamp?>(askingClientOf: database) { client, deliver in
            let query = try query.syncQuery(client.database)
            client.inspect({ (machine) throws(ReplicaError) in try machine.completeVersion(of: query) }) { result in
                deliver(result.map { time in time.map { Timestamp($0) } })
            }
        }
        return try await job.value()
    }
}

extension Database {
    /// What this database holds of its server's documents.
    public var cache: LocalCache { LocalCache(self) }
}
