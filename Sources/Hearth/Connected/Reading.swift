// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner
internal import ReplicaStore
internal import SyncCore

// Reads of a database with a remote (C-19 to C-22).

extension SyncClient {
    /// The first result of a query that is the server's, or what the cache has if the server cannot be reached.
    func get(
        _ query: SyncQuery, _ cancellation: Cancellation,
        _ deliver: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) {
        let number = nextNumber()
        let options = ListenOptions(includesMetadataChanges: true, waitsForServer: true)
        let turn = Turn()
        listen(to: query, options, number) { [weak self] news in
            // The listener ends after the result that follows.
            guard turn.take() else { return }
            self?.removeListener(number)
            switch news {
            case .snapshot(let snapshot): deliver(.success(snapshot))
            case .failed(let error): deliver(.failure(FirestoreError(error)))
            case .ended: deliver(.failure(.terminated))
            }
        }
        cancellation.whenCancelled { [weak self] in self?.removeListener(number) }
    }
}

extension DocumentReference {
    func syncedReadJob(_ source: FirestoreSource) -> Job<DocumentSnapshot> {
        if case .cache = source { return Job(firestore, .read) { [self] in try cachedSnapshot($0) } }
        if case .cacheFirst(let deadline) = source { return cacheFirstJob(deadline) }
        let cancellation = Cancellation()
        return Job(askingClientOf: firestore, cancellation) { [self] client, deliver in
            client.get(SyncQuery(document: try own()), cancellation) { result in
                deliver(Result { try self.snapshot(of: result.get(), client.database, source) })
            }
        }
    }

    func snapshot(
        of result: ViewSnapshot, _ database: DatabaseID, _ source: FirestoreSource
    ) throws(FirestoreError) -> DocumentSnapshot {
        if let document = result.documents.first {
            if result.isFromCache, case .server = source { throw .documentIsOnlyCached }
            let isPending = result.hasPendingWrites(document.path)
            return DocumentSnapshot(
                SyncedDocument(document, in: firestore, database, hasPendingWrites: isPending),
                isFromCache: result.isFromCache)
        }
        guard !result.isFromCache else { throw .clientIsOffline }
        return DocumentSnapshot(
            SyncedDocument(self, nil, hasPendingWrites: result.hasPendingWrites), isFromCache: false)
    }

    func cachedSnapshot(_ engine: Engine) throws(FirestoreError) -> DocumentSnapshot {
        _ = try firestore.client()
        let path = try own()
        let document: SyncDocument
        do throws(ReplicaError) { document = try engine.cachedDocument(at: path).local } catch {
            throw FirestoreError(error)
        }
        switch document.contents {
        case .found, .missing: return snapshot(ofCached: document, engine)
        case .uncached, .unreadable: throw .documentIsNotCached
        }
    }

    /// Nil if the cache lacks the document or may have a part of it.
    func wholeSnapshot(_ engine: Engine) throws(FirestoreError) -> DocumentSnapshot? {
        _ = try firestore.client()
        let path = try own()
        do throws(ReplicaError) {
            return try engine.wholeDocument(at: path).map { snapshot(ofCached: $0, engine) }
        } catch {
            throw FirestoreError(error)
        }
    }

    private func snapshot(ofCached document: SyncDocument, _ engine: Engine) -> DocumentSnapshot {
        DocumentSnapshot(
            SyncedDocument(document, in: firestore, engine.database, hasPendingWrites: document.hasLocalMutations),
            isFromCache: true)
    }
}

extension Query {
    func syncedReadJob(_ source: FirestoreSource) -> Job<QuerySnapshot> {
        if case .cache = source { return Job(firestore, .read) { [self] in try cachedSnapshot($0) } }
        if case .cacheFirst(let deadline) = source { return cacheFirstJob(deadline) }
        let cancellation = Cancellation()
        return Job(askingClientOf: firestore, cancellation) { [self] client, deliver in
            let planned = try planned()
            guard planned.nearest == nil else { return self.ask(client, planned, cancellation, deliver) }
            client.get(try syncQuery(client.database), cancellation) { result in
                deliver(Result { try self.snapshot(of: result.get(), source) })
            }
        }
    }

    /// For a query that nobody can listen to.
    private func ask(
        _ client: SyncClient, _ planned: QueryPlanner.Query, _ cancellation: Cancellation,
        _ deliver: @escaping @Sendable (Result<QuerySnapshot, any Error>) -> Void
    ) {
        client.request(cancellation, { try await $0.documents(of: planned) }) { documents in
            deliver(
                documents.map { documents in
                    let rows = documents.map { document in
                        let synced = SyncedDocument(
                            document, in: self.firestore, client.database, hasPendingWrites: false)
                        return QueryDocumentSnapshot(synced, isFromCache: false)
                    }
                    return QuerySnapshot(self, rows, SnapshotMetadata(), includesMetadataChanges: true)
                })
        }
    }

    func snapshot(
        of result: ViewSnapshot, _ source: FirestoreSource
    ) throws(FirestoreError) -> QuerySnapshot {
        if result.isFromCache, case .server = source { throw .documentsMayBeCached }
        var rows = SyncedRows()
        return QuerySnapshot(
            self, rows.update(to: result, in: firestore), SnapshotMetadata(result), includesMetadataChanges: true)
    }

    /// What the cache has, without regard to the indexes that production would need.
    func cachedSnapshot(_ engine: Engine) throws(FirestoreError) -> QuerySnapshot {
        _ = try firestore.client()
        let planned = try planned()
        let records: [DocumentRecord]
        do throws(QueryError) { records = try engine.run(planned, allowScan: true).records } catch {
            throw FirestoreError(error, engine)
        }
        var rows: [QueryDocumentSnapshot] = []
        for record in records {
            rows.append(QueryDocumentSnapshot(try cached(record, engine), isFromCache: true))
        }
        let isPending = rows.contains { $0.metadata.hasPendingWrites }
        let metadata = SnapshotMetadata(hasPendingWrites: isPending, isFromCache: true)
        return QuerySnapshot(self, rows, metadata, includesMetadataChanges: true)
    }

    /// A stored document without the server's time differs from what the server has said.
    private func cached(_ record: DocumentRecord, _ engine: Engine) throws(FirestoreError) -> SyncedDocument {
        do {
            let path = try record.path()
            let isPending =
                try record.updateTime() == .noVersion && engine.cachedDocument(at: path).local.hasLocalMutations
            return SyncedDocument(DocumentReference(firestore, path), record, hasPendingWrites: isPending)
        } catch let error as ReplicaError {
            throw FirestoreError(error)
        } catch {
            throw FirestoreError(.dataLoss, "A cached document cannot be read: \(error)")
        }
    }
}

extension AggregateQuery {
    func syncedReadJob(_ source: AggregateSource) -> Job<AggregateQuerySnapshot> {
        switch source {
        case .server:
            let cancellation = Cancellation()
            return Job(askingClientOf: query.firestore, cancellation) { [self] client, deliver in
                let planned = try planned()
                client.request(cancellation, { try await $0.aggregate(planned) }) { values in
                    deliver(values.map(self.snapshot))
                }
            }
        case .cache:
            return Job(query.firestore, .read) { [self] engine in
                _ = try query.firestore.client()
                let planned = try planned()
                do throws(QueryError) {
                    return snapshot(try engine.run(planned, allowScan: true).aggregates.map(\.value))
                } catch {
                    throw FirestoreError(error, engine)
                }
            }
        }
    }
}

extension FirestoreError {
    fileprivate static var clientIsOffline: FirestoreError {
        FirestoreError(.unavailable, "Failed to get document because the client is offline.")
    }

    fileprivate static var documentIsOnlyCached: FirestoreError {
        FirestoreError(
            .unavailable,
            "Failed to get document from server. (However, this document does exist in the local cache. Run again "
                + "without setting source to FirestoreSourceServer to retrieve the cached document.)")
    }

    fileprivate static var documentIsNotCached: FirestoreError {
        FirestoreError(
            .unavailable,
            "Failed to get document from cache. (However, this document may exist on the server. Run again without "
                + "setting source to FirestoreSourceCache to attempt to retrieve the document from the server.)")
    }

    fileprivate static var documentsMayBeCached: FirestoreError {
        FirestoreError(
            .unavailable,
            "Failed to get documents from server. (However, these documents may exist in the local cache. Run again "
                + "without setting source to FirestoreSourceServer to retrieve the cached documents.)")
    }
}
