// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import NIOCore
    import Testing

    /// Clients that send a part and wait, and more connections than allowed.
    @Suite struct TimeoutTests {
        @Test(arguments: ["", "PRI * HT", "GET / HTTP/1.1\r\n", "POST /v1/x HTTP/1.1\r\ncontent-length: 9\r\n\r\nabc"])
        func halfRequests(_ text: String) async throws {
            let server = try TestServer {
                $0.limits.firstBytes = .milliseconds(1)
                $0.limits.request = .milliseconds(1)
            }
            let connection = try await HTTPConnection.open(server.port)
            // The server may have closed the connection already.
            try? await connection.send(text)
            #expect(await connection.isClosed())
        }

        /// A connection that has had its answer.
        @Test func idleConnections() async throws {
            let server = try TestServer { $0.limits.request = .seconds(1) }
            let connection = try await HTTPConnection.open(server.port)
            try await connection.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await connection.response().text == "Ok\n")
            #expect(await connection.isClosed())
        }

        @Test func callsWithoutTheirRequest() async throws {
            let server = try TestServer { $0.limits.request = .milliseconds(1) }
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Commit")
            let response = await stream.response()
            #expect(response.status == StatusCode.deadlineExceeded.rawValue)
            #expect(response.message == "The request did not arrive in time.")
        }

        @Test func tooManyConnections() async throws {
            let server = try TestServer { $0.limits.connections = 2 }
            let first = try await HTTPConnection.open(server.port)
            try await first.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await first.response().status == 200)
            let second = try await GRPCConnection.open(server.port)
            try await second.commit([])
            let third = try await HTTPConnection.open(server.port)
            #expect(await third.isClosed())
            // Those that are open go on, and one that ends makes room.
            try await second.commit([])
            try await first.close()
            var hasRoom = false
            while !hasRoom {
                let next = try await HTTPConnection.open(server.port)
                try? await next.send("GET / HTTP/1.1\r\n\r\n")
                hasRoom = (try? await next.response().status) == 200
            }
        }
    }
#endif
