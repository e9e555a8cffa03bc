// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import NIOHPACK
    import Testing

    /// HTTP/1.1 beyond one request a connection.
    @Suite struct HTTPConnectionTests {
        let server: TestServer

        init() throws {
            server = try TestServer()
        }

        private func open() async throws -> HTTPConnection { try await HTTPConnection.open(server.port) }

        @Test func readinessProbe() async throws {
            for path in ["/", "//", "/?x=1"] {
                let reply = try await server.http("GET", path)
                #expect(reply.status == 200)
                #expect(reply.text == "Ok\n")
            }
            let head = try await server.http("HEAD", "/")
            #expect(head.status == 200)
            #expect(head.header("content-length") == "3")
        }

        @Test(arguments: [
            "/x", "/v2/x", "/v1", "/v1/projects/p/databases/d", "/emulator/v1", "/emulator/v2/projects/p",
        ])
        func unknownRoutes(_ path: String) async throws {
            let reply = try await server.http("GET", path)
            #expect(reply.status == 404)
            #expect(reply.text == "Not Found\n")
        }

        @Test func keepAliveAndPipelining() async throws {
            let connection = try await open()
            let get = "GET /v1/\(Names.root)/c/x HTTP/1.1\r\n\r\n"
            try await connection.send("GET / HTTP/1.1\r\n\r\n\(get)HEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n")
            #expect(try await connection.response().status == 200)
            #expect(try await connection.response().status == 404)
            #expect(try await connection.response(isHead: true).status == 200)
            #expect(try await connection.response().text == "Ok\n")
            try await connection.send("GET / HTTP/1.1\r\nconnection: close\r\n\r\n")
            #expect(try await connection.response().status == 200)
            #expect(await connection.isClosed())
        }

        /// HTTP/1.0 knows no chunks: the end of the connection ends the answer.
        @Test(arguments: ["", "connection: keep-alive\r\n"]) func oldClients(_ header: String) async throws {
            let connection = try await open()
            let body = #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#
            try await connection.send(
                "POST /v1/\(Names.root):runQuery HTTP/1.0\r\n\(header)content-length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            let reply = try await connection.response()
            #expect(reply.array.first?["readTime"] != nil)
        }

        @Test func chunkedBodies() async throws {
            let connection = try await open()
            try await connection.send(
                "POST /v1/\(Names.root)/c?documentId=d HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"
                    + "9\r\n{\"fields\"\r\n8\r\n:{\"a\":{\"\r\n14\r\nintegerValue\":\"7\"}}}\r\n0\r\n\r\n")
            let reply = try await connection.response()
            #expect(reply.status == 200, "\(reply.text)")
        }

        @Test func announcedBodies() async throws {
            let connection = try await open()
            try await connection.send(
                "POST /v1/\(Names.root):commit HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
            #expect(try await connection.response().status == 100)
            try await connection.send("{}")
            #expect(try await connection.response().status == 200)
        }

        /// The rest of the body is read and dropped, so the connection lives on.
        @Test func tooLargeBody() async throws {
            let connection = try await open()
            let size = 11_534_337
            try await connection.send(
                "POST /v1/\(Names.root):commit HTTP/1.1\r\ncontent-length: \(size)\r\n\r\n")
            let part = [UInt8](repeating: 0x20, count: 1 << 20)
            for _ in 0..<(size / part.count) { try await connection.send(part) }
            try await connection.send([UInt8](repeating: 0x20, count: size % part.count))
            let reply = try await connection.response()
            let message = "Request payload size exceeds the limit: 11534336 bytes."
            #expect(reply.error == HTTPFailure(code: 400, status: "INVALID_ARGUMENT", message: message))
            try await connection.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await connection.response().status == 200)
        }

        @Test func largestBody() async throws {
            let body = "{}" + String(repeating: " ", count: 11_534_334)
            #expect(try await server.rest("POST", ":commit", body).status == 200)
        }

        @Test(arguments: ["/c/%", "/c/%zz", "/c/%FF", "/c/%C3", "/c/d?pageSize=%"])
        func badPercentEncoding(_ path: String) async throws {
            let reply = try await server.rest("GET", path)
            #expect(reply.status == 400)
            #expect(reply.error?.status == "INVALID_ARGUMENT")
        }

        @Test(arguments: ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "\0\0\0\0\r\n\r\n"])
        func nonsense(_ text: String) async throws {
            let connection = try await open()
            try await connection.send(text)
            if let reply = try? await connection.response() { #expect(reply.status == 400 || reply.status == 505) }
            #expect(try await server.http("GET", "/").status == 200)
        }

        @Test func headersWithoutEnd() async throws {
            let connection = try await open()
            let line = "x: \(String(repeating: "y", count: 1_000))\r\n"
            try? await connection.send("GET / HTTP/1.1\r\n" + String(repeating: line, count: 1_000))
            if let reply = try? await connection.response() { #expect(400..<500 ~= reply.status) }
            #expect(try await server.http("GET", "/").status == 200)
        }

        /// REST over HTTP/2, also on paths that no HTTP/1.1 parser lets pass.
        @Test(arguments: [("/", "200"), ("?", "200"), ("x", "404"), ("/v1/x?", "404")])
        func requestsOverHTTP2(_ path: String, _ status: String) async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin(
                path, verb: "GET", contentType: "text/plain", isLast: true)
            let response = await stream.response()
            if let found = response.headers.first(name: ":status") { #expect(found == status) }
            #expect(try await server.http("GET", "/").status == 200)
        }

        /// A connection whose headers are too long ends; others do not.
        @Test func longHeadersOverHTTP2() async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try? await connection.begin(
                "Commit", headers: [("x-long", String(repeating: "x", count: 200_000))])
            if let stream { #expect(await stream.response().status == nil) }
            let other = try await GRPCConnection.open(server.port)
            try await other.commit([])
        }
    }
#endif
