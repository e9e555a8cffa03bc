// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import QueryPlanner

    extension RESTMethods {
        func createDocument(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws {
            let parent = ResourceName(
                database: name.database, path: ResourcePath(segments: Array(name.path.segments.dropLast())))
            _ = try parent.parent(parent.text)
            let collection = CollectionPath(name.path)
            let mask = try request.mask("mask")
            let fields = try RESTMethods.fields(request, name.database) { (body) throws(RequestError) in
                guard try (body.text("name") ?? "").isEmpty else { throw .nameOfNewDocument }
            }
            let document = try await service.createDocument(
                fields, in: collection,
                documentID: request.parameter("documentId").flatMap { $0.isEmpty ? nil : Text($0) },
                of: name.database, by: try request.credentials)
            send(document.cut(to: mask), name.database, responder)
        }

        func updateDocument(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws {
            // Before the write, as an error must leave nothing behind.
            let mask = try request.mask("mask")
            let fields = try RESTMethods.fields(request, name.database) { (body) throws(RequestError) in
                try body.check("name", is: name.text)
            }
            let document = try await service.updateDocument(
                try name.document(name.text), fields,
                mask: try request.mask("updateMask"), precondition: try request.precondition(),
                of: name.database, by: try request.credentials)
            send(document.cut(to: mask), name.database, responder)
        }

        func deleteDocument(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws {
            try await service.deleteDocument(
                try name.document(name.text), precondition: try request.precondition(),
                of: name.database, by: try request.credentials)
            responder.sendEmptyObject()
        }

        func commit(_ database: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            let object = try request.object(keys: ["database", "writes", "transaction", "requestOptions"])
            try object.check("database", is: database.resourceName)
            var transaction: [UInt8]?
            // No transaction has the empty ID: it means none, here only.
            if case .transaction(let id) = try object.consistency(), !id.isEmpty { transaction = id }
            let result = try await service.commit(
                try RESTMethods.writes(object, database), transaction: transaction, in: database,
                by: try request.credentials)
            try responder.sendObject { (writer) throws(RequestError) in
                guard !result.results.isEmpty else { return }
                writer.writeResults(result.results)
                writer.write("commitTime", result.commitTime.description)
            }
        }

        func batchWrite(_ database: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            let object = try request.object(keys: ["database", "writes", "labels", "requestOptions"])
            try object.check("database", is: database.resourceName)
            let results = try await service.batchWrite(
                try RESTMethods.writes(object, database), in: database, by: try request.credentials)
            try responder.sendObject { (writer) throws(RequestError) in
                guard !results.isEmpty else { return }
                writer.key("writeResults")
                writer.beginArray()
                for result in results {
                    writer.write((try? result.get()) ?? WriteResult(updateTime: nil, transformResults: []))
                }
                writer.endArray()
                writer.key("status")
                writer.beginArray()
                for result in results { writer.writeStatus(of: result) }
                writer.endArray()
            }
        }

        func beginTransaction(
            _ database: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let object = try request.object(keys: ["database", "options", "requestOptions"])
            try object.check("database", is: database.resourceName)
            let options = try object.member("options", keys: ["readOnly", "readWrite"])
            let isChosen = options?["readOnly"] != nil || options?["readWrite"] != nil
            let mode = isChosen ? try TransactionMode(options!) : .readWrite(retrying: nil)
            let id = try await service.beginTransaction(mode, in: database)
            try responder.sendObject { (writer) throws(RequestError) in writer.write("transaction", id) }
        }

        func rollback(
            _ database: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let object = try request.object(keys: ["database", "transaction", "requestOptions"])
            try object.check("database", is: database.resourceName)
            guard case .transaction(let id) = try object.consistency() else { throw .invalid("Invalid transaction.") }
            try await service.rollback(id, in: database)
            responder.sendEmptyObject()
        }

        private func send(_ document: Document, _ database: DatabaseID, _ responder: HTTPResponder) {
            var writer = JSONWriter()
            writer.write(document, in: database)
            writer.newline()
            responder.sendJSON(writer.bytes)
        }

        /// The fields of the document in the body, whose name is in the URL.
        private static func fields(
            _ request: HTTPRequest, _ database: DatabaseID, _ checkName: (RequestObject) throws(RequestError) -> Void
        ) throws(RequestError) -> Fields {
            let object = try request.object(keys: ["name", "fields", "createTime", "updateTime"])
            try checkName(object)
            guard let fields = object["fields"] else { return .empty }
            do throws(DocumentFormError) {
                return try ValueJSON.readFields(fields, .full(in: database))
            } catch {
                throw RequestError(error)
            }
        }

        private static func writes(_ object: RequestObject, _ database: DatabaseID) throws(RequestError) -> [Write] {
            guard let writes = object["writes"] else { return [] }
            do throws(DocumentFormError) {
                return try WriteJSON.read(writes, .full(in: database))
            } catch {
                throw RequestError(error)
            }
        }
    }

    extension HTTPRequest {
        fileprivate func precondition() throws(RequestError) -> Precondition? {
            let exists = try boolean("currentDocument.exists")
            guard let time = parameter("currentDocument.updateTime") else { return exists.map { .exists($0) } }
            guard exists == nil else {
                throw .invalid("currentDocument has either \"exists\" or \"updateTime\", not both.")
            }
            guard let time = Timestamp(rfc3339: time) else {
                throw .invalid("The parameter currentDocument.updateTime is a time, not \"\(time)\".")
            }
            return .updateTime(time)
        }
    }

    extension JSONWriter {
        fileprivate mutating func writeStatus(of result: Result<WriteResult, RequestError>) {
            beginObject()
            if case .failure(let error) = result {
                key("code")
                integer(Int64(error.status.rawValue))
                write("message", error.message)
            }
            endObject()
        }
    }
#endif
