// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import BulkMove
    package import DocumentModel
    internal import QueryPlanner
    package import SyncCore

    extension FirestoreClient: BulkServer {
        package func batchWrite(_ writes: [Write]) async throws(SyncError) -> [Result<
            WriteResult, SyncError
        >] {
            try await batchWrite(writes, within: FirestoreClient.timeout)
        }

        /// The time of a read of a document that nobody has.
        package func now() async throws(SyncError) -> Timestamp {
            let path = CollectionPath(ResourcePath(segments: ["hearth-pull"])).document("time")
            let document = try await documents(at: [path]).first
            guard let version = document?.version, version != .noVersion else {
                throw SyncError(.internal, "The server does not tell its time.")
            }
            return version
        }

        package func documents(
            after path: DocumentPath?, limit: Int, at time: Timestamp
        ) async throws(SyncError) -> [SyncDocument] {
            try await documents(after: path, limit: limit, at: time, projection: nil)
        }

        package func versions(
            after path: DocumentPath?, limit: Int, at time: Timestamp
        ) async throws(SyncError) -> [SyncDocument] {
            try await documents(after: path, limit: limit, at: time, projection: [.documentName])
        }

        package func documents(
            at paths: [DocumentPath], _ time: Timestamp
        ) async throws(SyncError) -> [SyncDocument] {
            try await documents(at: paths, readTime: time)
        }

        private func documents(
            after path: DocumentPath?, limit: Int, at time: Timestamp, projection: [FieldPath]?
        ) async throws(SyncError) -> [SyncDocument] {
            let query = Query(ofAllDocumentsAfter: path, limit: limit, in: database, projection: projection)
            let rows = try await rows(of: query, at: time)
            var documents: [SyncDocument] = []
            while let document = try await rows.next() { documents.append(document) }
            return documents
        }
    }
#endif
