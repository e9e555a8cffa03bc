// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import QueryPlanner

    extension ListenRequest {
        /// Reads a message of a channel.
        init(json: [UInt8]) throws(RequestError) {
            let object = try RequestObject(json: json, keys: ["database", "addTarget", "removeTarget", "labels"])
            database = try object.text("database") ?? ""
            try object.requireOneSet(of: ["addTarget", "removeTarget"], oneof: "target_change")
            if let target = try object.member("addTarget", keys: Target.keys) {
                change = .add(try Target(target))
            } else if let id = try object.id("removeTarget") {
                change = .remove(id)
            }
        }
    }

    extension ListenRequest.Target {
        fileprivate static let keys = [
            "query", "documents", "resumeToken", "readTime", "targetId", "once", "expectedCount",
        ]

        fileprivate init(_ object: RequestObject) throws(RequestError) {
            try object.requireOneSet(of: ["query", "documents"], oneof: "target_type")
            try object.requireOneSet(of: ["resumeToken", "readTime"], oneof: "resume_type")
            id = try object.id("targetId") ?? 0
            isOnce = try object.flag("once")
            resumption = .none
            if let text = try object.text("resumeToken"), !text.isEmpty {
                // What is not base64 is no token either.
                resumption = .token(Base64.decode(text) ?? [])
            } else if let text = try object.text("readTime") {
                resumption = .readTime(Result { () throws(RequestError) in try Timestamp(resumeTime: text) })
            }
            if let target = try object.member("query", keys: ["parent", "structuredQuery"]) {
                selection = .query(parent: try target.text("parent") ?? "", ListenRequest.query(target))
            } else if let target = try object.member("documents", keys: ["documents"]) {
                selection = .documents(try target.list("documents").map { $0.string ?? "" })
            }
        }
    }

    extension ListenRequest {
        fileprivate static func query(
            _ target: RequestObject
        ) -> @Sendable (DocumentPath?, DatabaseID) throws(RequestError) -> Query {
            { (parent, database) throws(RequestError) in
                do throws(InvalidQueryError) {
                    guard case .documents(let query) = try QueryJSON.read(target, under: parent, database: database)
                    else { throw InvalidQueryError("A target's query has a \"structuredQuery\".") }
                    return query
                } catch {
                    throw RequestError(error)
                }
            }
        }
    }

    extension WriteRequest {
        /// Reads a message of a channel.
        init(json: [UInt8]) throws(RequestError) {
            let object = try RequestObject(
                json: json, keys: ["database", "streamId", "streamToken", "writes", "labels"])
            database = try object.text("database") ?? ""
            let writes = try object.list("writes")
            let id = try object.text("streamId")
            let token = try object.text("streamToken")
            continues = !writes.isEmpty || id != nil || token != nil
            self.writes = { (database) throws(RequestError) in
                do throws(DocumentFormError) {
                    return try WriteJSON.read(JSONNode(.array(writes)), .full(in: database))
                } catch {
                    throw RequestError(error)
                }
            }
        }
    }

    extension RequestObject {
        fileprivate init(json: [UInt8], keys: [String]) throws(RequestError) {
            guard json.count <= RequestLimits.size else { throw RequestLimits.tooLarge }
            let node: JSONNode
            do throws(JSONSyntaxError) { node = try JSONParser.parse(json) } catch {
                throw .invalid("Invalid JSON payload received. \(error.message)")
            }
            do throws(InvalidQueryError) { self = try RequestObject(node, place: "", keys: keys) } catch {
                throw RequestError(error)
            }
        }

        fileprivate func id(_ key: String) throws(RequestError) -> Int32? {
            do throws(InvalidQueryError) {
                return try integer(key, type: "TYPE_INT32", in: Int64(Int32.min)...Int64(Int32.max)).map { Int32($0) }
            } catch {
                throw RequestError(error)
            }
        }

        fileprivate func flag(_ key: String) throws(RequestError) -> Bool {
            do throws(InvalidQueryError) { return try boolean(key) } catch { throw RequestError(error) }
        }
    }
#endif
