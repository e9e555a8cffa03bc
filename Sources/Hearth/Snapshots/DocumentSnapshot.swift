// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What a document held at one moment, or that it did not exist.
///
/// Numbers come as `NSNumber`, which casts to `Int`, `Int64` and `Double` alike where the number allows it: `as? Int` works.
/// Timestamps come as ``Timestamp``, bytes as `Data`, null as `NSNull`, references as ``DocumentReference``.
public class DocumentSnapshot: @unchecked Sendable {  // Immutable.
    /// The document's place.
    public let reference: DocumentReference
    let document: Document?

    init(_ reference: DocumentReference, _ document: Document?) {
        self.reference = reference
        self.document = document
    }

    /// Whether there is such a document.
    public var exists: Bool { document != nil }

    /// The last segment of the document's path.
    public var documentID: String { reference.documentID }

    /// Where the snapshot came from.
    public var metadata: SnapshotMetadata { SnapshotMetadata() }

    /// When the document was created; nil if it does not exist. Later commits have later times.
    public var createTime: Timestamp? { document.map { Timestamp($0.createTime) } }

    /// When the document last changed; nil if it does not exist (W-6).
    public var updateTime: Timestamp? { document.map { Timestamp($0.updateTime) } }

    /// All fields; nil if the document does not exist.
    ///
    /// Two field names that differ by their UTF-8 bytes only, as `"é"` can be written in two ways, are one key of a Swift
    /// dictionary; ``get(_:)-(FieldPath)`` tells them apart.
    public func data() -> [String: Any]? { document?.fields.plain(in: reference.firestore) }

    /// The same: there are no server timestamps still to come.
    public func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any]? { data() }

    /// The value of a field, `a.b` for the field `b` of the map `a`; nil where there is none, or for an impossible path.
    public func get(_ field: String) -> Any? { get(FieldPath(dotted: field)) }

    /// The value at a path; nil where there is none.
    public func get(_ field: FieldPath) -> Any? {
        guard let path = try? field.valid() else { return nil }
        return document?.fields[path]?.plain(in: reference.firestore)
    }

    /// The same: there are no server timestamps still to come.
    public func get(_ field: String, serverTimestampBehavior: ServerTimestampBehavior) -> Any? { get(field) }

    /// The same: there are no server timestamps still to come.
    public func get(_ field: FieldPath, serverTimestampBehavior: ServerTimestampBehavior) -> Any? { get(field) }

    /// The value of a field; see ``get(_:)-(String)``.
    public subscript(field: String) -> Any? { self.get(field) }

    /// The value at a path.
    public subscript(field: FieldPath) -> Any? { self.get(field) }
}

/// A document that a query found: it exists.
public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {  // Immutable.
    /// All fields.
    public override func data() -> [String: Any] { super.data() ?? [:] }

    /// The same: there are no server timestamps still to come.
    public override func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any] { data() }
}

extension DocumentSnapshot: Equatable {
    /// Whether both are of the same document and hold the same, the types of numbers included.
    public static func == (lhs: DocumentSnapshot, rhs: DocumentSnapshot) -> Bool {
        guard lhs.reference == rhs.reference else { return false }
        return switch (lhs.document, rhs.document) {
        case (nil, nil): true
        case (let left?, let right?): left.fields.isIdentical(to: right.fields)
        default: false
        }
    }
}
