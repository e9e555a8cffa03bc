// SPDX-License-Identifier: Apache-2.0

/// The type of a ``DocumentID`` property: `String` for the ID, or ``DocumentReference``.
public protocol DocumentIDWrappable {
    /// Returns the property's value for a document.
    static func wrap(_ documentReference: DocumentReference) throws -> Self
}

extension String: DocumentIDWrappable {
    /// Returns the document's ID.
    public static func wrap(_ documentReference: DocumentReference) -> String { documentReference.documentID }
}

extension DocumentReference: DocumentIDWrappable {
    /// Returns the reference itself.
    public static func wrap(_ documentReference: DocumentReference) -> DocumentReference { documentReference }
}

/// A property that holds the ID of the document that the value was decoded from. Decoding fills it; encoding leaves it
/// out.
///
/// ```swift
/// struct City: Codable {
///     @DocumentID var id: String?
///     var name: String
/// }
/// ```
///
/// A field of the document with the property's name is ignored.
@propertyWrapper
public struct DocumentID<Value: DocumentIDWrappable & Codable> {
    /// The ID; nil until the value is decoded from a document.
    public var wrappedValue: Value?

    /// Creates a property that decoding fills.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

/// Lets the coders recognize a ``DocumentID`` of any type.
protocol DocumentIDProperty {
    init(_ reference: DocumentReference) throws
}

extension DocumentID: DocumentIDProperty {
    init(_ reference: DocumentReference) throws {
        self.init(wrappedValue: try Value.wrap(reference))
    }
}

extension DocumentID: Codable {
    /// Always throws: only ``Database/Decoder`` decodes this type.
    public init(from decoder: any Swift.Decoder) throws {
        throw FirestoreDecodingError.decodingIsNotSupported(
            "DocumentID values can only be decoded with Firestore.Decoder")
    }

    /// Always throws: ``Database/Encoder`` leaves this type out, and no other encoder can encode it.
    public func encode(to encoder: any Swift.Encoder) throws {
        throw FirestoreEncodingError.encodingIsNotSupported(
            "DocumentID values can only be encoded with Firestore.Encoder")
    }
}

extension DocumentID: Equatable where Value: Equatable {}
extension DocumentID: Hashable where Value: Hashable {}
extension DocumentID: Sendable where Value: Sendable {}
