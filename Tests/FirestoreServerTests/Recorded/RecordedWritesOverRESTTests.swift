// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    /// The write cases recorded from production, sent to the REST interface as they were sent then.
    @Suite struct RecordedWritesOverRESTTests {
        private static let root = "projects/demo-firestore-probe/databases/(default)/documents"

        @Test func writes() async throws {
            guard let data = Locations.sharedData() else { return }
            let url = data.appending(path: "production-2026/writes.ndjson")
            var count = 0
            for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
                let recorded = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                try await run(try #require(Self.expanded(recorded) as? [String: Any]))
                count += 1
            }
            print("production-2026: \(count) write cases run over REST, none skipped")
            #expect(count == 51)
        }

        private func run(_ recorded: [String: Any]) async throws {
            let id = recorded["id"] as? String ?? "?"
            let server = try TestServer()
            for (path, fields) in recorded["before"] as? [String: Any] ?? [:] {
                let made = try await send(server, "PATCH", "/\(path)", ["fields": fields])
                #expect(made.status == 200, "\(id): \(made.text)")
            }
            var writes = try #require(recorded["writes"])
            if let existing = try await send(server, "GET", "/wr/existing", nil).object["updateTime"] {
                writes = Self.replaced(writes, "<its current update time>", existing)
            }
            let reply = try await send(server, "POST", ":commit", ["writes": Self.named(writes)])
            let expect = try #require(recorded["expect"] as? [String: Any])
            if let status = expect["error"] as? String {
                #expect(reply.error?.status == status, "\(id): \(reply.text)")
                if let message = expect["message"] as? String, !Self.isOfTransport(message) {
                    #expect(reply.error.map { Self.withoutPlace($0.message) } == Self.withoutPlace(message), "\(id)")
                }
                return
            }
            #expect(reply.status == 200, "\(id): \(reply.text)")
            for (path, fields) in expect["after"] as? [String: Any] ?? [:] {
                let found = try await send(server, "GET", "/\(path)", nil)
                if fields is NSNull {
                    #expect(found.status == 404, "\(id): \(path)")
                } else {
                    let wanted = Self.withoutTimes(fields)
                    let shown = Self.withoutTimes(found.object["fields"] ?? [String: Any]())
                    #expect(shown == wanted, "\(id): \(path)")
                }
            }
        }

        private func send(
            _ server: TestServer, _ method: String, _ path: String, _ body: [String: Any]?
        ) async throws -> HTTPReply {
            var text = ""
            if let body {
                text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
                text = text.replacing("<request time>", with: "2026-09-06T00:00:00Z")
            }
            let escaped = try #require(
                path.addingPercentEncoding(
                    withAllowedCharacters: CharacterSet.urlPathAllowed.union(CharacterSet(charactersIn: ":"))))
            return try await server.http(method, "/v1/\(Self.root)\(escaped)", text)
        }

        /// Offsets count characters of the sent name, whose project name differs from the recording's.
        private static func withoutPlace(_ message: String) -> String {
            message.replacing(/at index \d+/, with: "at its index")
        }

        /// Messages of production's JSON reader, which are compared by their status.
        private static func isOfTransport(_ message: String) -> Bool {
            message.hasPrefix("Invalid value at") || message.hasPrefix("Invalid JSON payload")
        }

        /// Full names in place of paths.
        private static func named(_ node: Any) -> Any {
            if let array = node as? [Any] { return array.map(named) }
            guard var object = node as? [String: Any] else { return node }
            for key in ["name", "delete", "verify", "document"] {
                if let name = object[key] as? String, !name.hasPrefix("projects/") { object[key] = "\(root)/\(name)" }
            }
            for key in ["update", "transform"] { object[key] = object[key].map(named) }
            return object
        }

        /// `{"$repeat":["x",1048600]}` means a long text.
        private static func expanded(_ node: Any) -> Any {
            if let array = node as? [Any] { return array.map(expanded) }
            guard let object = node as? [String: Any] else { return node }
            if let parts = object["$repeat"] as? [Any], let text = parts[0] as? String, let count = parts[1] as? Int {
                return String(repeating: text, count: count)
            }
            return object.mapValues(expanded)
        }

        private static func replaced(_ node: Any, _ text: String, _ value: Any) -> Any {
            if let array = node as? [Any] { return array.map { replaced($0, text, value) } }
            if let object = node as? [String: Any] { return object.mapValues { replaced($0, text, value) } }
            return node as? String == text ? value : node
        }

        /// The fields as text. Times are those of another day, and production wrote its doubles with other digits.
        private static func withoutTimes(_ node: Any) -> String {
            if let array = node as? [Any] { return "[\(array.map(withoutTimes).joined(separator: ","))]" }
            guard let object = node as? [String: Any] else { return "\(node)" }
            if object["timestampValue"] != nil { return "time" }
            if let number = object["doubleValue"] as? Double { return "double \(number)" }
            return
                "{\(object.sorted { $0.key < $1.key }.map { "\($0.key):\(withoutTimes($0.value))" }.joined(separator: ","))}"
        }
    }
#endif
