// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

extension Query {
    /// Runs the query over one consistent state of the database.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` with ``FirestoreError/missingIndex`` if the query needs an
    ///   index that the database lacks; `invalidArgument`, with production's text, for a query that production refuses.
    ///   With a remote, the errors of the server; `unavailable` if it cannot be reached and `source` is ``FirestoreSource/server``.
    ///   What the local database answers needs no index.
    public nonisolated(nonsending) func getDocuments(source: FirestoreSource = .default) async throws -> QuerySnapshot {
        try await readJob(source).value()
    }

    /// Runs the query and calls `completion` with a snapshot or an error, on ``FirestoreSettings/dispatchQueue``.
    public func getDocuments(
        completion: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) {
        getDocuments(source: .default, completion: completion)
    }

    /// Runs the query over a source and calls `completion` with a snapshot or an error, on
    /// ``FirestoreSettings/dispatchQueue``.
    public func getDocuments(
        source: FirestoreSource,
        completion: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) {
        readJob(source).start { completion($0.success, $0.failure) }
    }

    fileprivate func readJob(_ source: FirestoreSource) -> Job<QuerySnapshot> {
        if firestore.isConnected { return syncedReadJob(source) }
        return Job(guarded: firestore, .read) { [self] engine in try read(Database.EngineHandle(engine)) }
    }

    /// - Parameter handle: counted, where the engine is not.
    fileprivate func read(_ handle: Database.EngineHandle) throws(FirestoreError) -> QuerySnapshot {
        let state = try resolved()
        let check = try firestore.check(list: state.query)
        do throws(QueryError) {
            return QuerySnapshot(self, try handle.engine.records(state.query, if: check))
        } catch {
            throw FirestoreError(error, handle.engine)
        }
    }
}

extension BlockingAPI where Base: Query {
    /// The blocking form of ``Query/getDocuments(source:)``.
    public func getDocuments(source: FirestoreSource = .default) throws -> QuerySnapshot {
        if base.firestore.isConnected { return try base.readJob(source).wait() }
        return try base.read(try base.origin.engineAfterWrites())
    }
}
