// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    extension FirestoreService {
        /// CreateDocument.
        ///
        /// - Parameter documentID: nil for an ID of the server's choice.
        func createDocument(
            _ fields: Fields, in collection: CollectionPath, documentID: Text?, of id: DatabaseID,
            by credentials: Credentials
        ) async throws(RequestError) -> Document {
            guard documentID?.string.utf8.contains(UInt8(ascii: "/")) != true else {
                throw .invalid("Document id \"\(documentID!)\" is invalid because it contains \"/\".")
            }
            let path = collection.document(documentID ?? Text(AutoID.make()))
            do throws(DocumentFormError) {
                try path.resource.validate(writing: true, database: id)
            } catch {
                throw RequestError(error)
            }
            let write = Write(path, .update(fields, mask: nil, transforms: []), precondition: .exists(false))
            return try await apply(write, of: id, by: credentials)
        }

        /// UpdateDocument: creates the document if it is missing and no precondition forbids it.
        func updateDocument(
            _ path: DocumentPath, _ fields: Fields, mask: [FieldPath]?, precondition: Precondition?, of id: DatabaseID,
            by credentials: Credentials
        ) async throws(RequestError) -> Document {
            try await apply(
                Write(path, .update(fields, mask: mask, transforms: []), precondition: precondition), of: id,
                by: credentials)
        }

        /// DeleteDocument.
        func deleteDocument(
            _ path: DocumentPath, precondition: Precondition?, of id: DatabaseID, by credentials: Credentials
        ) async throws(RequestError) {
            let write = Write(path, .delete, precondition: precondition)
            _ = try await commit([write], transaction: nil, in: id, by: credentials)
        }

        /// Makes a write, and reads the document as the write left it, which rules do not judge and nobody is billed for.
        private func apply(
            _ write: Write, of id: DatabaseID, by credentials: Credentials
        ) async throws(RequestError) -> Document {
            let result = try await commit([write], transaction: nil, in: id, by: credentials)
            let snapshot = Snapshot(try await databases.database(id), at: result.commitTime)
            guard let record = try snapshot.documents([write.path], areCounted: false)[0] else {
                throw RequestError(.unknown, "The document was written, but is not there.")
            }
            return try record.whole()
        }
    }

    extension RequestError {
        static let nameOfNewDocument = RequestError.invalid(
            "A document that is created has no name: its parent, its collection and the document ID of the request say it."
        )
    }
#endif
