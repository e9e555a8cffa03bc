// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOHTTP1

    /// The REST API: the same calls as those of gRPC, in JSON.
    struct RESTMethods: Sendable {
        let service: FirestoreService

        func answer(_ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            guard let name = try RESTMethods.name(request.segments) else { return responder.refuse() }
            // A token that is none is refused whatever the request.
            _ = try request.credentials
            let isDocument = name.path.count % 2 == 0
            let isRoot = name.path.isEmpty
            switch (request.method, request.verb) {
            case (.GET, nil) where isDocument && !isRoot: try await getDocument(name, request, responder)
            case (.GET, nil): try await listDocuments(name, request, responder)
            case (.POST, nil) where !isRoot: try await createDocument(name, request, responder)
            case (.PATCH, nil) where !isRoot: try await updateDocument(name, request, responder)
            case (.DELETE, nil) where !isRoot: try await deleteDocument(name, request, responder)
            case (.POST, "batchGet") where isRoot: try await batchGet(name.database, request, responder)
            case (.POST, "beginTransaction") where isRoot: try await beginTransaction(name.database, request, responder)
            case (.POST, "commit") where isRoot: try await commit(name.database, request, responder)
            case (.POST, "rollback") where isRoot: try await rollback(name.database, request, responder)
            case (.POST, "batchWrite") where isRoot: try await batchWrite(name.database, request, responder)
            case (.POST, "executePipeline") where isRoot: throw RequestError.pipeline
            case (.POST, "runQuery"): try await runQuery(name, request, responder)
            case (.POST, "runAggregationQuery"): try await runAggregationQuery(name, request, responder)
            case (.POST, "partitionQuery"): try await partitionQuery(name, request, responder)
            case (.POST, "listCollectionIds"): try await listCollectionIDs(name, request, responder)
            default: responder.refuse()
            }
        }

        /// The name in `v1/projects/P/databases/D/documents/…`; nil if the path has another form.
        private static func name(_ segments: [String]) throws(RequestError) -> ResourceName? {
            guard segments.count >= 6, segments[1] == "projects", segments[3] == "databases",
                segments[5] == "documents"
            else { return nil }
            guard !segments[2].isEmpty, !segments[4].isEmpty else {
                throw .invalid("Invalid database name: it has the form projects/P/databases/D.")
            }
            let path = segments.dropFirst(6)
            guard path.allSatisfy({ !$0.isEmpty && !$0.contains("/") }) else {
                throw .invalid("Invalid path (\(path.joined(separator: "/"))). IDs are not empty and have no slash.")
            }
            return ResourceName(
                database: DatabaseID(project: Text(segments[2]), database: Text(segments[4])),
                path: ResourcePath(segments: path.map { Text($0) }))
        }
    }

    extension ResourceName {
        /// The full name, for messages.
        var text: String { Reference(database: database, path: path).resourceName }
    }
#endif
