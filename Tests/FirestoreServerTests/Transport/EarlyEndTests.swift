// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import NIOHTTP2
    import Testing

    /// Calls that end before the client has sent all it wants to: the status is complete, and the stream is reset without an error, as
    /// RFC 9113 asks for in section 8.1. Clients report another reset instead of the status.
    @Suite struct EarlyEndTests {
        let server: TestServer
        let connection: GRPCConnection

        init() async throws {
            server = try TestServer()
            connection = try await GRPCConnection.open(server.port)
        }

        private func expect(_ status: StatusCode, _ stream: GRPCStream) async {
            let response = await stream.response()
            #expect(response.status == status.rawValue, "\(response.message)")
            #expect(response.reset == .noError)
        }

        @Test func streams() async throws {
            let listen = try await connection.begin("Listen")
            var request = ProtoListenRequest()
            request.database = Names.database
            request.addTarget.targetID = -1
            await listen.send(try frame(request))
            await expect(.invalidArgument, listen)
            let write = try await connection.begin("Write")
            var first = ProtoWriteRequest()
            first.database = "projects/x"
            await write.send(try frame(first))
            await expect(.invalidArgument, write)
        }

        @Test func unknownMethods() async throws {
            await expect(.unimplemented, try await connection.begin("Nonsense"))
        }

        @Test func deadlines() async throws {
            await expect(.deadlineExceeded, try await connection.begin("Commit", headers: [("grpc-timeout", "1m")]))
        }

        /// They are more than the windows of the connection and of a stream, which what is passed over must not use up.
        @Test func largeRequests() async throws {
            for _ in 0..<3 {
                let stream = try await connection.begin("Commit")
                await stream.send(frame(Array(repeating: 0, count: 12 << 20)))
                await expect(.invalidArgument, stream)
            }
            try await connection.commit([.set("c/d", [:])])
        }
    }
#endif
