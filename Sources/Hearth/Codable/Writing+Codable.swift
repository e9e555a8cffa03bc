// SPDX-License-Identifier: Apache-2.0

// Never inlined: the optimizer of Swift 6.3 crashes if a function with a typed error is inlined into an asynchronous
// one.

extension DocumentReference {
    /// Writes a value as the document, replacing all its fields, without waiting.
    ///
    /// ``setData(encoding:encoder:)`` waits until the write is done. The callback is called as in
    /// ``setData(_:completion:)``.
    ///
    /// - Throws: `EncodingError`; ``FirestoreError``: `invalidArgument` if no document can hold the value, or if it is
    ///   too large. Then nothing is written, and the callback is not called. Errors that depend on stored data go to
    ///   the callback.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws {
        try startValid(.set(try encoder.fields(of: value)), completion)
    }

    /// Writes a value as the document, without waiting. With `merge`, only the fields that the value has change.
    /// Callback and errors are those of ``setData(from:encoder:completion:)``.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws {
        let data = try encoder.fields(of: value)
        try startValid(merge ? .merge(data) : .set(data), completion)
    }

    /// Writes only the listed fields of a value, without waiting. Callback and errors are those of
    /// ``setData(from:encoder:completion:)``.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws {
        try startValid(.mergeFields(try encoder.fields(of: value), mergeFields), completion)
    }
}

extension CollectionReference {
    /// Writes a value as a new document with a generated ID, without waiting. Callback and errors are those of
    /// ``DocumentReference/setData(from:encoder:completion:)``.
    ///
    /// - Returns: a reference to the document, which may not be written yet.
    @inline(never)
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> DocumentReference {
        let document = document()
        try document.startValid(.set(try encoder.fields(of: value)), completion)
        return document
    }
}

extension BlockingAPI where Base == DocumentReference {
    /// The blocking form of ``DocumentReference/setData(from:encoder:completion:)``.
    @inline(never)
    public func setData<T: Encodable>(from value: T, encoder: Database.Encoder = Database.Encoder()) throws {
        try setData(try encoder.fields(of: value))
    }

    /// The blocking form of ``DocumentReference/setData(from:merge:encoder:completion:)``.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder()
    ) throws {
        try setData(try encoder.fields(of: value), merge: merge)
    }

    /// The blocking form of ``DocumentReference/setData(from:mergeFields:encoder:completion:)``.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder()
    ) throws {
        try setData(try encoder.fields(of: value), mergeFields: mergeFields)
    }
}

extension BlockingAPI where Base == CollectionReference {
    /// The blocking form of ``CollectionReference/addDocument(from:encoder:completion:)``.
    @inline(never)
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder()
    ) throws -> DocumentReference {
        try addDocument(data: try encoder.fields(of: value))
    }
}

extension WriteBatch {
    /// Adds a write of a value to the batch, replacing all fields of the document. An invalid value throws the errors
    /// of ``DocumentReference/setData(from:encoder:completion:)`` here and leaves the batch unchanged.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        try addValid(.set(try encoder.fields(of: value)), document)
    }

    /// Adds a write of a value to the batch. With `merge`, only the fields that the value has change.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, merge: Bool,
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        let data = try encoder.fields(of: value)
        return try addValid(merge ? .merge(data) : .set(data), document)
    }

    /// Adds a write of the listed fields of a value to the batch.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, mergeFields: [Any],
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        try addValid(.mergeFields(try encoder.fields(of: value), mergeFields), document)
    }
}

extension Transaction {
    /// Adds a write of a value to the transaction, replacing all fields of the document. An invalid value throws the
    /// errors of ``DocumentReference/setData(from:encoder:completion:)`` here.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        try addValid(.set(try encoder.fields(of: value)), document)
    }

    /// Adds a write of a value to the transaction. With `merge`, only the fields that the value has change.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, merge: Bool,
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        let data = try encoder.fields(of: value)
        return try addValid(merge ? .merge(data) : .set(data), document)
    }

    /// Adds a write of the listed fields of a value to the transaction.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, mergeFields: [Any],
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        try addValid(.mergeFields(try encoder.fields(of: value), mergeFields), document)
    }
}
