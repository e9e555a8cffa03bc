// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText

    extension RESTMethods {
        func getDocument(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let path = try name.document(name.text)
            let mask = try request.mask("mask")
            let snapshot = try await service.snapshot(
                of: name.database, try request.consistency(), for: try request.credentials,
                reading: .documents([path]))
            let record = try service.getDocument(path, at: snapshot)
            let document = try record.document(mask)
            var writer = JSONWriter()
            writer.write(document, in: name.database)
            writer.newline()
            responder.sendJSON(writer.bytes)
        }

        func listDocuments(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let segments = name.path.segments
            let parent = ResourceName(
                database: name.database, path: ResourcePath(segments: Array(segments.dropLast(segments.count % 2))))
            let list = ListRequest(
                parent: try parent.parent(parent.text), collectionID: segments.count % 2 == 1 ? segments.last : nil,
                pageSize: try request.number("pageSize") ?? 0, pageToken: request.parameter("pageToken") ?? "",
                orderBy: request.parameter("orderBy") ?? "", showsMissing: try request.boolean("showMissing") ?? false)
            let mask = try request.mask("mask")
            let page = try service.listDocuments(
                list,
                at: try await service.snapshot(
                    of: name.database, try request.consistency(), for: try request.credentials,
                    reading: try list.read))
            try responder.sendObject { (writer) throws(RequestError) in
                if !page.documents.isEmpty {
                    writer.key("documents")
                    writer.beginArray()
                    for document in page.documents {
                        try writer.write(document.path, document.record, mask, in: name.database)
                    }
                    writer.endArray()
                }
                if !page.nextPageToken.isEmpty { writer.write("nextPageToken", page.nextPageToken) }
            }
        }

        func batchGet(
            _ database: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws {
            let object = try request.object(
                keys: ["database", "documents", "mask", "transaction", "newTransaction", "readTime", "requestOptions"])
            try object.check("database", is: database.resourceName)
            var paths: [DocumentPath] = []
            for name in try object.list("documents") {
                paths.append(try DocumentPath(named: name.string ?? "", in: database))
            }
            let mask = try object.mask()
            let snapshot = try await service.snapshot(
                of: database, try object.consistency(), for: try request.credentials, reading: .documents(paths))
            var array = JSONArrayStream(responder)
            if let transaction = snapshot.newTransaction {
                try await array.send { $0.write("transaction", transaction) }
            }
            try await service.batchGetDocuments(paths, at: snapshot) { found in
                for (path, record) in found {
                    try await array.send { (writer) throws(RequestError) in
                        if let record {
                            writer.key("found")
                            writer.write(try record.document(mask), in: database)
                        } else {
                            writer.write("missing", path.name(in: database))
                        }
                        writer.write("readTime", snapshot.time.description)
                    }
                }
            }
            try await array.end()
        }

        func listCollectionIDs(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let object = try request.object(keys: ["pageSize", "pageToken", "readTime", "requestOptions"])
            let (ids, token) = try service.listCollectionIDs(
                under: try name.parent(name.text), pageSize: try object.number("pageSize") ?? 0,
                pageToken: try object.text("pageToken") ?? "",
                at: try await service.snapshot(
                    of: name.database, try object.consistency(), for: try request.credentials, reading: .metadata))
            try responder.sendObject { (writer) throws(RequestError) in
                if !ids.isEmpty {
                    writer.key("collectionIds")
                    writer.beginArray()
                    for id in ids { writer.string(id.string) }
                    writer.endArray()
                }
                if !token.isEmpty { writer.write("nextPageToken", token) }
            }
        }
    }

    extension HTTPRequest {
        /// The mask in the parameters of this name; nil without one. As in the emulator, `mask=a` means `mask.fieldPaths=a`.
        func mask(_ name: String) throws(RequestError) -> [FieldPath]? {
            let values = values(name) + values("\(name).fieldPaths")
            guard !values.isEmpty else { return nil }
            return try [FieldPath](maskPaths: values)
        }

        func number(_ name: String) throws(RequestError) -> Int? {
            guard let text = parameter(name) else { return nil }
            guard let number = Int(text) else { throw .invalid("The parameter \(name) is a number, not \"\(text)\".") }
            return number
        }

        func boolean(_ name: String) throws(RequestError) -> Bool? {
            switch parameter(name) {
            case "true": return true
            case "false": return false
            case nil: return nil
            case let text?: throw .invalid("The parameter \(name) is true or false, not \"\(text)\".")
            }
        }

        /// The state that the parameters name.
        func consistency() throws(RequestError) -> Consistency {
            let time = parameter("readTime")
            if let id = parameter("transaction") {
                guard time == nil else {
                    throw .invalid(
                        "Invalid value (oneof), oneof field 'consistency_selector' is already set. "
                            + "Cannot set 'readTime'")
                }
                guard let bytes = Base64.decode(id) else { throw .invalid("Invalid transaction.") }
                return .transaction(bytes)
            }
            if let time { return .readTime(try Timestamp(readTime: time)) }
            return .latest
        }
    }

    extension JSONWriter {
        fileprivate mutating func write(
            _ path: DocumentPath, _ record: DocumentRecord?, _ mask: [FieldPath]?, in database: DatabaseID
        ) throws(RequestError) {
            if let record { return write(try record.document(mask), in: database) }
            beginObject()
            write("name", path.name(in: database))
            endObject()
        }
    }
#endif
