// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A reference to a collection: a query for all of its documents, and the place where new ones are added.
///
/// ```swift
/// let city = try await database.collection("cities").addDocument(data: ["name": "Tokyo"])
/// print(city.documentID)
/// ```
public final class CollectionReference: Query, @unchecked Sendable {  // Immutable.
    let target: Result<CollectionPath, FirestoreError>
    /// The path as it was given, if it is invalid.
    private let text: String

    init(_ database: Database, _ path: CollectionPath) {
        target = .success(path)
        text = ""
        super.init(database, .success(QueryState(collection: path)))
    }

    init(_ database: Database, failure: FirestoreError, text: String) {
        target = .failure(failure)
        self.text = text
        super.init(database, .failure(failure))
    }

    init(_ database: Database, under parent: Result<DocumentPath?, FirestoreError>, _ path: String) {
        text = path
        let target = Result(deferring: { () throws(FirestoreError) in
            let parent = try parent.get()?.resource ?? .root
            guard !path.isEmpty else { throw .invalidArgument("Collection path cannot be empty.") }
            let own = try ResourcePath.segments(of: path)
            let resource = parent.isEmpty ? own : ResourcePath(segments: parent.segments + own.segments)
            guard resource.count % 2 == 1 else {
                throw .invalidArgument(
                    "Invalid collection reference. Collection references must have an odd number of segments, "
                        + "but \(resource) has \(resource.count)")
            }
            return CollectionPath(resource)
        })
        self.target = target
        super.init(database, target.map { QueryState(collection: $0) })
    }

    /// The last segment of the path.
    public var collectionID: String { target.success?.group.string ?? text }

    /// The path from the root of the database: `cities/SF/landmarks`.
    public var path: String { target.success?.description ?? text }

    /// The document that contains the collection; nil for a root collection.
    public var parent: DocumentReference? {
        target.success?.parent.map { DocumentReference(firestore, $0) }
    }

    /// Returns a reference to a new document with a generated ID of 20 letters and digits. Nothing is written.
    public func document() -> DocumentReference { document(AutoID.make()) }

    /// Returns a reference to the document with an ID, or at a path relative to this collection.
    public func document(_ documentPath: String) -> DocumentReference {
        if case .success(let collection) = target, ResourcePath.isOneSegment(documentPath) {
            return DocumentReference(origin, collection.document(Text(documentPath)))
        }
        return DocumentReference(origin, under: target.map { $0 }, documentPath)
    }

    /// Writes a new document with a generated ID.
    ///
    /// - Returns: a reference to the document.
    /// - Throws: as ``DocumentReference/setData(_:)``.
    @discardableResult
    public nonisolated(nonsending) func addDocument(data: [String: Any]) async throws -> DocumentReference {
        let document = document()
        try await document.setData(data)
        return document
    }

    /// Writes a new document with a generated ID, without waiting; see ``DocumentReference/setData(_:completion:)``.
    ///
    /// - Returns: a reference to the document, which may not be written yet.
    @discardableResult
    public func addDocument(
        data: [String: Any], completion: (((any Error)?) -> Void)? = nil
    ) -> DocumentReference {
        let document = document()
        document.setData(data, completion: completion)
        return document
    }
}

extension BlockingAPI where Base == CollectionReference {
    /// The blocking form of ``CollectionReference/addDocument(data:)``.
    @discardableResult
    public func addDocument(data: [String: Any]) throws -> DocumentReference {
        let document = base.document()
        try BlockingAPI<DocumentReference>(base: document).setData(data)
        return document
    }
}
