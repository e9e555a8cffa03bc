// SPDX-License-Identifier: Apache-2.0

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
    ) -> any ListenerRegistration & Sendable {
        addSnapshotListener(options: SnapshotListenOptions(), listener: listener)
    }

    /// Calls a closure with the document, now and after every commit that changes it. With `includeMetadataChanges`, also
    /// when only ``DocumentSnapshot/metadata`` has changed, which happens in a database with a remote (C-24).
    @discardableResult
    public func addSnapshotListener(
        includeMetadataChanges: Bool,
        listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration & Sendable {
        let options = SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges)
        return addSnapshotListener(options: options, listener: listener)
    }

    /// Calls a closure with the document, now and after every commit that changes it; see ``SnapshotListenOptions``.
    @discardableResult
    public func addSnapshotListener(
        options: SnapshotListenOptions,
        listener: @escaping (_ snapshot: DocumentSnapshot?, _ error: (any Error)?) -> Void
    ) -> any ListenerRegistration & Sendable {
        CallbackRegistration(listenerRequest(options)) { [self] delivery in
            switch delivery {
            case .rows(let result): listener(snapshot(of: result), nil)
            case .failed(let error): listener(nil, error)
            case .ended: break
            }
        }
    }

    /// The document, now and after every commit that changes it, as an asynchronous sequence; see ``Query/snapshots``.
    public var snapshots: DocumentSnapshots { snapshots(includeMetadataChanges: false) }

    /// The document as an asynchronous sequence; see
    /// ``addSnapshotListener(includeMetadataChanges:listener:)``.
    public func snapshots(includeMetadataChanges: Bool) -> DocumentSnapshots {
        DocumentSnapshots(document: self, includesMetadataChanges: includeMetadataChanges)
    }

    fileprivate func snapshot(of result: BufferedListener.Result) -> DocumentSnapshot {
        if let synced = result.rows.first?.synced {
            return DocumentSnapshot(synced, isFromCache: result.metadata.isFromCache)
        }
        guard firestore.isConnected else { return DocumentSnapshot(self, result.rows.first?.content.record) }
        let missing = SyncedDocument(self, nil, hasPendingWrites: result.metadata.hasPendingWrites)
        return DocumentSnapshot(missing, isFromCache: result.metadata.isFromCache)
    }
}

/// An asynchronous sequence of a document's snapshots; see ``DocumentReference/snapshots``.
public struct DocumentSnapshots: AsyncSequence, Sendable {
    /// A snapshot of the document.
    public typealias Element = DocumentSnapshot
    /// The errors are of type ``FirestoreError``.
    public typealias Failure = any Error

    let document: DocumentReference
    let includesMetadataChanges: Bool

    /// Starts to listen.
    public func makeAsyncIterator() -> Iterator {
        let options = SnapshotListenOptions().withIncludeMetadataChanges(includesMetadataChanges)
        return Iterator(document: document, base: ListenerIterator(document.listenerRequest(options)))
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
            guard let result = try await base.next(isolation: actor) else { return nil }
            return document.snapshot(of: result)
        }
    }
}

extension DocumentReference {
    /// FirebaseFirestore's name for ``DocumentSnapshots``.
    public typealias DocumentSnapshotsSequence = DocumentSnapshots
}
