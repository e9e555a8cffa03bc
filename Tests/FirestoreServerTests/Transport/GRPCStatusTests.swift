// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import GRPCFraming
    import NIOHPACK
    import Testing

    @testable import FirestoreServer

    /// How the status of a call reaches the client.
    @Suite struct GRPCStatusTests {
        let server: TestServer

        init() throws {
            server = try TestServer()
        }

        /// Only `%` and what is not printable ASCII: grpc-js decodes nothing more.
        @Test(arguments: [
            ("plain text: /?#[]@!$&'()*+,;= \"~", "plain text: /?#[]@!$&'()*+,;= \"~"), ("100 %", "100 %25"),
            ("a\nb\u{7F}", "a%0Ab%7F"), ("é€", "%C3%A9%E2%82%AC"), ("", ""),
        ])
        func percentEncoding(_ message: String, _ encoded: String) {
            #expect(GRPCHeaders.percentEncoded(message) == encoded)
        }

        /// A block of headers is one frame, and a longer one would close the connection.
        @Test(arguments: [
            ("a", 4_097, 4_096), ("€", 456, 1_365), ("a€", 10_000, 1_637), ("e\u{301}", 1_000_000, 1_756),
        ])
        func longMessagesAreCutBehindACharacter(_ unit: String, _ count: Int, _ kept: Int) {
            let message = String(repeating: unit, count: count)
            let read = GRPCStatus.read(GRPCHeaders.end(RequestError(.aborted, message), isOnly: true))
            let expected = Array(message.utf8.prefix(kept)) + Array(" …".utf8)
            #expect(read.map { Array($0.message.utf8) } == expected)
        }

        @Test func theLongestMessage() {
            let error = RequestError(.aborted, String(repeating: "a", count: 4_096))
            #expect(GRPCStatus.read(GRPCHeaders.end(error, isOnly: true)) == error)
        }

        @Test func longDetailsAreLeftOut() {
            var error = RequestError(.aborted, "x")
            error.details = Array(repeating: 7, count: 1_500)
            #expect(GRPCStatus.read(GRPCHeaders.end(error, isOnly: false))?.details == error.details)
            error.details = Array(repeating: 7, count: 20_000)
            #expect(GRPCStatus.read(GRPCHeaders.end(error, isOnly: false)) == RequestError(.aborted, "x"))
        }

        @Test func errorsWithoutMessagesAreTrailersOnly() async throws {
            let connection = try await GRPCConnection.open(server.port)
            var request = ProtoGetDocumentRequest()
            request.name = Names.document("c/é")
            let response = try await connection.exchange("GetDocument", request)
            #expect(response.blocks.count == 1)
            #expect(response.headers.first(name: ":status") == "200")
            #expect(response.headers.first(name: "content-type") == "application/grpc")
            #expect(response.status == StatusCode.notFound.rawValue)
            #expect(response.message == "Document \"\(Names.document("c/é"))\" not found.")
            #expect(response.trailers.first(name: "grpc-status-details-bin") == nil)
        }

        @Test func answersHaveHeadersAndTrailers() async throws {
            let connection = try await GRPCConnection.open(server.port)
            var request = ProtoCommitRequest()
            request.database = Names.database
            let response = try await connection.exchange("Commit", request)
            #expect(response.blocks.count == 2)
            #expect(response.messages.count == 1)
            #expect(response.trailers.map(\.name) == ["grpc-status"])
            #expect(response.status == 0)
        }

        @Test(arguments: ["Nonsense", "/google.firestore.v1.Firestore/", "/other.Service/Commit", "/"])
        func unknownMethods(_ method: String) async throws {
            let connection = try await GRPCConnection.open(server.port)
            let response = try await connection.exchange(method, ProtoCommitRequest())
            #expect(response.status == StatusCode.unimplemented.rawValue)
            #expect(response.message.hasPrefix("Method not found: /"))
        }

        @Test(arguments: [
            ("Bearer", StatusCode.unauthenticated), ("Basic owner", .unauthenticated), ("Bearer x", .invalidArgument),
            ("Bearer a.b.c", .invalidArgument), ("Bearer e30", .invalidArgument), ("Bearer x.W10.y", .invalidArgument),
        ])
        func malformedTokens(_ authorization: String, _ status: StatusCode) async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Commit", headers: [("authorization", authorization)])
            await stream.send(try frame(ProtoCommitRequest()), isLast: true)
            #expect(await stream.response().status == status.rawValue)
        }

        /// Tokens of tests are unsigned, and have expired in 1970. The payload is `{"sub":"alice","exp":3600}`.
        @Test(arguments: [nil, "Bearer owner", "bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSIsImV4cCI6MzYwMH0."])
        func tokensOfTests(_ authorization: String?) async throws {
            let connection = try await GRPCConnection.open(server.port)
            let headers = authorization.map { [("authorization", $0)] } ?? []
            let stream = try await connection.begin("Commit", headers: headers)
            var request = ProtoCommitRequest()
            request.database = Names.database
            await stream.send(try frame(request), isLast: true)
            #expect(await stream.response().status == 0)
        }

        /// Its time is over before its request is there.
        @Test func deadline() async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Commit", headers: [("grpc-timeout", "1m")])
            let response = await stream.response()
            #expect(response.status == StatusCode.deadlineExceeded.rawValue)
            #expect(response.message == "Deadline Exceeded")
        }

        /// What is no timeout limits nothing, and the longest does not overflow.
        @Test(arguments: ["99999999H", "99999999S", "x", "", "S", "1", "-1S", "123456789012S", "1é"])
        func unusualDeadlines(_ timeout: String) async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Commit", headers: [("grpc-timeout", timeout)])
            var request = ProtoCommitRequest()
            request.database = Names.database
            await stream.send(try frame(request), isLast: true)
            #expect(await stream.response().status == 0)
        }
    }
#endif
