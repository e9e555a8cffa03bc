// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

// MARK: - Asynchronous

extension DocumentReference {
    /// Writes the document, replacing all its fields. Its subcollections stay.
    ///
    /// Values are `String`, `Bool`, integers and floating-point numbers, `NSNumber`, `Decimal` (stored as the nearest
    /// double), `Date` and ``Timestamp``, `Data`, `NSNull`, ``GeoPoint``, ``VectorValue``, ``DocumentReference``,
    /// ``FieldValue``, and arrays and dictionaries of these.
    ///
    /// When this returns, the write is as durable as ``FirestoreSettings/durability`` says. In a database with a remote,
    /// the server has committed it: offline, this waits (``WriteMilestone``).
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` for data that no document can hold or that is too large;
    ///   `resourceExhausted` if the disk is full.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any]) async throws {
        try await write(.set(documentData))
    }

    /// Writes the document. With `merge`, only the fields that the data holds change, at any depth.
    ///
    /// ```swift
    /// // Leaves every other field of the city, and every other field inside `mayor`, as it is.
    /// try await city.setData(["mayor": ["name": "Breed"]], merge: true)
    /// ```
    ///
    /// - Throws: as ``setData(_:)``.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any], merge: Bool) async throws {
        try await write(merge ? .merge(documentData) : .set(documentData))
    }

    /// Writes only the listed fields. Each is a `String` or a ``FieldPath`` and must occur in the data; the rest of the
    /// data is ignored.
    ///
    /// - Throws: as ``setData(_:)``; `invalidArgument` also for a field that the data lacks.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any], mergeFields: [Any]) async throws {
        try await write(.mergeFields(documentData, mergeFields))
    }

    /// Changes fields of a document that exists.
    ///
    /// ```swift
    /// try await user.updateData(["age": 13, "favorites.color": "Red"])
    /// ```
    ///
    /// - Parameter fields: values by ``FieldPath``, or by `String`, in which dots lead into maps. Each value replaces
    ///   the stored value as a whole; other fields stay.
    /// - Throws: ``FirestoreError``: `notFound` if the document does not exist; otherwise as ``setData(_:)``.
    public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any]) async throws {
        try await write(.update(fields))
    }

    /// Deletes the document. It is not an error if the document does not exist. Its subcollections stay.
    public nonisolated(nonsending) func delete() async throws {
        try await write(.delete)
    }

    /// The data is read on the caller's thread, after another thread has opened the database.
    nonisolated(nonsending) func write(
        _ request: WriteRequest, until milestone: WriteMilestone = .acknowledged
    ) async throws {
        try await firestore.opened()
        try await writeJob(request, until: milestone).value()
    }

    func writeJob(_ request: WriteRequest, until milestone: WriteMilestone = .acknowledged) -> WriteJob {
        WriteJob(
            firestore, Result(deferring: { () throws(FirestoreError) in [try request.write(to: self)] }),
            until: milestone)
    }
}

// MARK: - With a callback

extension DocumentReference {
    /// Writes the document as ``setData(_:)`` does, without waiting. The write is applied after those requested before
    /// it. Later reads from this database object see it.
    ///
    /// When this returns, the write is queued, not durable. A program that ends finishes queued writes, for five
    /// seconds at most; a program that is killed loses them.
    ///
    /// The callback runs on ``FirestoreSettings/dispatchQueue``, when the write is as durable as
    /// ``FirestoreSettings/durability`` says or has failed; in a database with a remote, when the server has committed or
    /// refused it. Without a callback, a failure is logged
    /// (``FirestoreSettings/logHandler``).
    public func setData(_ documentData: [String: Any], completion: (((any Error)?) -> Void)? = nil) {
        start(.set(documentData), completion)
    }

    /// Writes the document as ``setData(_:merge:)`` does, without waiting; see ``setData(_:completion:)``.
    public func setData(
        _ documentData: [String: Any], merge: Bool, completion: (((any Error)?) -> Void)? = nil
    ) {
        start(merge ? .merge(documentData) : .set(documentData), completion)
    }

    /// Writes the listed fields as ``setData(_:mergeFields:)`` does, without waiting; see ``setData(_:completion:)``.
    public func setData(
        _ documentData: [String: Any], mergeFields: [Any], completion: (((any Error)?) -> Void)? = nil
    ) {
        start(.mergeFields(documentData, mergeFields), completion)
    }

    /// Changes fields as ``updateData(_:)`` does, without waiting; see ``setData(_:completion:)``.
    public func updateData(_ fields: [AnyHashable: Any], completion: (((any Error)?) -> Void)? = nil) {
        start(.update(fields), completion)
    }

    /// Deletes the document as ``delete()`` does, without waiting; see ``setData(_:completion:)``.
    public func delete(completion: (((any Error)?) -> Void)? = nil) {
        start(.delete, completion)
    }

    private func start(_ request: WriteRequest, _ completion: (((any Error)?) -> Void)?) {
        writeJob(request).start(completion, describedAs: "Write at \(path)")
    }

    /// Starts a write. Throws the errors that do not depend on stored data.
    func startValid(
        _ request: WriteRequest, _ completion: (((any Error)?) -> Void)?
    ) throws(FirestoreError) {
        let write = try request.validWrite(to: self, in: firestore)
        WriteJob(firestore, .success([write])).start(completion, describedAs: "Write at \(path)")
    }
}

// MARK: - Blocking

extension BlockingAPI where Base == DocumentReference {
    /// The blocking form of ``DocumentReference/setData(_:)``.
    public func setData(_ documentData: [String: Any]) throws {
        try write(.set(documentData))
    }

    /// The blocking form of ``DocumentReference/setData(_:merge:)``.
    public func setData(_ documentData: [String: Any], merge: Bool) throws {
        try write(merge ? .merge(documentData) : .set(documentData))
    }

    /// The blocking form of ``DocumentReference/setData(_:mergeFields:)``.
    public func setData(_ documentData: [String: Any], mergeFields: [Any]) throws {
        try write(.mergeFields(documentData, mergeFields))
    }

    /// The blocking form of ``DocumentReference/updateData(_:)``.
    public func updateData(_ fields: [AnyHashable: Any]) throws {
        try write(.update(fields))
    }

    /// The blocking form of ``DocumentReference/delete()``.
    public func delete() throws {
        try write(.delete)
    }

    private func write(_ request: WriteRequest) throws {
        try base.writeJob(request).wait()
    }
}
