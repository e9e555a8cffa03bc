// SPDX-License-Identifier: Apache-2.0

// Under a name of their own: with FirebaseFirestore's, a call in an asynchronous function would always mean these, and code
// that says `try city.setData(from: value)` there would not compile.

extension DocumentReference {
    /// Writes a value as the document. When it returns, the write is as durable as ``FirestoreSettings/durability`` says;
    /// ``setData(from:encoder:completion:)`` returns before.
    ///
    /// ```swift
    /// try await database.document("cities/LA").setData(encoding: losAngeles)
    /// ```
    ///
    /// - Throws: `EncodingError`; ``FirestoreError`` as ``setData(_:)``.
    public nonisolated(nonsending) func setData<T: Encodable>(
        encoding value: T, encoder: Database.Encoder = Database.Encoder()
    ) async throws {
        try await setData(try encoder.encode(value))
    }

    /// The same; with `merge` only the fields that the value has (W-8).
    public nonisolated(nonsending) func setData<T: Encodable>(
        encoding value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder()
    ) async throws {
        try await setData(try encoder.encode(value), merge: merge)
    }

    /// The same; only these fields (W-8).
    public nonisolated(nonsending) func setData<T: Encodable>(
        encoding value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder()
    ) async throws {
        try await setData(try encoder.encode(value), mergeFields: mergeFields)
    }
}

extension CollectionReference {
    /// Writes a value under a generated ID and waits, as ``DocumentReference/setData(encoding:encoder:)``.
    ///
    /// - Returns: where it is.
    @discardableResult
    public nonisolated(nonsending) func addDocument<T: Encodable>(
        encoding value: T, encoder: Database.Encoder = Database.Encoder()
    ) async throws -> DocumentReference {
        try await addDocument(data: try encoder.encode(value))
    }
}
