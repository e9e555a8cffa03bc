// SPDX-License-Identifier: Apache-2.0

// These calls have their own names. With FirebaseFirestore's names, a call in an asynchronous function would always
// mean these, and code there that says `try city.setData(from: value)` would not compile.

extension DocumentReference {
    /// Writes a value as the document, replacing all its fields. When this returns, the write is as durable as
    /// ``FirestoreSettings/durability`` says. ``setData(from:encoder:completion:)`` does not wait.
    ///
    /// ```swift
    /// try await database.document("cities/LA").setData(encoding: losAngeles)
    /// ```
    ///
    /// - Throws: `EncodingError`; ``FirestoreError`` as ``setData(_:)``.
    public nonisolated(nonsending) func setData<T: Encodable>(
        encoding value: T, encoder: Database.Encoder = Database.Encoder()
    ) async throws {
        try await setData(try encoder.fields(of: value))
    }

    /// Writes a value as the document. With `merge`, only the fields that the value has change; see
    /// ``setData(_:merge:)``.
    public nonisolated(nonsending) func setData<T: Encodable>(
        encoding value: T, merge: Bool, encoder: Database.Encoder = Database.Encoder()
    ) async throws {
        try await setData(try encoder.fields(of: value), merge: merge)
    }

    /// Writes only the listed fields of a value; see ``setData(_:mergeFields:)``.
    public nonisolated(nonsending) func setData<T: Encodable>(
        encoding value: T, mergeFields: [Any], encoder: Database.Encoder = Database.Encoder()
    ) async throws {
        try await setData(try encoder.fields(of: value), mergeFields: mergeFields)
    }
}

extension CollectionReference {
    /// Writes a value as a new document with a generated ID, and waits as
    /// ``DocumentReference/setData(encoding:encoder:)`` does.
    ///
    /// - Returns: a reference to the document.
    /// - Throws: as ``DocumentReference/setData(encoding:encoder:)``.
    @discardableResult
    public nonisolated(nonsending) func addDocument<T: Encodable>(
        encoding value: T, encoder: Database.Encoder = Database.Encoder()
    ) async throws -> DocumentReference {
        try await addDocument(data: try encoder.fields(of: value))
    }
}
