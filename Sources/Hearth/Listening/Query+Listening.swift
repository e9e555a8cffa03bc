// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Calls a closure with the query's documents, now and after every commit that changes them, on
    /// ``FirestoreSettings/dispatchQueue``.
    ///
    /// ```swift
    /// let registration = query.addSnapshotListener { snapshot, error in
    ///     guard let snapshot else { return print(error!) }
    ///     for change in snapshot.documentChanges where change.type == .added { print(change.document.data()) }
    /// }
    /// ```
    ///
    /// The first snapshot holds all documents, each as added, even if there are none. Each later commit by which a
    /// document enters, leaves or changes gives one snapshot, in the order of commits.
    /// ``QuerySnapshot/documentChanges`` are the changes since the previous snapshot.
    ///
    /// If 256 snapshots wait for the closure, a further one replaces the last. If the query runs again, because a row
    /// has left a full limit or another process has written, one snapshot covers all commits up to then. Commits of
    /// other processes are noticed within a few milliseconds.
    ///
    /// The cost of a commit does not depend on the number of listeners that it does not affect: those of other
    /// documents and collections, or of other values, ranges and fields in the same collection.
    ///
    /// An error ends the listener: the closure gets the error once, and no more snapshots. A query that lacks its
    /// index, now or after a change of indexes, fails this way. The error is also logged
    /// (``FirestoreSettings/logHandler``), because much code ignores it.
    ///
    /// - Returns: a registration that removes the listener. Until then the listener stays, even if the registration is
    ///   released.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration & Sendable {
        addSnapshotListener(options: SnapshotListenOptions(), listener: listener)
    }

    /// Calls a closure with the query's documents, now and after every commit that changes them. With
    /// `includeMetadataChanges`, also when only ``QuerySnapshot/metadata`` or a document's has changed, which happens in a
    /// database with a remote (C-24).
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool,
        listener: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration & Sendable {
        let options = SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges)
        return addSnapshotListener(options: options, listener: listener)
    }

    /// Calls a closure with the query's documents, now and after every commit that changes them; see
    /// ``SnapshotListenOptions``.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions,
        listener: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration & Sendable {
        CallbackRegistration(listenerRequest(options)) { [self] delivery in
            switch delivery {
            case .rows(let result): listener(snapshot(of: result, options.includeMetadataChanges), nil)
            case .failed(let error): listener(nil, error)
            case .ended: break
            }
        }
    }

    /// The query's documents, now and after every commit that changes them, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await snapshot in query.snapshots { print(snapshot.count) }
    /// ```
    ///
    /// A slow loop misses no snapshot of ``addSnapshotListener(_:)`` until 256 of them wait. Then a further one
    /// replaces the last, and ``QuerySnapshot/documentChanges`` are the changes since the snapshot that the loop got
    /// before. FirebaseFirestore's sequence buffers without a limit.
    ///
    /// Listening starts with the loop, and ends with the loop or its task. The sequence throws the errors that
    /// ``addSnapshotListener(_:)`` reports.
    public var snapshots: QuerySnapshots { snapshots(includeMetadataChanges: false) }

    /// The query's documents as an asynchronous sequence; see
    /// ``addSnapshotListener(includeMetadataChanges:listener:)``.
    public func snapshots(includeMetadataChanges: Bool) -> QuerySnapshots {
        QuerySnapshots(query: self, includesMetadataChanges: includeMetadataChanges)
    }

    fileprivate func snapshot(
        of result: BufferedListener.Result, _ includesMetadataChanges: Bool
    ) -> QuerySnapshot {
        QuerySnapshot(
            self, result.rows, since: result.previous, result.metadata,
            includesMetadataChanges: includesMetadataChanges || !firestore.isConnected)
    }

    var describedPath: String {
        (self as? CollectionReference)?.path ?? (try? state())?.path ?? ""
    }
}

/// An asynchronous sequence of a query's snapshots; see ``Query/snapshots``.
public struct QuerySnapshots: AsyncSequence, Sendable {
    /// A snapshot of the query.
    public typealias Element = QuerySnapshot
    /// The errors are of type ``FirestoreError``.
    public typealias Failure = any Error

    let query: Query
    var includesMetadataChanges = false
    /// The greatest number of snapshots that wait.
    var limit = ListenerRequest.usualLimit

    /// Starts to listen.
    public func makeAsyncIterator() -> Iterator {
        let options = SnapshotListenOptions().withIncludeMetadataChanges(includesMetadataChanges)
        var request = query.listenerRequest(options)
        request.limit = limit
        return Iterator(
            query: query, includesMetadataChanges: includesMetadataChanges, base: ListenerIterator(request))
    }

    /// Waits for one snapshot after another.
    public struct Iterator: AsyncIteratorProtocol {
        let query: Query
        let includesMetadataChanges: Bool
        var base: ListenerIterator

        /// Waits for the next snapshot. Returns nil when the task is cancelled or the database is terminated.
        ///
        /// - Throws: ``FirestoreError``, once, most often for a missing index. The next call returns nil.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> QuerySnapshot? {
            guard let result = try await base.next(isolation: actor) else { return nil }
            return query.snapshot(of: result, includesMetadataChanges)
        }
    }
}

extension Query {
    /// FirebaseFirestore's name for ``QuerySnapshots``.
    public typealias QuerySnapshotsSequence = QuerySnapshots
}
