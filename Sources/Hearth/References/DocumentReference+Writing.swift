// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

// MARK: - Asynchronous

extension DocumentReference {
    /// Writes the document: its fields become exactly these (W-8). Its collections stay.
    ///
    /// Values are `String`, `Bool`, integers and floating-point numbers, `NSNumber`, `Decimal` (stored as the nearest double),
    /// `Date` and ``Timestamp``, `Data`, `NSNull`, ``GeoPoint``, ``VectorValue``, ``DocumentReference``, ``FieldValue``, and
    /// arrays and dictionaries of these.
    /// When it returns, the write is as durable as ``FirestoreSettings/durability`` says.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` for what no document can hold, or one that is too large (D-8 to D-16);
    ///   `resourceExhausted` for a full disk.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any]) async throws {
        try await write(.set(documentData))
    }

    /// Writes the document, or with `merge` only the fields that the data holds, at any depth (W-8).
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

    /// Writes only some fields, each a `String` or a ``FieldPath`` that must occur in the data; what else the data holds is
    /// ignored (W-8).
    ///
    /// - Throws: as ``setData(_:)``; `invalidArgument` also for a field that the data lacks.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any], mergeFields: [Any]) async throws {
        try await write(.mergeFields(documentData, mergeFields))
    }

    /// Changes fields of a document that exists (W-9).
    ///
    /// ```swift
    /// try await user.updateData(["age": 13, "favorites.color": "Red"])
    /// ```
    ///
    /// - Parameter fields: by ``FieldPath``, or by `String` in which dots lead into maps. Each value replaces what stands there
    ///   as a whole; everything else stays.
    /// - Throws: ``FirestoreError``: `notFound` if there is no such document; otherwise as ``setData(_:)``.
    public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any]) async throws {
        try await write(.update(fields))
    }

    /// Deletes the document; that it does not exist is no error. Its collections stay (W-7).
    public nonisolated(nonsending) func delete() async throws {
        try await write(.delete)
    }

    /// The data is read on the caller's thread, after the database was opened on another one.
    private nonisolated(nonsending) func write(_ request: WriteRequest) async throws {
        try await firestore.opened()
        try await writeJob(request).value()
    }

    fileprivate func writeJob(_ request: WriteRequest) -> WriteJob {
        WriteJob(firestore, Result(deferring: { () throws(FirestoreError) in [try request.write(to: self)] }))
    }
}

// MARK: - With a callback

extension DocumentReference {
    /// ``setData(_:)`` without waiting: the write is applied after those asked for before it, and reads made by this database
    /// object from now on see it.
    ///
    /// When it returns, the write is queued, not durable. A program that ends finishes what is queued, for five seconds at most;
    /// one that is killed loses it.
    ///
    /// The callback is told when the write is durable, or why it failed; without one, a failure is logged
    /// (``FirestoreSettings/logHandler``).
    public func setData(_ documentData: [String: Any], completion: (((any Error)?) -> Void)? = nil) {
        start(.set(documentData), completion)
    }

    /// ``setData(_:merge:)`` without waiting; see ``setData(_:completion:)``.
    public func setData(
        _ documentData: [String: Any], merge: Bool, completion: (((any Error)?) -> Void)? = nil
    ) {
        start(merge ? .merge(documentData) : .set(documentData), completion)
    }

    /// ``setData(_:mergeFields:)`` without waiting; see ``setData(_:completion:)``.
    public func setData(
        _ documentData: [String: Any], mergeFields: [Any], completion: (((any Error)?) -> Void)? = nil
    ) {
        start(.mergeFields(documentData, mergeFields), completion)
    }

    /// ``updateData(_:)`` without waiting; see ``setData(_:completion:)``.
    public func updateData(_ fields: [AnyHashable: Any], completion: (((any Error)?) -> Void)? = nil) {
        start(.update(fields), completion)
    }

    /// ``delete()`` without waiting; see ``setData(_:completion:)``.
    public func delete(completion: (((any Error)?) -> Void)? = nil) {
        start(.delete, completion)
    }

    private func start(_ request: WriteRequest, _ completion: (((any Error)?) -> Void)?) {
        writeJob(request).start(completion, describedAs: "Write at \(path)")
    }

    /// Throws what is wrong with the write whatever is stored, and starts it otherwise.
    func startValid(
        _ request: WriteRequest, _ completion: (((any Error)?) -> Void)?
    ) throws(FirestoreError) {
        let write = try request.validWrite(to: self, in: firestore)
        WriteJob(firestore, .success([write])).start(completion, describedAs: "Write at \(path)")
    }
}

// MARK: - Blocking

extension Synchronous where Base == DocumentReference {
    /// ``DocumentReference/setData(_:)``, blocking.
    public func setData(_ documentData: [String: Any]) throws {
        try write(.set(documentData))
    }

    /// ``DocumentReference/setData(_:merge:)``, blocking.
    public func setData(_ documentData: [String: Any], merge: Bool) throws {
        try write(merge ? .merge(documentData) : .set(documentData))
    }

    /// ``DocumentReference/setData(_:mergeFields:)``, blocking.
    public func setData(_ documentData: [String: Any], mergeFields: [Any]) throws {
        try write(.mergeFields(documentData, mergeFields))
    }

    /// ``DocumentReference/updateData(_:)``, blocking.
    public func updateData(_ fields: [AnyHashable: Any]) throws {
        try write(.update(fields))
    }

    /// ``DocumentReference/delete()``, blocking.
    public func delete() throws {
        try write(.delete)
    }

    private func write(_ request: WriteRequest) throws {
        try base.writeJob(request).wait()
    }
}
