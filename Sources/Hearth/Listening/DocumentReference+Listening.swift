// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

extension DocumentReference {
    /// Calls a closure with the document, now and after every commit that changes it, on
    /// ``FirestoreSettings/dispatchQueue``.
    ///
    /// ```swift
    /// let registration = city.addSnapshotListener { snapshot, error in
    ///     print(snapshot?.data() ?? "not there")
    /// }
    /// ```
    ///
    /// If the document does not exist, ``DocumentSnapshot/exists`` is false; that is not an error. Order, waiting
    /// snapshots and errors are as for ``Query/addSnapshotListener(_:)``.
    ///
    /// - Returns: a registration that removes the listener. Until then the listener stays, even if the registration is
    ///   released.
    @discardableResult
    public func addSnapshotListener(
        _ listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        CallbackRegistration(firestore, path: path, target: { [self] _ throws(FirestoreError) in try listenerTarget() })
        {
            [self] delivery in
            switch delivery {
            case .rows(let rows, _): listener(DocumentSnapshot(self, rows.first?.content.record), nil)
            case .failed(let error): listener(nil, error)
            case .ended: break
            }
        }
    }

    /// Calls a closure with the document, now and after every commit that changes it. `includeMetadataChanges` has no
    /// effect, because metadata never changes.
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool,
        listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(listener)
    }

    /// Calls a closure with the document, now and after every commit that changes it. `options` have no effect; see
    /// ``SnapshotListenOptions``.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions,
        listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration {
        addSnapshotListener(listener)
    }

    /// The document, now and after every commit that changes it, as an asynchronous sequence; see ``Query/snapshots``.
    public var snapshots: DocumentSnapshots { DocumentSnapshots(document: self) }

    /// Returns ``snapshots``. `includeMetadataChanges` has no effect, because metadata never changes.
    public func snapshots(includeMetadataChanges: Bool) -> DocumentSnapshots { snapshots }
}

/// An asynchronous sequence of a document's snapshots; see ``DocumentReference/snapshots``.
public struct DocumentSnapshots: AsyncSequence, Sendable {
    /// A snapshot of the document.
    public typealias Element = DocumentSnapshot
    /// The errors are of type ``FirestoreError``.
    public typealias Failure = any Error

    let document: DocumentReference

    /// Starts to listen.
    public func makeAsyncIterator() -> Iterator {
        let document = document
        return Iterator(
            document: document,
            base: ListenerIterator(document.firestore, path: document.path, keeping: BufferedListener.usualLimit) {
                _ throws(FirestoreError) in
                try document.listenerTarget()
            })
    }

    /// Waits for one snapshot after another.
    public struct Iterator: AsyncIteratorProtocol {
        let document: DocumentReference
        var base: ListenerIterator

        /// Waits for the next snapshot. Returns nil when the task is cancelled or the database is terminated.
        ///
        /// - Throws: ``FirestoreError``, once, for an invalid path or a file that cannot be read. The next call returns
        ///   nil.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> DocumentSnapshot? {
            guard let (rows, _) = try await base.next(isolation: actor) else { return nil }
            return DocumentSnapshot(document, rows.first?.content.record)
        }
    }
}

extension DocumentReference {
    /// FirebaseFirestore's name for ``DocumentSnapshots``.
    public typealias DocumentSnapshotsSequence = DocumentSnapshots
}
