// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

extension Query {
    /// Runs the query over one unchanging state of the database.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` with ``FirestoreError/missingIndex`` where the query needs an index
    ///   that the database lacks; `invalidArgument` for a query that production refuses, in its words.
    public nonisolated(nonsending) func getDocuments(source: FirestoreSource = .default) async throws -> QuerySnapshot {
        try await readJob().value()
    }

    /// The same with a callback, which gets a snapshot or an error.
    public func getDocuments(
        completion: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) {
        readJob().start { completion($0.success, $0.failure) }
    }

    /// The same with a callback, which gets a snapshot or an error.
    public func getDocuments(
        source: FirestoreSource,
        completion: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) {
        getDocuments(completion: completion)
    }

    fileprivate func readJob() -> Job<QuerySnapshot> {
        Job(firestore, .read) { [self] engine in try read(engine) }
    }

    fileprivate func read(_ engine: Engine) throws(FirestoreError) -> QuerySnapshot {
        let planned = try planned()
        do throws(QueryError) {
            return QuerySnapshot(self, try engine.records(planned))
        } catch {
            throw FirestoreError(error, engine)
        }
    }
}

extension Synchronous where Base: Query {
    /// ``Query/getDocuments(source:)``, blocking.
    public func getDocuments(source: FirestoreSource = .default) throws -> QuerySnapshot {
        try base.read(try base.firestore.engineAfterWrites())
    }
}
