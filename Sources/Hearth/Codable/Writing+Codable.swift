// SPDX-License-Identifier: Apache-2.0

// Never inlined: the optimiser of Swift 6.3 crashes where a function that throws a typed error is inlined into an asynchronous one.

extension DocumentReference {
    /// Writes a value as the document, without waiting (C-45).
    ///
    /// ``setData(encoding:encoder:)`` waits until the write is done. The callback is as in ``setData(_:completion:)``.
    ///
    /// - Throws: `EncodingError`; ``FirestoreError``: `invalidArgument` for what no document can hold, or one that is too large,
    ///   and then nothing is written and the callback is not called. What depends on what is stored comes to the callback.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws {
        try startValid(.set(try encoder.encode(value)), completion)
    }

    /// The same; with `merge` only the fields that the value has (W-8).
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws {
        let data = try encoder.encode(value)
        try startValid(merge ? .merge(data) : .set(data), completion)
    }

    /// The same; only these fields (W-8).
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws {
        try startValid(.mergeFields(try encoder.encode(value), mergeFields), completion)
    }
}

extension CollectionReference {
    /// Writes a value under a generated ID; see ``DocumentReference/setData(from:encoder:completion:)``.
    ///
    /// - Returns: where it will be.
    @inline(never)
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> DocumentReference {
        let document = document()
        try document.startValid(.set(try encoder.encode(value)), completion)
        return document
    }
}

extension Synchronous where Base == DocumentReference {
    /// ``DocumentReference/setData(from:encoder:completion:)``, blocking.
    @inline(never)
    public func setData<T: Encodable>(from value: T, encoder: Database.Encoder = Database.Encoder()) throws {
        try setData(try encoder.encode(value))
    }

    /// ``DocumentReference/setData(from:merge:encoder:completion:)``, blocking.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder()
    ) throws {
        try setData(try encoder.encode(value), merge: merge)
    }

    /// ``DocumentReference/setData(from:mergeFields:encoder:completion:)``, blocking.
    @inline(never)
    public func setData<T: Encodable>(
        from value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder()
    ) throws {
        try setData(try encoder.encode(value), mergeFields: mergeFields)
    }
}

extension Synchronous where Base == CollectionReference {
    /// ``CollectionReference/addDocument(from:encoder:completion:)``, blocking.
    @inline(never)
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder()
    ) throws -> DocumentReference {
        try addDocument(data: try encoder.encode(value))
    }
}

extension WriteBatch {
    /// A value as a document of the batch. What is wrong with the value is thrown here, as by
    /// ``DocumentReference/setData(from:encoder:completion:)``, and the batch stays as it was.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        try addValid(.set(try encoder.encode(value)), document)
    }

    /// The same; with `merge` only the fields that the value has.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, merge: Bool,
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        let data = try encoder.encode(value)
        return try addValid(merge ? .merge(data) : .set(data), document)
    }

    /// The same; only these fields.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, mergeFields: [Any],
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        try addValid(.mergeFields(try encoder.encode(value), mergeFields), document)
    }
}

extension Transaction {
    /// A value as a document of the transaction. What is wrong with the value is thrown here, as by
    /// ``DocumentReference/setData(from:encoder:completion:)``.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        try addValid(.set(try encoder.encode(value)), document)
    }

    /// The same; with `merge` only the fields that the value has.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, merge: Bool,
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        let data = try encoder.encode(value)
        return try addValid(merge ? .merge(data) : .set(data), document)
    }

    /// The same; only these fields.
    @inline(never)
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, mergeFields: [Any],
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        try addValid(.mergeFields(try encoder.encode(value), mergeFields), document)
    }
}
