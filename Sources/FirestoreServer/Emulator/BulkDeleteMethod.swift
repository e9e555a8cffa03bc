// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import QueryPlanner

    extension EmulatorMethods {
        /// Deletes the documents of all collections with some IDs, wherever they are, or of the whole database.
        func bulkDelete(
            _ id: DatabaseID?, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let object = try request.object(keys: ["name", "database", "collectionIds", "namespaceIds"])
            let database = try await service.databases.database(try object.database(or: id))
            let groups = try object.list("collectionIds").compactMap(\.string)
            let namespaces = try object.list("namespaceIds")
            guard !groups.isEmpty || !namespaces.isEmpty else {
                throw RequestError(.failedPrecondition, "collection_ids and namespace_ids cannot both be empty.")
            }
            // There is one namespace, which is empty.
            let deletesAll = groups.isEmpty && namespaces.contains { $0.string == "" }
            try await onThread {
                if deletesAll { try database.engine.deleteDocuments() }
                for group in groups { try database.deleteGroup(Text(group)) }
            }
            responder.sendEmptyObject()
        }
    }

    extension RequestObject {
        /// The database that the body names, else that of the path.
        func database(or path: DatabaseID?) throws(RequestError) -> DatabaseID {
            if let name = try text("database") { return try ResourceName.database(name) }
            guard let path else {
                throw .invalid("The body names the database: {\"database\":\"projects/P/databases/D\"}.")
            }
            return path
        }
    }

    extension ServedDatabase {
        /// In commits of many documents, but not of many bytes: a commit holds what it deletes.
        func deleteGroup(_ group: Text) throws(RequestError) {
            let query = Query(from: CollectionSelector(collectionID: group, allDescendants: true), limit: 1_000)
            do {
                while true {
                    let found = try engine.run(.documents(query), byteGoal: 4 << 20)
                    let writes = try found.records.map { Write(try $0.path(), .delete) }
                    guard !writes.isEmpty else { return }
                    _ = try engine.commit(writes)
                }
            } catch let error as QueryError {
                throw RequestError(error, in: self)
            } catch let error as EngineError {
                throw RequestError(error)
            } catch {
                throw RequestError(.unknown, "\(error)")
            }
        }
    }
#endif
