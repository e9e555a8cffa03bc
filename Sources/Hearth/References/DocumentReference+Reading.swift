// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

/// Where FirebaseFirestore reads. Here all three cases mean the local database, which holds the truth.
public enum FirestoreSource: Sendable {
    /// The local database.
    case `default`
    /// The local database.
    case server
    /// The local database.
    case cache
}

extension DocumentReference {
    /// Reads the document. If it does not exist, ``DocumentSnapshot/exists`` is false; that is not an error.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` for an invalid path; `dataLoss` or `internal` if the file is
    ///   damaged or cannot be read.
    public nonisolated(nonsending) func getDocument(source: FirestoreSource = .default) async throws -> DocumentSnapshot
    {
        try await readJob().value()
    }

    /// Reads the document and calls `completion` with a snapshot or an error, on ``FirestoreSettings/dispatchQueue``.
    public func getDocument(
        completion: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) {
        readJob().start { completion($0.success, $0.failure) }
    }

    /// Reads the document and calls `completion` with a snapshot or an error, on ``FirestoreSettings/dispatchQueue``.
    /// `source` has no effect; see ``FirestoreSource``.
    public func getDocument(
        source: FirestoreSource,
        completion: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) {
        getDocument(completion: completion)
    }

    /// Lists the collections under this document that hold documents at any depth, in the order of their IDs. The
    /// document itself need not exist.
    ///
    /// - Throws: as ``getDocument(source:)``.
    public nonisolated(nonsending) func listCollections() async throws -> [CollectionReference] {
        try await firestore.collectionsJob(under: target.map { $0 }).value()
    }

    /// Lists the collections under this document and calls `completion` with them or with an error; see
    /// ``listCollections()``.
    public func listCollections(
        completion: @escaping (_ collections: [CollectionReference]?, _ error: (any Error)?) -> Void
    ) {
        firestore.collectionsJob(under: target.map { $0 }).start { completion($0.success, $0.failure) }
    }

    fileprivate func readJob() -> Job<DocumentSnapshot> {
        Job(guarded: firestore, .read) { [self] engine in try read(engine) }
    }

    fileprivate func read(_ engine: Engine) throws(FirestoreError) -> DocumentSnapshot {
        let path = try own()
        do throws(EngineError) {
            return DocumentSnapshot(self, try engine.record(path, if: firestore.check(get: path)))
        } catch {
            throw FirestoreError(error)
        }
    }
}

extension BlockingAPI where Base == DocumentReference {
    /// The blocking form of ``DocumentReference/getDocument(source:)``.
    public func getDocument(source: FirestoreSource = .default) throws -> DocumentSnapshot {
        try base.read(try base.firestore.engineAfterWrites())
    }

    /// The blocking form of ``DocumentReference/listCollections()``.
    public func listCollections() throws -> [CollectionReference] {
        try base.firestore.collectionsJob(under: base.target.map { $0 }).wait()
    }
}
