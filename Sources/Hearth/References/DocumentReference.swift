// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A reference to a document, which may or may not exist. It reads and writes the document.
///
/// ```swift
/// let city = database.collection("cities").document("SF")
/// try await city.setData(["name": "San Francisco", "state": "CA"])
/// try await city.updateData(["population": FieldValue.increment(1)])
/// ```
///
/// References are equal if they name the same document of the same database. A document can hold a reference as the
/// value of a field.
public final class DocumentReference: Sendable, BlockingAPIProviding {
    let origin: DatabaseOrigin
    let target: Result<DocumentPath, FirestoreError>
    /// The path as it was given, if it is invalid.
    private let text: String
    /// The database that a stored reference names, if it is not this one.
    let foreign: DatabaseID?

    init(_ origin: DatabaseOrigin, _ path: DocumentPath, foreign: DatabaseID? = nil) {
        self.origin = origin
        target = .success(path)
        text = ""
        self.foreign = foreign
    }

    convenience init(_ database: Database, _ path: DocumentPath, foreign: DatabaseID? = nil) {
        self.init(DatabaseOrigin(database), path, foreign: foreign)
    }

    init(
        _ origin: DatabaseOrigin, under parent: Result<CollectionPath?, FirestoreError>, _ path: String
    ) {
        self.origin = origin
        foreign = nil
        text = path
        target = Result(deferring: { () throws(FirestoreError) in
            let collection = try parent.get()
            let parent = collection?.resource ?? .root
            guard !path.isEmpty else { throw .invalidArgument("Document path cannot be empty.") }
            let resource = ResourcePath(segments: parent.segments + (try ResourcePath.segments(of: path)).segments)
            guard resource.count % 2 == 0, !resource.isEmpty else {
                throw .invalidArgument(
                    "Invalid document reference. Document references must have an even number of segments, "
                        + "but \(resource) has \(resource.count)")
            }
            return DocumentPath(resource)
        })
    }

    /// A reference that was stored in a field.
    convenience init(_ reference: Reference, in database: Database) {
        let isOwn = (try? database.identity()) == reference.database
        self.init(database, DocumentPath(reference.path), foreign: isOwn ? nil : reference.database)
    }

    /// The database of the reference.
    public var firestore: Database { origin.database }

    /// The last segment of the path.
    public var documentID: String { target.success?.id.string ?? text }

    /// The path from the root of the database: `cities/SF`.
    public var path: String { target.success?.description ?? text }

    /// The collection that holds the document.
    public var parent: CollectionReference {
        switch target {
        case .success(let path): CollectionReference(firestore, path.collection)
        case .failure(let error): CollectionReference(firestore, failure: error, text: text)
        }
    }

    /// Returns a reference to a collection under this document; see ``Database/collection(_:)``.
    public func collection(_ collectionPath: String) -> CollectionReference {
        CollectionReference(firestore, under: target.map { $0 }, collectionPath)
    }

    /// The path. Throws if it is invalid or belongs to another database.
    func own() throws(FirestoreError) -> DocumentPath {
        let path = try target.get()
        guard let foreign else { return path }
        let identity = try firestore.identity()
        throw .invalidArgument(
            "Document Reference is for database \(foreign.project)/\(foreign.database) but should be for database "
                + "\(identity.project)/\(identity.database)")
    }

    /// The form that is stored in a field.
    func stored() throws(FirestoreError) -> Reference {
        let path = try target.get()
        if let foreign { return Reference(database: foreign, path: path.resource) }
        return Reference(database: try firestore.identity(), path: path.resource)
    }
}

extension DocumentReference: Hashable {
    /// Whether both name the same document of the same database object.
    public static func == (lhs: DocumentReference, rhs: DocumentReference) -> Bool {
        guard lhs.firestore === rhs.firestore, lhs.foreign == rhs.foreign else { return false }
        return switch (lhs.target, rhs.target) {
        case (.success(let left), .success(let right)): left == right
        case (.failure, .failure): lhs.text == rhs.text
        default: false
        }
    }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(firestore))
        hasher.combine(target.success)
    }
}

extension DocumentReference: CustomStringConvertible {
    /// The path.
    public var description: String { path }
}
