// SPDX-License-Identifier: Apache-2.0

// The coders of this library handle these types themselves and never call these methods.

extension FieldValue: Encodable {
    /// Always throws: only ``Database/Encoder`` encodes this type.
    public func encode(to encoder: any Swift.Encoder) throws {
        throw FirestoreEncodingError.encodingIsNotSupported("FieldValue can only be encoded with Firestore.Encoder")
    }
}

extension DocumentReference: Codable {
    /// Always throws: only ``Database/Decoder`` decodes this type.
    public convenience init(from decoder: any Swift.Decoder) throws {
        throw FirestoreDecodingError.decodingIsNotSupported(
            "DocumentReference can only be decoded with Firestore.Decoder")
    }

    /// Always throws: only ``Database/Encoder`` encodes this type.
    public func encode(to encoder: any Swift.Encoder) throws {
        throw FirestoreEncodingError.encodingIsNotSupported(
            "DocumentReference can only be encoded with Firestore.Encoder")
    }
}
