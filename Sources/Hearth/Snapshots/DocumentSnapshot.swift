// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What a document held at one moment, or that it did not exist.
///
/// Numbers come as `NSNumber`, which casts to `Int`, `Int64` and `Double` alike where the number allows it: `as? Int` works.
/// Timestamps come as ``Timestamp``, bytes as `Data`, null as `NSNull`, references as ``DocumentReference``.
public class DocumentSnapshot: @unchecked Sendable {  // Immutable.
    /// A snapshot of a query's row makes its reference when it is asked for it.
    private enum Place {
        case known(DocumentReference)
        case ofRecord(Database)
    }

    private let place: Place
    let content: SnapshotContent

    init(_ reference: DocumentReference, _ document: Document?) {
        place = .known(reference)
        content = document.map { .document($0) } ?? .missing
    }

    init(_ reference: DocumentReference, _ record: DocumentRecord?) {
        place = .known(reference)
        content = record.map { .record($0) } ?? .missing
    }

    init(_ database: Database, _ record: DocumentRecord) {
        place = .ofRecord(database)
        content = .record(record)
    }

    /// The document's place.
    public var reference: DocumentReference {
        switch place {
        case .known(let reference): return reference
        case .ofRecord(let database):
            guard let path = content.path else { preconditionFailure("a row has a path") }
            return DocumentReference(database, path)
        }
    }

    var firestore: Database {
        switch place {
        case .known(let reference): reference.firestore
        case .ofRecord(let database): database
        }
    }

    /// The document with all its fields, which are read from its record each time.
    var document: Document? { content.document }

    /// Whether there is such a document.
    public var exists: Bool {
        if case .missing = content { false } else { true }
    }

    /// The last segment of the document's path.
    public var documentID: String {
        switch place {
        case .known(let reference): reference.documentID
        case .ofRecord: content.id?.string ?? ""
        }
    }

    /// Where the snapshot came from.
    public var metadata: SnapshotMetadata { SnapshotMetadata() }

    /// When the document was created; nil if it does not exist. Later commits have later times.
    public var createTime: Timestamp? { content.createTime.map { Timestamp($0) } }

    /// When the document last changed; nil if it does not exist (W-6).
    public var updateTime: Timestamp? { content.updateTime.map { Timestamp($0) } }

    /// All fields; nil if the document does not exist.
    ///
    /// Two field names that differ by their UTF-8 bytes only, as `"é"` can be written in two ways, are one key of a Swift
    /// dictionary; ``get(_:)-(FieldPath)`` tells them apart.
    public func data() -> [String: Any]? { content.fields?.plain(in: firestore) }

    /// The same: there are no server timestamps still to come.
    public func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any]? { data() }

    /// The value of a field, `a.b` for the field `b` of the map `a`; nil where there is none, or for an impossible path.
    public func get(_ field: String) -> Any? {
        if DocumentModel.FieldPath.isOneName(field) { return content.value(named: field)?.plain(in: firestore) }
        return get(FieldPath(dotted: field))
    }

    /// The value at a path; nil where there is none.
    public func get(_ field: FieldPath) -> Any? {
        guard let path = try? field.valid() else { return nil }
        return content.value(at: path)?.plain(in: firestore)
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
        return switch (lhs.content.fields, rhs.content.fields) {
        case (nil, nil): true
        case (let left?, let right?): left.isIdentical(to: right)
        default: false
        }
    }
}

extension DocumentSnapshot: CustomStringConvertible {
    /// The path and the fields, by name, for messages: `cities/LA: [name: Los Angeles, population: 3900000]`.
    public var description: String {
        guard let data = data() else { return "\(reference.path): no document" }
        let fields = data.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(reference.path): [\(fields.joined(separator: ", "))]"
    }
}
