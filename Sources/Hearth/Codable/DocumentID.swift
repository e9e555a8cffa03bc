// SPDX-License-Identifier: Apache-2.0

/// What a ``DocumentID`` property can hold: `String`, the ID, or ``DocumentReference``.
public protocol DocumentIDWrappable {
    /// The property's value for a document.
    static func wrap(_ documentReference: DocumentReference) throws -> Self
}

extension String: DocumentIDWrappable {
    /// The document's ID.
    public static func wrap(_ documentReference: DocumentReference) -> String { documentReference.documentID }
}

extension DocumentReference: DocumentIDWrappable {
    /// The reference itself.
    public static func wrap(_ documentReference: DocumentReference) -> DocumentReference { documentReference }
}

/// A property that is the ID of the document that the value was read from. It is filled when the value is decoded, and never
/// written (C-42).
///
/// ```swift
/// struct City: Codable {
///     @DocumentID var id: String?
///     var name: String
/// }
/// ```
///
/// A document that has a field of the property's name does not decode: ``FirestoreDecodingError/fieldNameConflict(_:)``.
@propertyWrapper
public struct DocumentID<Value: DocumentIDWrappable & Codable> {
    /// The ID; nil until the value is read from a document.
    public var wrappedValue: Value?

    /// A property that a read will fill.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

/// Lets the coders know a ``DocumentID`` whatever its type.
protocol DocumentIDProperty {
    init(_ reference: DocumentReference?) throws
}

extension DocumentID: DocumentIDProperty {
    init(_ reference: DocumentReference?) throws {
        self.init(wrappedValue: try reference.map { try Value.wrap($0) })
    }
}

extension DocumentID: Codable {
    /// Only ``Database/Decoder`` reads it.
    public init(from decoder: any Swift.Decoder) throws {
        throw FirestoreDecodingError.decodingIsNotSupported(
            "DocumentID values can only be decoded with Firestore.Decoder")
    }

    /// Only ``Database/Encoder`` takes it, to leave it out.
    public func encode(to encoder: any Swift.Encoder) throws {
        throw FirestoreEncodingError.encodingIsNotSupported(
            "DocumentID values can only be encoded with Firestore.Encoder")
    }
}

extension DocumentID: Equatable where Value: Equatable {}
extension DocumentID: Hashable where Value: Hashable {}
extension DocumentID: Sendable where Value: Sendable {}
