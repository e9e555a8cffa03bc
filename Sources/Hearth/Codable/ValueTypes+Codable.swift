// SPDX-License-Identifier: Apache-2.0

// The coders of this library take these types as they are and never call what stands here.

extension FieldValue: Encodable {
    /// Only ``Database/Encoder`` takes it.
    public func encode(to encoder: any Swift.Encoder) throws {
        throw FirestoreEncodingError.encodingIsNotSupported("FieldValue can only be encoded with Firestore.Encoder")
    }
}

extension DocumentReference: Codable {
    /// Only ``Database/Decoder`` reads it.
    public convenience init(from decoder: any Swift.Decoder) throws {
        throw FirestoreDecodingError.decodingIsNotSupported(
            "DocumentReference can only be decoded with Firestore.Decoder")
    }

    /// Only ``Database/Encoder`` takes it.
    public func encode(to encoder: any Swift.Encoder) throws {
        throw FirestoreEncodingError.encodingIsNotSupported(
            "DocumentReference can only be encoded with Firestore.Encoder")
    }
}
