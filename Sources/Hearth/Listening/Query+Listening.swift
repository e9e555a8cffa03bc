// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

extension Query {
    /// Calls a closure with the query's documents, now and after every commit that changes them, on the queue of
    /// ``FirestoreSettings/dispatchQueue``.
    ///
    /// ```swift
    /// let registration = query.addSnapshotListener { snapshot, error in
    ///     guard let snapshot else { return print(error!) }
    ///     for change in snapshot.documentChanges where change.type == .added { print(change.document.data()) }
    /// }
    /// ```
    ///
    /// The first snapshot holds all documents, each as added, also if there are none (C-23). Later ones come when a document
    /// entered, left or changed: one for each commit that did that, in order. Where 256 wait for the closure, a further one takes the
    /// place of the last; and where the query is run again, because a row has left a full limit or another process has written,
    /// the snapshot holds all commits up to then. ``QuerySnapshot/documentChanges`` are those since the snapshot before. Other processes' commits are noticed within a few milliseconds. A commit costs the same however many
    /// listeners there are that it does not concern: those of other documents and collections, or of other values, ranges and
    /// fields in the same one.
    ///
    /// An error ends the listener: the closure gets it, once, and no snapshot. A query that lacks its index, now or after a
    /// change of indexes, is refused so (C-30). Unless ``FirestoreSettings/logHandler`` is set, the error is said on standard error
    /// too, because much code does not look at it.
    ///
    /// - Returns: what removes the listener. Until then it stays, whether or not this is kept.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        CallbackRegistration(firestore, path: describedPath, source: liveSource) { [self] delivery in
            switch delivery {
            case .rows(let rows, let previous):
                listener(QuerySnapshot(self, rows, since: previous), nil)
            case .failed(let error): listener(nil, error)
            case .ended: break
            }
        }
    }

    /// The same: metadata never changes here.
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool,
        listener: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(listener)
    }

    /// The same; see ``SnapshotListenOptions``.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions,
        listener: @escaping (_ snapshot: QuerySnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(listener)
    }

    /// The query's documents, now and after every commit that changes them, as a sequence that does not end by itself.
    ///
    /// ```swift
    /// for try await snapshot in query.snapshots { print(snapshot.count) }
    /// ```
    ///
    /// A loop that takes its time misses no snapshot of ``addSnapshotListener(_:)``'s: they wait, as in an `AsyncStream` whose
    /// buffering policy is `unbounded`, which is FirebaseFirestore's, but 256 of them at most. A further one takes the place of
    /// the last, and ``QuerySnapshot/documentChanges`` are those since the snapshot that the loop got before. Listening begins with the loop and ends with it, or with its task. Errors are thrown, as
    /// ``addSnapshotListener(_:)`` reports them.
    public var snapshots: QuerySnapshots { QuerySnapshots(query: self) }

    /// The same: metadata never changes here.
    public func snapshots(includeMetadataChanges: Bool) -> QuerySnapshots { snapshots }

    var describedPath: String {
        (self as? CollectionReference)?.path ?? (try? state())?.path ?? ""
    }
}

/// See ``Query/snapshots``.
public struct QuerySnapshots: AsyncSequence, Sendable {
    /// A snapshot.
    public typealias Element = QuerySnapshot
    /// A ``FirestoreError``.
    public typealias Failure = any Error

    let query: Query
    /// How many snapshots wait at most.
    var limit = Subscription.usualLimit

    /// Listens from now on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            query: query,
            states: LiveStates(
                query.firestore, path: query.describedPath, keeping: limit, source: query.liveSource))
    }

    /// Gives one snapshot after another, waiting for them.
    public struct Iterator: AsyncIteratorProtocol {
        let query: Query
        var states: LiveStates

        /// The next snapshot; nil when the task is cancelled or the database terminated.
        ///
        /// - Throws: ``FirestoreError``, once: above all a missing index. Nil comes after it.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> QuerySnapshot? {
            guard let (rows, previous) = try await states.next(isolation: actor) else { return nil }
            return QuerySnapshot(query, rows, since: previous)
        }
    }
}
