// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    extension EmulatorMethods {
        /// Deletes all documents of a database, or those at and below a path.
        func clear(_ id: DatabaseID, below path: [Text], _ responder: HTTPResponder) async throws(RequestError) {
            let database = try await service.databases.database(id)
            try await onThread {
                if path.isEmpty {
                    try database.engine.clear()
                    database.forgetTransactions()
                } else {
                    try database.engine.deleteDocuments(under: ResourcePath(segments: path))
                }
            }
            responder.sendEmptyObject()
        }
    }
#endif
