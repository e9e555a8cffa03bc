// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension DocumentSnapshot {
    /// Decodes the document into a value.
    ///
    /// ```swift
    /// let city = try await reference.getDocument().data(as: City.self)
    /// ```
    ///
    /// - Throws: `DecodingError`, also if the document does not exist, unless `T` is optional, which is then nil;
    ///   ``FirestoreDecodingError``.
    public func data<T: Decodable>(as type: T.Type) throws -> T {
        try ValueDecoder.decode(type, from: try stored(), .snapshot(self), nil)
    }

    /// Decodes the document into a value with the strategies of a decoder, and with server timestamps that are pending as
    /// the behavior says.
    public func data<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Database.Decoder = Database.Decoder()
    ) throws -> T {
        try ValueDecoder.decode(type, from: try stored(serverTimestampBehavior), .snapshot(self), decoder)
    }

    /// Decodes the value of a field. `a.b` names the field `b` of the map `a`.
    ///
    /// ```swift
    /// let population = try city.get("population", as: Int.self) ?? 0
    /// ```
    ///
    /// Only this field is read, directly from its stored bytes. That is several times as fast as ``get(_:)-(String)``
    /// and a cast, which must find out what an `NSNumber` can be cast to.
    ///
    /// - Returns: nil if the document or the field does not exist, or if the value is null.
    /// - Throws: `DecodingError` if the value has another type.
    public func get<T: Decodable>(_ field: String, as type: T.Type) throws -> T? {
        // Throws what is wrong with the path.
        guard DocumentModel.FieldPath.isValid(dotted: field) else { return try get(FieldPath(dotted: field), as: type) }
        return try value(of: try stored().field(at: field), as: type)
    }

    // The most common types have no generic code, which would cost as much as the read itself.

    /// Decodes an integer field; nil if it is missing or null. Throws `DecodingError` if the value has another type.
    public func get(_ field: String, as type: Int.Type) throws -> Int? {
        if DocumentModel.FieldPath.isValid(dotted: field), let number = try content.integer(at: field),
            let integer = Int(exactly: number)
        {
            return integer
        }
        return try decoded(field, as: type)
    }

    /// Decodes a floating-point field; nil if it is missing or null. Throws `DecodingError` if the value has another
    /// type.
    public func get(_ field: String, as type: Double.Type) throws -> Double? {
        if DocumentModel.FieldPath.isValid(dotted: field), let number = try content.double(at: field) { return number }
        return try decoded(field, as: type)
    }

    /// Decodes a string field; nil if it is missing or null. Throws `DecodingError` if the value has another type.
    public func get(_ field: String, as type: String.Type) throws -> String? {
        if DocumentModel.FieldPath.isValid(dotted: field), let string = try content.string(at: field) { return string }
        return try decoded(field, as: type)
    }

    /// Decodes a Boolean field; nil if it is missing or null. Throws `DecodingError` if the value has another type.
    public func get(_ field: String, as type: Bool.Type) throws -> Bool? {
        if DocumentModel.FieldPath.isValid(dotted: field), let boolean = try content.boolean(at: field) {
            return boolean
        }
        return try decoded(field, as: type)
    }

    private func decoded<T: Decodable>(_ field: String, as type: T.Type) throws -> T? { try get(field, as: type) }

    /// Decodes the value at a field path; nil if it is missing or null. Throws `DecodingError` if the value has another
    /// type.
    public func get<T: Decodable>(_ field: FieldPath, as type: T.Type) throws -> T? {
        try value(of: try stored().field(at: try field.valid()), as: type)
    }

    private func value<T: Decodable>(of place: StoredValue?, as type: T.Type) throws -> T? {
        guard let place, !place.isNull else { return nil }
        return try ValueDecoder.decode(type, from: place, .snapshot(self), nil)
    }

    /// All fields, as they are stored.
    func stored(_ behavior: ServerTimestampBehavior = .none) throws -> StoredValue {
        if hasPendingWrites, let fields = content.fields?.shown(behavior) {
            return StoredValue(.map(fields), database: try firestore.identity())
        }
        return switch content {
        case .missing: StoredValue(.null, database: try firestore.identity())
        case .record(let record): record.root
        }
    }
}

extension DocumentReference {
    /// Reads the document and decodes it into a value; see ``DocumentSnapshot/data(as:)``.
    public nonisolated(nonsending) func getDocument<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Database.Decoder = Database.Decoder(), source: FirestoreSource = .default
    ) async throws -> T {
        try await getDocument(source: source).data(as: type, with: serverTimestampBehavior, decoder: decoder)
    }

    /// Reads the document, decodes it, and calls `completion` with the value or an error, on
    /// ``FirestoreSettings/dispatchQueue``.
    public func getDocument<T: Decodable & SendableMetatype>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: sending Database.Decoder = Database.Decoder(), source: FirestoreSource = .default,
        completion: @escaping (Result<T, any Error>) -> Void
    ) {
        let decoder = SentDecoder(decoder: decoder)
        getDocument(source: source) { snapshot, error in
            guard let snapshot else { return completion(.failure(error ?? FirestoreError(.unknown, "No document."))) }
            completion(
                Result { try snapshot.data(as: T.self, with: serverTimestampBehavior, decoder: decoder.decoder) })
        }
    }
}

/// The caller hands the decoder over and does not use it again. One callback uses it once.
private struct SentDecoder: @unchecked Sendable {
    let decoder: Database.Decoder
}

extension BlockingAPI where Base == DocumentReference {
    /// The blocking form of ``DocumentReference/getDocument(as:with:decoder:source:)``.
    public func getDocument<T: Decodable & SendableMetatype>(
        as type: T.Type, decoder: Database.Decoder = Database.Decoder(), source: FirestoreSource = .default
    ) throws -> T {
        try getDocument(source: source).data(as: type, decoder: decoder)
    }
}
