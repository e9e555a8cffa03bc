// SPDX-License-Identifier: Apache-2.0

/// Why a document does not decode, beyond what `DecodingError` says.
public enum FirestoreDecodingError: Error, Sendable {
    /// The type can be read by ``Database/Decoder`` only.
    case decodingIsNotSupported(String)
    /// The document has a field with the name of a ``DocumentID`` property.
    case fieldNameConflict(String)
}

/// Why a value does not encode, beyond what `EncodingError` says.
public enum FirestoreEncodingError: Error, Sendable {
    /// The type can be written by ``Database/Encoder`` only.
    case encodingIsNotSupported(String)
}
