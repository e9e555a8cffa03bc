// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

/// Where to read. Without a remote, all cases mean the local database, which holds the truth.
public enum FirestoreSource: Sendable, Hashable {
    /// The server; if it cannot be reached, the local database.
    case `default`
    /// The server alone. The call fails with `unavailable` if it cannot be reached.
    case server
    /// The local database alone: what this client holds of the server's documents, with its own writes.
    case cache
    /// The local database, if it is known to have all that is asked for: the document, or every document of the query
    /// (``LocalCache/completeAsOf(_:)``), be it old. Otherwise the server; and if it has not answered after `deadline`,
    /// what the local database has.
    case cacheFirst(deadline: Duration)
}

extension DocumentReference {
    /// Reads the document. If it does not exist, ``DocumentSnapshot/exists`` is false; that is not an error.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` for an invalid path; `dataLoss` or `internal` if the file is
    ///   damaged or cannot be read. With a remote, `unavailable` if the source cannot answer: the server cannot be reached
    ///   and the local database does not know the document, or `source` excludes it.
    public nonisolated(nonsending) func getDocument(source: FirestoreSource = .default) async throws -> DocumentSnapshot
    {
        if let snapshot = try snapshotAtOnce() { return snapshot }
        return try await readJob(source).value()
    }

    /// Reads the document and calls `completion` with a snapshot or an error, on ``FirestoreSettings/dispatchQueue``.
    public func getDocument(
        completion: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) {
        getDocument(source: .default, completion: completion)
    }

    /// Reads the document from a source and calls `completion` with a snapshot or an error, on
    /// ``FirestoreSettings/dispatchQueue``.
    public func getDocument(
        source: FirestoreSource,
        completion: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) {
        readJob(source).start { completion($0.success, $0.failure) }
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

    /// What ``getDocument(source:)`` returns, if the document lies in memory and nothing earlier is left to do. A read that finds its
    /// answer without waiting need not change threads, which takes longer than the read. Rules may read further documents.
    private func snapshotAtOnce() throws(FirestoreError) -> DocumentSnapshot? {
        guard !firestore.isConnected, firestore.user == nil, firestore.queues.isIdle,
            let handle = firestore.openEngineHandle
        else { return nil }
        let path = try own()
        do throws(EngineError) {
            return try handle.engine.recordAtOnce(path) { DocumentSnapshot(self, $0) }
        } catch {
            throw FirestoreError(error)
        }
    }

    fileprivate func readJob(_ source: FirestoreSource) -> Job<DocumentSnapshot> {
        if firestore.isConnected { return syncedReadJob(source) }
        return Job(guarded: firestore, .read) { [self] engine in try read(Database.EngineHandle(engine)) }
    }

    /// - Parameter handle: counted, where the engine is not.
    fileprivate func read(_ handle: Database.EngineHandle) throws(FirestoreError) -> DocumentSnapshot {
        let path = try own()
        do throws(EngineError) {
            return DocumentSnapshot(self, try handle.engine.record(path, if: firestore.check(get: path)))
        } catch {
            throw FirestoreError(error)
        }
    }
}

extension BlockingAPI where Base == DocumentReference {
    /// The blocking form of ``DocumentReference/getDocument(source:)``.
    public func getDocument(source: FirestoreSource = .default) throws -> DocumentSnapshot {
        if base.firestore.isConnected { return try base.readJob(source).wait() }
        return try base.read(try base.origin.engineAfterWrites())
    }

    /// The blocking form of ``DocumentReference/listCollections()``.
    public func listCollections() throws -> [CollectionReference] {
        try base.firestore.collectionsJob(under: base.target.map { $0 }).wait()
    }
}
