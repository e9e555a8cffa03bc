// SPDX-License-Identifier: Apache-2.0

/// Why a document cannot be decoded, in addition to `DecodingError`.
public enum FirestoreDecodingError: Error, Sendable {
    /// Only ``Database/Decoder`` can decode the type, and a ``DocumentID`` only from the data of a document.
    case decodingIsNotSupported(String)
    /// Not thrown any more, by Hearth or FirebaseFirestore: a field with the name of a ``DocumentID`` property is ignored.
    case fieldNameConflict(String)
}

/// Why a value cannot be encoded, in addition to `EncodingError`.
public enum FirestoreEncodingError: Error, Sendable {
    /// Only ``Database/Encoder`` can encode the type.
    case encodingIsNotSupported(String)
}
