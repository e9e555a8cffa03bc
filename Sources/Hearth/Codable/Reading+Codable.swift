// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension DocumentSnapshot {
    /// The document as a value (C-45).
    ///
    /// ```swift
    /// let city = try await reference.getDocument().data(as: City.self)
    /// ```
    ///
    /// - Throws: `DecodingError`, also for a document that does not exist unless `T` is an optional, which is nil then;
    ///   ``FirestoreDecodingError``.
    public func data<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Database.Decoder = Database.Decoder()
    ) throws -> T {
        let value =
            switch content {
            case .missing: StoredValue(.null, database: try firestore.identity())
            case .record(let record): record.root
            case .document(let document): StoredValue(.map(document.fields), database: try firestore.identity())
            }
        return try decoder.decode(type, from: value, in: { self.reference }, database: firestore)
    }
}

extension DocumentReference {
    /// Reads the document as a value; see ``DocumentSnapshot/data(as:with:decoder:)``.
    public nonisolated(nonsending) func getDocument<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Database.Decoder = Database.Decoder(), source: FirestoreSource = .default
    ) async throws -> T {
        try await getDocument(source: source).data(as: type, decoder: decoder)
    }

    /// The same with a callback.
    public func getDocument<T: Decodable & SendableMetatype>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: sending Database.Decoder = Database.Decoder(), source: FirestoreSource = .default,
        completion: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let decoder = SentDecoder(decoder: decoder)
        getDocument(source: source) { snapshot, error in
            guard let snapshot else { return completion(.failure(error ?? FirestoreError(.unknown, "No document."))) }
            completion(Result { try snapshot.data(as: T.self, decoder: decoder.decoder) })
        }
    }
}

/// Handed over by the caller, who has no other use of it, and used by one callback, once.
private struct SentDecoder: @unchecked Sendable {
    let decoder: Database.Decoder
}

extension Synchronous where Base == DocumentReference {
    /// ``DocumentReference/getDocument(as:with:decoder:source:)``, blocking.
    public func getDocument<T: Decodable & SendableMetatype>(
        as type: T.Type, decoder: Database.Decoder = Database.Decoder()
    ) throws -> T {
        try getDocument().data(as: type, decoder: decoder)
    }
}
