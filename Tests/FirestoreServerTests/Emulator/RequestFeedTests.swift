// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Foundation
    import TestSupport
    import Testing

    /// What those hear who watch a server: server-sent events, and the messages for the emulator's interface.
    @Suite struct RequestFeedTests {
        private static let rules = ServedRules.frame(
            """
                match /open/{id} { allow read, write: if true; }
                match /closed/{id} { allow read: if request.auth.uid == 'x'; }
                match /false/{id} { allow read: if false; }
            """)

        /// The next event with its data.
        private func event(_ connection: HTTPConnection) async throws -> (name: String, data: [String: Any]) {
            while true {
                let part = String(decoding: try #require(try await connection.part()), as: UTF8.self)
                guard let found = part.firstMatch(of: /^event: (\w+)\ndata: (.*)\n\n$/) else { continue }
                let data = try JSONSerialization.jsonObject(with: Data(found.output.2.utf8)) as? [String: Any]
                return (String(found.output.1), try #require(data))
            }
        }

        @Test func events() async throws {
            let server = try TestServer()
            _ = try await server.http("GET", "/v1/\(Names.document("c/unseen"))")
            let connection = try await HTTPConnection.open(server.port)
            try await connection.send("GET /emulator/v1/\(Names.database):events HTTP/1.1\r\nhost: localhost\r\n\r\n")
            #expect(try await connection.head().header("content-type") == "text/event-stream")
            let first = try await event(connection)
            #expect(first.name == "change" && first.data.isEmpty)
            _ = try await server.http("PATCH", "/v1/\(Names.document("c/d"))", #"{"fields":{}}"#)
            _ = try await server.http(
                "GET", "/v1/\(Names.document("c/d"))", headers: [("x-hearth-console", "1")])
            _ = try await server.http("GET", "/v1/\(Names.document("c/none"))")
            var changed: [[String]] = []
            var requests: [String] = []
            while requests.count < 2 || changed.isEmpty {
                let (name, data) = try await event(connection)
                if name == "change" { changed.append(data["documents"] as? [String] ?? ["all"]) }
                guard name == "request" else { continue }
                let counts = ["documentsRead", "documentsWritten"].map { data[$0] as? Int ?? -1 }
                requests.append("\(data["method"] ?? "") \(data["status"] ?? "") \(counts)")
            }
            #expect(changed == [["c/d"]])
            // One counts as ended a moment after its answer has come, so that the next may be before it.
            #expect(
                Set(requests) == [
                    "PATCH /v1/\(Names.document("c/d")) OK [0, 1]",
                    "GET /v1/\(Names.document("c/none")) NOT_FOUND [1, 0]",
                ])
        }

        /// A page that does not read misses requests, but no change.
        @Test func changesThatAreReadLate() async throws {
            let server = try TestServer()
            let page = try await HTTPConnection.open(server.port, reads: false, isNarrow: true)
            let events = "GET /emulator/v1/\(Names.database):events HTTP/1.1\r\nhost: localhost\r\n\r\n"
            try await page.send(events)
            let prompt = try await HTTPConnection.open(server.port)
            try await prompt.send(events)
            _ = try await prompt.head()
            let other = try await HTTPConnection.open(server.port)
            let long = String(repeating: "x", count: 1_000)
            let read = { (id: String, count: Int) async throws in
                for _ in 0..<count {
                    try await other.send("GET /v1/\(Names.document("c/\(id)")) HTTP/1.1\r\n\r\n")
                    _ = try await other.response()
                }
            }
            // The page has no room for more than these.
            try await read(long, 1_000)
            #expect(try await server.rest("POST", "/c?documentId=d", "{}").status == 200)
            // The notice of the change waits when a page that reads has it: both are woken together.
            while try await event(prompt).data["documents"] as? [String] != ["c/d"] {}
            try await read(long, 1_000)
            try await read("last", 1)
            try await page.readAll()
            _ = try await page.head()
            var changes: [[String]] = []
            var isLast = false
            while !isLast {
                let (name, data) = try await event(page)
                if name == "change" { changes.append(data["documents"] as? [String] ?? ["all"]) }
                isLast = (data["method"] as? String)?.hasSuffix("/c/last") ?? false
            }
            #expect(changes == [["all"], ["all"]])
            withExtendedLifetime(server) {}
        }

        /// As the emulator 1.19.9 told its interface of the same requests, which it sends twice where a document is absent.
        @Test func messagesForTheInterface() async throws {
            let server = try TestServer(rules: Self.rules) { $0.webSocketPort = 0 }
            let port = try #require(try server.server.startFeed())
            func connect() async throws -> HTTPConnection {
                let connection = try await HTTPConnection.open(port)
                try await connection.send(Self.handshake(origin: "http://localhost:4000"))
                #expect(try await connection.head().status == 101)
                return connection
            }
            let former = try await connect()
            #expect((try await former.message() as? [Any])?.isEmpty == true)
            _ = try await server.http("PATCH", "/v1/\(Names.document("open/a"))", #"{"fields":{}}"#)
            // A request counts as ended a moment after its answer has come.
            _ = try await former.message()
            let connection = try await connect()
            let earlier = try #require(try await connection.message() as? [[String: Any]])
            #expect(earlier.map(Self.summary) == ["allow update /databases/(default)/documents/open/a []"])
            var seen: [String] = []
            func next() async throws {
                let message = try #require(try await connection.message() as? [String: Any])
                #expect(message["rulesReleaseName"] as? String == "projects/p/releases/cloud.firestore")
                seen.append(Self.summary(message))
            }
            for path in ["open/a", "closed/a", "false/a"] {
                _ = try await server.http("GET", "/v1/\(Names.document(path))")
                try await next()
            }
            _ = try await server.http(
                "GET", "/v1/\(Names.document("closed/a"))", headers: [("authorization", "Bearer owner")])
            try await next()
            _ = try await server.rest("POST", ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"open"}]}}"#)
            try await next()
            #expect(
                seen == [
                    "allow get /databases/(default)/documents/open/a []",
                    "error get /databases/(default)/documents/closed/a [5, 5]",
                    "deny get /databases/(default)/documents/false/a [6]",
                    "admin get /databases/(default)/documents/closed/a []",
                    "allow list /databases/(default)/documents/open/* []",
                ])
        }

        /// A ping with two bytes, then the end: masked by zeros, as a client's frames are.
        @Test func framesOfTheInterface() async throws {
            let server = try TestServer { $0.webSocketPort = 0 }
            let connection = try await HTTPConnection.open(try #require(try server.server.startFeed()))
            try await connection.send(Self.handshake(origin: "http://localhost:4000"))
            try #require(try await connection.head().status == 101)
            try #require((try await connection.message() as? [Any])?.isEmpty == true)
            try await connection.send([0x89, 0x82, 0, 0, 0, 0, 1, 2])
            try #require(try await connection.take(4) == [0x8a, 2, 1, 2])
            try await connection.send([0x88, 0x80, 0, 0, 0, 0])
            try #require(try await connection.take(2) == [0x88, 0])
            #expect(await connection.isClosed())
            #expect(try await server.http("GET", "/").text == "Ok\n")
        }

        @Test(arguments: ["https://example.com", "null"]) func otherPages(_ origin: String) async throws {
            let server = try TestServer { $0.webSocketPort = 0 }
            let connection = try await HTTPConnection.open(try #require(try server.server.startFeed()))
            try await connection.send(Self.handshake(origin: origin))
            #expect(await connection.isClosed())
        }

        private static func handshake(origin: String) -> String {
            "GET /requests HTTP/1.1\r\nhost: localhost\r\norigin: \(origin)\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
                + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        }

        private static func summary(_ message: [String: Any]) -> String {
            let context = message["rulesContext"] as? [String: Any] ?? [:]
            let lines = (message["granularAllowOutcomes"] as? [[String: Any]] ?? []).compactMap { $0["line"] as? Int }
            return "\(message["outcome"] ?? "") \(context["method"] ?? "") \(context["path"] ?? "") \(lines)"
        }
    }

    extension HTTPConnection {
        /// The JSON of the next unmasked text message.
        fileprivate func message() async throws -> Any {
            let head = try await take(2)
            #expect(head[0] == 0x81)
            var length = Int(head[1])
            if length == 126 { length = try await take(2).reduce(0) { $0 << 8 | Int($1) } }
            return try JSONSerialization.jsonObject(with: Data(try await take(length)))
        }
    }
#endif
