// SPDX-License-Identifier: Apache-2.0

extension DocumentReference {
    /// Writes a value as the document, without waiting: encoding errors are thrown here, others come to the callback (C-45).
    ///
    /// Where waiting is wanted: `try await city.setData(Firestore.Encoder().encode(value))`. The callback is as in
    /// ``setData(_:completion:)``.
    public func setData<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder(),
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) throws {
        setData(try encoder.encode(value), completion: completion)
    }

    /// The same; with `merge` only the fields that the value has (W-8).
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder(),
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) throws {
        setData(try encoder.encode(value), merge: merge, completion: completion)
    }

    /// The same; only these fields (W-8).
    public func setData<T: Encodable>(
        from value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder(),
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) throws {
        setData(try encoder.encode(value), mergeFields: mergeFields, completion: completion)
    }
}

extension CollectionReference {
    /// Writes a value under a generated ID; see ``DocumentReference/setData(from:encoder:completion:)``.
    ///
    /// - Returns: where it will be.
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder(),
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) throws -> DocumentReference {
        addDocument(data: try encoder.encode(value), completion: completion)
    }
}

extension Synchronous where Base == DocumentReference {
    /// ``DocumentReference/setData(from:encoder:completion:)``, blocking.
    public func setData<T: Encodable>(from value: T, encoder: Database.Encoder = Database.Encoder()) throws {
        try setData(try encoder.encode(value))
    }

    /// ``DocumentReference/setData(from:merge:encoder:completion:)``, blocking.
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder()
    ) throws {
        try setData(try encoder.encode(value), merge: merge)
    }

    /// ``DocumentReference/setData(from:mergeFields:encoder:completion:)``, blocking.
    public func setData<T: Encodable>(
        from value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder()
    ) throws {
        try setData(try encoder.encode(value), mergeFields: mergeFields)
    }
}

extension Synchronous where Base == CollectionReference {
    /// ``CollectionReference/addDocument(from:encoder:completion:)``, blocking.
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Database.Encoder = Database.Encoder()
    ) throws -> DocumentReference {
        try addDocument(data: try encoder.encode(value))
    }
}

extension WriteBatch {
    /// A value as a document of the batch. Encoding errors are thrown here.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        setData(try encoder.encode(value), forDocument: document)
    }

    /// The same; with `merge` only the fields that the value has.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, merge: Bool,
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        setData(try encoder.encode(value), forDocument: document, merge: merge)
    }

    /// The same; only these fields.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, mergeFields: [Any],
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> WriteBatch {
        setData(try encoder.encode(value), forDocument: document, mergeFields: mergeFields)
    }
}

extension Transaction {
    /// A value as a document of the transaction. Encoding errors are thrown here.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        setData(try encoder.encode(value), forDocument: document)
    }

    /// The same; with `merge` only the fields that the value has.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, merge: Bool,
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        setData(try encoder.encode(value), forDocument: document, merge: merge)
    }

    /// The same; only these fields.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument document: DocumentReference, mergeFields: [Any],
        encoder: Database.Encoder = Database.Encoder()
    ) throws -> Transaction {
        setData(try encoder.encode(value), forDocument: document, mergeFields: mergeFields)
    }
}
