// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import TestSupport
    import Testing

    /// A client that asks for 16 MB and does not read them: the server reads on at the client's pace.
    @Suite struct SlowReaderTests {
        static let count = 1_600
        private let clock = ServerClock()
        let server: TestServer

        init() async throws {
            server = try TestServer { [clock] in $0.clock = clock }
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", Self.count, size: 10_000)
            try await connection.close()
        }

        private func documentsRead() async throws -> Int {
            let usage = try await server.http("GET", "/emulator/v1/\(Names.database):usage")
            return usage.object["documentsRead"] as? Int ?? -1
        }

        /// Calls through the same threads, which give the server the time to read on if it wants to.
        private func passTime() async throws {
            let other = try await GRPCConnection.open(server.port)
            for _ in 0..<100 { try await other.commit([]) }
            try await other.close()
        }

        /// A page has about a megabyte; one is sent, one may wait, and buffers hold less than a third.
        private static let bound = 400

        /// A query whose first page the client does not read.
        private func beginUnread(on connection: GRPCConnection) async throws -> GRPCStream {
            let stream = try await connection.begin("RunQuery", reads: false)
            await stream.send(try frame(ProtoRunQueryRequest(.all("c"))), isLast: true)
            try await wait(for: "a page") { try await documentsRead() > 0 }
            try await passTime()
            return stream
        }

        @Test func unreadCalls() async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await beginUnread(on: connection)
            #expect(try await documentsRead() < Self.bound)
            try await stream.readAll()
            let response = await stream.response()
            #expect(response.status == 0)
            #expect(response.messages.count == Self.count)
        }

        @Test func unreadREST() async throws {
            let connection = try await HTTPConnection.open(server.port, reads: false)
            let body = #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#
            try await connection.send(
                "POST /v1/\(Names.root):runQuery HTTP/1.1\r\nconnection: close\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
                    + body)
            try await wait(for: "a page") { try await documentsRead() > 0 }
            try await passTime()
            // The kernel's buffers of both sides hold megabytes.
            #expect(try await documentsRead() < Self.count)
            try await connection.readAll()
            let reply = try await connection.response()
            #expect(reply.status == 200)
            #expect(reply.array.count == Self.count)
        }

        /// Requests that were sent together are answered as far as the client reads.
        @Test func unreadPipeline() async throws {
            let connection = try await HTTPConnection.open(server.port, reads: false)
            let request = "GET /v1/\(Names.root)/c?pageSize=100 HTTP/1.1\r\nhost: localhost\r\n\r\n"
            try await connection.send(String(repeating: request, count: 40))
            try await wait(for: "a page") { try await documentsRead() > 0 }
            for _ in 0..<5 { try await passTime() }
            // The kernel's buffers of both sides hold megabytes, of 40.
            #expect(try await documentsRead() < 2_500)
            try await connection.readAll()
            for _ in 0..<40 { #expect(try await connection.response().status == 200) }
        }

        /// The history that the next page needs is gone: clients go on behind the last document.
        @Test func unreadForTooLong() async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await beginUnread(on: connection)
            let other = try await GRPCConnection.open(server.port)
            clock.set(Timestamp(microseconds: clock.now.microseconds + 7_200_000_000)!)
            for _ in 0..<2 { try await other.commit([.set("d/e", [:])]) }
            try await other.close()
            try await stream.readAll()
            let response = await stream.response()
            #expect(response.status == 14)
            #expect(!response.messages.isEmpty && response.messages.count < Self.count)
        }

        /// A reset stream ends its query at the next page.
        @Test func cancelledCalls() async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("RunQuery")
            await stream.send(try frame(ProtoRunQueryRequest(.all("c"))), isLast: true)
            _ = try #require(await stream.firstData())
            try await stream.reset()
            try await passTime()
            let read = try await documentsRead()
            try await passTime()
            #expect(try await documentsRead() == read)
            // The connection lives on.
            try await connection.commit([])
        }

        /// An error within an answer that has begun is its last element.
        @Test func errorsBehindTheFirstPage() async throws {
            let began = try await server.rest("POST", ":beginTransaction", "{}")
            let transaction = try #require(began.object["transaction"] as? String)
            let connection = try await HTTPConnection.open(server.port, reads: false)
            let body = #"{"structuredQuery":{"from":[{"collectionId":"c"}]},"transaction":"\#(transaction)"}"#
            try await connection.send(
                "POST /v1/\(Names.root):runQuery HTTP/1.1\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)")
            try await wait(for: "a page") { try await documentsRead() > 0 }
            #expect(try await server.rest("POST", ":rollback", #"{"transaction":"\#(transaction)"}"#).status == 200)
            try await connection.readAll()
            let reply = try await connection.response()
            #expect(reply.status == 200)
            #expect(reply.error?.status == "ABORTED")
            #expect(reply.error?.message == "The referenced transaction has expired or is no longer valid.")
            #expect(reply.array.count > 1)
            // The connection has its next answer.
            try await connection.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await connection.response().text == "Ok\n")
        }
    }
#endif
