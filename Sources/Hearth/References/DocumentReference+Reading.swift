// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

/// Where a read looks in FirebaseFirestore. Here all three mean the same: the database is on this machine, and what it holds is
/// the truth (C-19).
public enum FirestoreSource: Sendable {
    /// The database.
    case `default`
    /// The database.
    case server
    /// The database.
    case cache
}

extension DocumentReference {
    /// Reads the document. A missing one is no error: ``DocumentSnapshot/exists`` is false then.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` for an impossible path; `dataLoss` or `internal` where the file is
    ///   damaged or cannot be read.
    public nonisolated(nonsending) func getDocument(source: FirestoreSource = .default) async throws -> DocumentSnapshot
    {
        try await readJob().value()
    }

    /// The same with a callback, which gets a snapshot or an error.
    public func getDocument(
        completion: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) {
        readJob().start { completion($0.success, $0.failure) }
    }

    /// The same with a callback, which gets a snapshot or an error.
    public func getDocument(
        source: FirestoreSource,
        completion: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) {
        getDocument(completion: completion)
    }

    /// The collections under this document that hold documents at any depth, in order of their IDs; the document itself need
    /// not exist (D-6).
    ///
    /// - Throws: as ``getDocument(source:)``.
    public nonisolated(nonsending) func listCollections() async throws -> [CollectionReference] {
        try await firestore.collectionsJob(under: target.map { $0 }).value()
    }

    /// The same with a callback.
    public func listCollections(
        completion: @escaping (_ collections: [CollectionReference]?, _ error: (any Error)?) -> Void
    ) {
        firestore.collectionsJob(under: target.map { $0 }).start { completion($0.success, $0.failure) }
    }

    fileprivate func readJob() -> Job<DocumentSnapshot> {
        Job(firestore, .read) { [self] engine in try read(engine) }
    }

    fileprivate func read(_ engine: Engine) throws(FirestoreError) -> DocumentSnapshot {
        let path = try own()
        do throws(EngineError) {
            return DocumentSnapshot(self, try engine.record(path))
        } catch {
            throw FirestoreError(error)
        }
    }
}

extension Synchronous where Base == DocumentReference {
    /// ``DocumentReference/getDocument(source:)``, blocking.
    public func getDocument(source: FirestoreSource = .default) throws -> DocumentSnapshot {
        try base.read(try base.firestore.engineAfterWrites())
    }

    /// ``DocumentReference/listCollections()``, blocking.
    public func listCollections() throws -> [CollectionReference] {
        try base.firestore.collectionsJob(under: base.target.map { $0 }).wait()
    }
}
