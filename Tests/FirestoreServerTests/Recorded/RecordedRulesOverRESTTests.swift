// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import Foundation
    import JSONText
    import SecurityRules
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Answers of the official emulator to requests under rules, asked again over REST: rules, documents and request as they were
    /// sent then. The debug round asks one in ten.
    @Suite struct RecordedRulesOverRESTTests {
        /// The emulator fails itself (a group that a replacement names and the pattern lacks), or accepts what Hearth does not
        /// check: a document that a commit writes and then verifies.
        private static let differing: Set = ["string2-0035", "batch-029"]

        @Test func requests() async throws {
            guard let data = Locations.sharedData("RecordedRulesOverRESTTests") else { return }
            let folder = data.appending(path: "rules")
            let fixtures = try RESTRuleCase.object(try Data(contentsOf: folder.appending(path: "fixtures.json")))
            let lines = try String(contentsOf: folder.appending(path: "cases.ndjson"), encoding: .utf8)
                .split(separator: "\n")
            let server = try TestServer { $0.mode = .permissive }
            var (count, sameMessage) = (0, 0)
            for (number, line) in lines.enumerated() where number % Rounds.share == 0 {
                let test = RESTRuleCase(try RESTRuleCase.object(Data(line.utf8)), fixtures)
                guard test.hasRequest, !Self.differing.contains(test.id) else { continue }
                let (status, message) = try await test.answer(of: server)
                #expect(status == test.expectedStatus, "\(test.id): \(message)")
                count += 1
                if status != "PERMISSION_DENIED" || message == test.expectedMessage { sameMessage += 1 }
            }
            print("rules: \(count) recorded requests over REST, \(sameMessage) with the emulator's message")
            #expect(count > 900)
            // Messages differ where they depend on the order in which the emulator reads documents.
            #expect(sameMessage * 1000 >= count * 995)
        }
    }

    /// A recorded case and the REST requests that ask it.
    private struct RESTRuleCase {
        typealias Object = [String: Any]

        let id: String
        private let rules: String
        private let documents: Object
        private let request: Object
        private let expected: Object

        init(_ object: Object, _ fixtures: Object) {
            id = object["id"] as? String ?? ""
            let expression = (object["expr"] as? String).map(Self.frame)
            rules = object["rules"] as? String ?? expression ?? ""
            let own = object["documents"] as? Object ?? [:]
            documents = (own["$fixture"] as? String).flatMap { fixtures[$0] as? Object } ?? own
            request = object["request"] as? Object ?? [:]
            expected = object["expect"] as? Object ?? [:]
        }

        static func object(_ data: Data) throws -> Object {
            try JSONSerialization.jsonObject(with: data) as? Object ?? [:]
        }

        private static func frame(_ condition: String) -> String {
            ServedRules.frame("    match /c/{id} {\n      allow get: if \(condition);\n    }")
        }

        var hasRequest: Bool { !request.isEmpty }
        var expectedStatus: String { expected["status"] as? String ?? "" }
        var expectedMessage: String { expected["message"] as? String ?? "" }

        /// The status, and the message of an error.
        func answer(of server: TestServer) async throws -> (String, String) {
            _ = try await server.http("DELETE", "/emulator/v1/\(Names.demo)/documents")
            let writes = documents.map { ["update": ["name": Self.name($0.key), "fields": $0.value]] }
            for start in stride(from: 0, to: writes.count, by: 500) {
                let some = Array(writes[start..<min(start + 500, writes.count)])
                _ = try await Self.send(server, "POST", ":commit", ["writes": some], "Bearer owner")
            }
            let file = ["files": [["name": "r", "content": rules]]]
            let set = try await server.http(
                "PUT", "/emulator/v1/projects/demo:securityRules", try Self.text(["rules": file]))
            guard set.status == 200 else { return ("COMPILE", set.error?.message ?? "") }
            let reply = try await ask(server)
            return (reply.error?.status ?? "OK", reply.error?.message ?? "")
        }

        private func ask(_ server: TestServer) async throws -> HTTPReply {
            let path = request["path"] as? String ?? ""
            let parent = (request["parent"] as? String).map { $0.isEmpty ? "" : "/\($0)" } ?? ""
            let query = request["query"] ?? Object()
            switch request["method"] as? String ?? "" {
            case "get": return try await send(server, "GET", "/\(path)")
            case "list": return try await send(server, "POST", "\(parent):runQuery", ["structuredQuery": query])
            case "count":
                let aggregations = request["aggregations"] ?? [["alias": "n", "count": Object()]]
                let aggregation = ["structuredQuery": query, "aggregations": aggregations]
                return try await send(
                    server, "POST", "\(parent):runAggregationQuery", ["structuredAggregationQuery": aggregation])
            case "listdocs":
                return try await send(server, "GET", "/\(path)?\(request["params"] as? String ?? "")")
            case "batchget": return try await send(server, "POST", ":batchGet", ["documents": names("paths")])
            case "createDocument":
                let id = request["documentId"] as? String ?? ""
                return try await send(
                    server, "POST", "/\(path)?documentId=\(id)", ["fields": request["data"] ?? Object()])
            case "patch":
                return try await send(server, "PATCH", "/\(path)", ["fields": request["data"] ?? Object()])
            case "deleteDocument": return try await send(server, "DELETE", "/\(path)")
            case "batchwrite": return try await send(server, "POST", ":batchWrite", ["writes": writes()])
            case "transaction": return try await transaction(server)
            default: return try await send(server, "POST", ":commit", ["writes": writes()])
            }
        }

        private func transaction(_ server: TestServer) async throws -> HTTPReply {
            let begun = try await send(server, "POST", ":beginTransaction", [:])
            let transaction = begun.object["transaction"] as? String ?? ""
            for name in names("reads") {
                let body: Object = ["documents": [name], "transaction": transaction]
                let read = try await send(server, "POST", ":batchGet", body)
                if read.status != 200 { return read }
            }
            return try await send(server, "POST", ":commit", ["writes": writes(), "transaction": transaction])
        }

        private func writes() -> [Object] {
            guard let list = request["writes"] as? [Object] else {
                return [
                    RESTRuleWrite.make(request["method"] as? String ?? "", request["path"] as? String ?? "", request)
                ]
            }
            return list.compactMap { write in
                let kind = ["set", "merge", "update", "create", "delete", "verify"].first { write[$0] != nil }
                return kind.map { RESTRuleWrite.make($0, write[$0] as? String ?? "", write) }
            }
        }

        private func names(_ key: String) -> [String] { (request[key] as? [String] ?? []).map(Self.name) }

        static func name(_ path: String) -> String {
            path.hasPrefix("projects/") ? path : "\(Names.demo)/documents/\(path)"
        }

        private var authorization: String? {
            if request["auth"] as? String == "owner" { return "Bearer owner" }
            guard var claims = request["auth"] as? Object else { return nil }
            if let uid = claims.removeValue(forKey: "uid") { (claims["sub"], claims["user_id"]) = (uid, uid) }
            let standard: Object = [
                "iss": "https://securetoken.google.com/demo", "aud": "demo", "iat": 0, "exp": 9_999_999_999,
                "auth_time": 0, "firebase": ["sign_in_provider": "custom", "identities": Object()],
            ]
            let all = standard.merging(claims) { _, own in own }
            return Tokens.of((try? JSONSerialization.data(withJSONObject: all)) ?? Data())
        }

        private func send(
            _ server: TestServer, _ method: String, _ path: String, _ body: Object? = nil
        ) async throws -> HTTPReply {
            try await Self.send(server, method, path, body, authorization)
        }

        private static func send(
            _ server: TestServer, _ method: String, _ path: String, _ body: Object?, _ authorization: String?
        ) async throws -> HTTPReply {
            try await server.http(
                method, "/v1/\(Names.demo)/documents\(path)", try body.map(text) ?? "",
                headers: authorization.map { [("authorization", $0)] } ?? [])
        }

        private static func text(_ object: Object) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }
    }

    /// The REST form of a recorded write.
    private enum RESTRuleWrite {
        typealias Object = [String: Any]

        static func make(_ kind: String, _ path: String, _ node: Object) -> Object {
            var write: Object = [:]
            let fields = node["data"] as? Object ?? [:]
            switch kind {
            case "delete", "verify": write[kind] = RESTRuleCase.name(path)
            default:
                write["update"] = ["name": RESTRuleCase.name(path), "fields": fields]
                if let mask = node["mask"] as? [String] ?? mask(kind, fields) {
                    write["updateMask"] = ["fieldPaths": mask]
                }
                if kind == "update" { write["currentDocument"] = ["exists": true] }
                if kind == "create" { write["currentDocument"] = ["exists": false] }
                if let transforms = node["transforms"] { write["updateTransforms"] = transforms }
            }
            if let precondition = node["precondition"] ?? node["currentDocument"] {
                write["currentDocument"] = precondition
            }
            return write
        }

        private static func mask(_ kind: String, _ fields: Object) -> [String]? {
            switch kind {
            case "update": fields.keys.map { FieldPath(name: Text($0)).wire }
            case "merge": leaves(fields, []).map(\.wire)
            default: nil
            }
        }

        private static func leaves(_ fields: Object, _ prefix: [Text]) -> [FieldPath] {
            fields.flatMap { name, value in
                let map = (value as? Object)?["mapValue"] as? Object
                if let inner = map?["fields"] as? Object, !inner.isEmpty { return leaves(inner, prefix + [Text(name)]) }
                return [FieldPath(prefix + [Text(name)])]
            }
        }
    }
#endif
