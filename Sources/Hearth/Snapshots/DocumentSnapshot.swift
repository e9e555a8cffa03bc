// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The contents of a document at one moment, or the fact that it did not exist.
///
/// Numbers are `NSNumber`s, which cast to `Int`, `Int64` and `Double` if the value allows it: `as? Int` works.
/// Timestamps are ``Timestamp``s, bytes `Data`, null `NSNull`, and references ``DocumentReference``s.
public class DocumentSnapshot: @unchecked Sendable {  // Immutable.
    /// A snapshot of a query's row creates its reference on demand.
    private enum Place {
        case known(DocumentReference)
        case ofRecord(Database)
        /// In a database with a remote.
        case synced(SyncedDocument, isFromCache: Bool)
    }

    private let place: Place
    let content: SnapshotContent

    init(_ reference: DocumentReference, _ record: DocumentRecord?) {
        place = .known(reference)
        content = SnapshotContent(record)
    }

    init(_ database: Database, _ record: DocumentRecord) {
        place = .ofRecord(database)
        content = .record(record)
    }

    init(_ synced: SyncedDocument, isFromCache: Bool) {
        place = .synced(synced, isFromCache: isFromCache)
        content = SnapshotContent(synced.record)
    }

    /// What the client knows of the document; nil in a database without a remote.
    var synced: SyncedDocument? { if case .synced(let document, _) = place { document } else { nil } }

    /// Whether server timestamps may be pending in the document.
    var hasPendingWrites: Bool { if case .synced(let document, _) = place { document.hasPendingWrites } else { false } }

    /// A reference to the document.
    public var reference: DocumentReference {
        switch place {
        case .known(let reference): return reference
        case .synced(let document, _): return document.reference
        case .ofRecord(let database):
            guard let path = content.path else { preconditionFailure("a row has a path") }
            return DocumentReference(database, path)
        }
    }

    var firestore: Database {
        switch place {
        case .known(let reference): reference.firestore
        case .synced(let document, _): document.reference.firestore
        case .ofRecord(let database): database
        }
    }

    /// The document with all its fields, which are decoded from its record on each access.
    var document: Document? { content.document }

    /// Whether the document exists.
    public var exists: Bool {
        if case .missing = content { false } else { true }
    }

    /// The last segment of the document's path.
    public var documentID: String {
        switch place {
        case .known(let reference): reference.documentID
        case .synced(let document, _): document.reference.documentID
        case .ofRecord: content.id?.string ?? ""
        }
    }

    /// Metadata about the snapshot's origin.
    public var metadata: SnapshotMetadata {
        guard case .synced(let document, let isFromCache) = place else { return SnapshotMetadata() }
        return SnapshotMetadata(hasPendingWrites: document.hasPendingWrites, isFromCache: isFromCache)
    }

    /// The time when the document was created; nil if it does not exist, or only in writes that are pending. Later
    /// commits have later times.
    public var createTime: Timestamp? { content.createTime.flatMap(shown) }

    /// The time when the document last changed; nil if it does not exist, or if its writes are pending.
    public var updateTime: Timestamp? { content.updateTime.flatMap(shown) }

    /// All fields; nil if the document does not exist.
    ///
    /// Two field names that differ only in their UTF-8 bytes, such as the two spellings of `"é"`, are one key of a
    /// Swift dictionary. ``get(_:)-(FieldPath)`` tells them apart.
    public func data() -> [String: Any]? { data(with: .none) }

    /// All fields, with server timestamps that are pending as the behavior says; nil if the document does not exist.
    public func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any]? {
        guard exists else { return nil }
        return try? stored(serverTimestampBehavior).plainFields(in: firestore)
    }

    /// The value of a field; nil if there is none or the path is invalid. `a.b` names the field `b` of the map `a`.
    public func get(_ field: String) -> Any? { get(field, serverTimestampBehavior: .none) }

    /// The value at a field path; nil if there is none or the path is invalid.
    public func get(_ field: FieldPath) -> Any? { get(field, serverTimestampBehavior: .none) }

    /// The value of a field, with server timestamps that are pending as the behavior says; nil if there is none.
    public func get(_ field: String, serverTimestampBehavior: ServerTimestampBehavior) -> Any? {
        guard DocumentModel.FieldPath.isValid(dotted: field) else { return nil }
        return plain(content.field(at: field), serverTimestampBehavior)
    }

    /// The value at a field path, with server timestamps that are pending as the behavior says; nil if there is none.
    public func get(_ field: FieldPath, serverTimestampBehavior: ServerTimestampBehavior) -> Any? {
        guard let path = try? field.valid() else { return nil }
        return plain(content.field(at: path), serverTimestampBehavior)
    }

    private func plain(_ value: StoredValue?, _ serverTimestampBehavior: ServerTimestampBehavior) -> Any? {
        guard let value else { return nil }
        return try? shown(value, serverTimestampBehavior).plain(in: firestore)
    }

    /// The value of a field; see ``get(_:)-(String)``.
    public subscript(field: String) -> Any? { self.get(field) }

    /// The value at a field path; see ``get(_:)-(FieldPath)``.
    public subscript(field: FieldPath) -> Any? { self.get(field) }
}

/// A document in the result of a query. It always exists.
public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {  // Immutable.
    /// All fields.
    public override func data() -> [String: Any] { super.data(with: .none) ?? [:] }

    /// All fields, with server timestamps that are pending as the behavior says.
    public override func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any] {
        super.data(with: serverTimestampBehavior) ?? [:]
    }
}

extension DocumentSnapshot: Hashable {
    /// Whether both are snapshots of the same document with the same contents, including the types of numbers, and the
    /// same metadata.
    public static func == (lhs: DocumentSnapshot, rhs: DocumentSnapshot) -> Bool {
        guard lhs.reference == rhs.reference, lhs.metadata == rhs.metadata else { return false }
        return switch (lhs.content.fields, rhs.content.fields) {
        case (nil, nil): true
        case (let left?, let right?): left.isIdentical(to: right)
        default: false
        }
    }

    /// Hashes what the snapshot is of, and not the fields, which would be decoded.
    public final func hash(into hasher: inout Hasher) {
        hasher.combine(reference)
        hasher.combine(metadata)
        hasher.combine(exists)
    }
}

extension DocumentSnapshot: CustomStringConvertible {
    /// The path, and the fields sorted by name, for messages: `cities/LA: [name: Los Angeles, population: 3900000]`.
    public var description: String {
        guard let data = data() else { return "\(reference.path): no document" }
        let fields = data.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(reference.path): [\(fields.joined(separator: ", "))]"
    }
}
