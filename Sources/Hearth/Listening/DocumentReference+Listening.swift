// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

extension DocumentReference {
    /// Calls a closure with the document, now and after every commit that changes it, on the queue of
    /// ``FirestoreSettings/dispatchQueue``.
    ///
    /// ```swift
    /// let registration = city.addSnapshotListener { snapshot, error in
    ///     print(snapshot?.data() ?? "not there")
    /// }
    /// ```
    ///
    /// A missing document is no error: ``DocumentSnapshot/exists`` is false then. Otherwise all is as with
    /// ``Query/addSnapshotListener(_:)``.
    ///
    /// - Returns: what removes the listener. Until then it stays, whether or not this is kept.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        CallbackRegistration(firestore, path: path, source: { [self] _ throws(FirestoreError) in try liveSource() }) {
            [self] delivery in
            switch delivery {
            case .rows(let rows, _): listener(DocumentSnapshot(self, rows.first?.document), nil)
            case .failed(let error): listener(nil, error)
            case .ended: break
            }
        }
    }

    /// The same: metadata never changes here.
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool,
        listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(listener)
    }

    /// The same; see ``SnapshotListenOptions``.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions,
        listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(listener)
    }

    /// The document, now and after every commit that changes it, as a sequence that does not end by itself; see
    /// ``Query/snapshots``.
    public var snapshots: DocumentSnapshots { DocumentSnapshots(document: self) }

    /// The same: metadata never changes here.
    public func snapshots(includeMetadataChanges: Bool) -> DocumentSnapshots { snapshots }
}

/// See ``DocumentReference/snapshots``.
public struct DocumentSnapshots: AsyncSequence, Sendable {
    /// A snapshot.
    public typealias Element = DocumentSnapshot
    /// A ``FirestoreError``.
    public typealias Failure = any Error

    let document: DocumentReference

    /// Listens from now on.
    public func makeAsyncIterator() -> Iterator {
        let document = document
        return Iterator(
            document: document,
            states: LiveStates(document.firestore, path: document.path, keeping: Subscription.usualLimit) {
                _ throws(FirestoreError) in
                try document.liveSource()
            })
    }

    /// Gives one snapshot after another, waiting for them.
    public struct Iterator: AsyncIteratorProtocol {
        let document: DocumentReference
        var states: LiveStates

        /// The next snapshot; nil when the task is cancelled or the database terminated.
        ///
        /// - Throws: ``FirestoreError``, once: an impossible path, a file that cannot be read. Nil comes after it.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> DocumentSnapshot? {
            guard let (rows, _) = try await states.next(isolation: actor) else { return nil }
            return DocumentSnapshot(document, rows.first?.document)
        }
    }
}
