// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    extension FirestoreService {
        /// GetDocument.
        func getDocument(_ path: DocumentPath, at snapshot: Snapshot) throws(RequestError) -> DocumentRecord {
            guard let record = try snapshot.document(path) else {
                throw RequestError(.notFound, "Document \"\(path.name(in: snapshot.database.id))\" not found.")
            }
            return record
        }

        /// BatchGetDocuments: calls `send` with each document, once if it is named twice; nil for a missing one.
        func batchGetDocuments(
            _ paths: [DocumentPath], at snapshot: Snapshot,
            _ send: ([(path: DocumentPath, record: DocumentRecord?)]) async throws -> Void
        ) async throws {
            var seen: Set<DocumentPath> = []
            let wanted = paths.filter { seen.insert($0).inserted }
            var start = 0
            while start < wanted.count {
                let slice = Array(wanted[start..<min(start + FirestoreService.sliceSize, wanted.count)])
                let records = try snapshot.documents(slice, byteGoal: FirestoreService.byteGoal)
                try await send(Array(zip(slice, records)).map { (path: $0.0, record: $0.1) })
                start += records.count
            }
        }

        /// Documents that are read, and held in memory, at a time.
        private static let sliceSize = 100
        /// The bytes of documents that are enough for a part of an answer.
        static let byteGoal = 1 << 20
    }
#endif
