// SPDX-License-Identifier: Apache-2.0

#if Server && os(Linux)
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import NIOCore
    import SwiftProtobuf
    import TestSupport
    import Testing

    /// Clients that ask for many documents of a megabyte and do not read them: the server holds a few of them for each client.
    @Suite struct LargeDocumentTests {
        private static let count = 40
        private static let clients = 6
        /// The memory for one client: a page of four documents, their messages, and what waits to be sent. All documents and their
        /// messages are twice 40 MB.
        private static let bound = 30 << 20
        private let server: TestServer

        init() async throws {
            server = try TestServer()
            try await write(0)
        }

        /// Writes all documents.
        private func write(_ byte: UInt8) async throws {
            let connection = try await GRPCConnection.open(server.port)
            let bytes = ProtoValue.with { $0.bytesValue = Data(repeating: byte, count: 1_000_000) }
            for start in stride(from: 0, to: Self.count, by: 10) {
                try await connection.commit((start..<start + 10).map { .set("c/d\(100 + $0)", ["bytes": bytes]) })
            }
            try await connection.close()
        }

        private var documentsRead: Int {
            get async throws {
                let usage = try await server.http("GET", "/emulator/v1/\(Names.database):usage")
                return usage.object["documentsRead"] as? Int ?? -1
            }
        }

        /// Bytes of resident memory that belong to no file.
        private var memory: Int {
            get throws {
                let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                let line = try #require(lines.first { $0.hasPrefix("RssAnon:") })
                return (Int(line.split(whereSeparator: \.isWhitespace)[1]) ?? 0) << 10
            }
        }

        /// - Parameters:
        ///   - others: how many messages are no document.
        ///   - former: how many documents are read whose times alone are kept.
        private func check(_ method: String, _ request: [UInt8], others: Int = 0, former: Int = 0) async throws {
            let (before, readBefore) = (try memory, try await documentsRead)
            var streams: [GRPCStream] = []
            for number in 1...Self.clients {
                let read = try await documentsRead
                let stream = try await GRPCConnection.open(server.port).begin(method, reads: false)
                await stream.send(request, isLast: true)
                try await wait(for: "documents for client \(number)") { try await documentsRead > read + former }
                streams.append(stream)
            }
            // Calls through the same threads, which give the server the time to read on if it wants to.
            let other = try await GRPCConnection.open(server.port)
            for _ in 0..<100 { try await other.commit([]) }
            #expect(try memory - before < Self.clients * Self.bound)
            #expect(try await documentsRead - readBefore <= Self.clients * (8 + former))
            for stream in streams.dropLast() { try await stream.reset() }
            let last = try #require(streams.last)
            try await last.readAll()
            #expect(await last.response().messages.count == Self.count + others)
        }

        @Test func queries() async throws {
            try await check("RunQuery", try frame(ProtoRunQueryRequest(.all("c"))))
        }

        /// The message behind the documents is what the query took.
        @Test func explainedQueries() async throws {
            var request = ProtoRunQueryRequest(.all("c"))
            request.explainOptions.analyze = true
            try await check("RunQuery", try frame(request), others: 1)
        }

        @Test func documentsByName() async throws {
            var request = ProtoBatchGetDocumentsRequest()
            request.database = Names.database
            request.documents = (0..<Self.count).map { Names.document("c/d\(100 + $0)") }
            try await check("BatchGetDocuments", try frame(request))
        }

        /// Their other messages: the target's addition, CURRENT and the state's end.
        @Test func queriesListenedTo() async throws {
            try await check("Listen", try frame(listen(to: query())), others: 3)
        }

        @Test func documentsListenedTo() async throws {
            try await check("Listen", try frame(listen(to: documents)), others: 3)
        }

        /// All documents have changed since. Behind the target's addition comes the end of the state that the client has.
        @Test func queriesListenedToAgain() async throws { try await checkResumption(query(), former: 0) }

        @Test func limitedQueriesListenedToAgain() async throws {
            try await checkResumption(query(limit: 100), former: Self.count)
        }

        @Test func documentsListenedToAgain() async throws { try await checkResumption(documents, former: Self.count) }

        private func checkResumption(_ target: ProtoTarget, former: Int) async throws {
            let stream = try await GRPCConnection.open(server.port).begin("Listen")
            await stream.send(try frame(listen(to: target)), isLast: true)
            let last = try #require(await stream.response().messages.last)
            var target = target
            target.resumeToken = try ProtoListenResponse(serializedBytes: last).targetChange.resumeToken
            #expect(!target.resumeToken.isEmpty)
            try await write(1)
            try await check("Listen", try frame(listen(to: target)), others: 4, former: former)
        }

        /// A client that has its state and reads no more.
        @Test func limitedQueriesThatChange() async throws {
            let stream = try await GRPCConnection.open(server.port).begin("Listen")
            await stream.send(try frame(listen(to: query(limit: 100))))
            // Its documents, and CURRENT.
            var bytes: [UInt8] = []
            for await case .data(let part) in stream.events {
                bytes += part.readableBytesView
                guard bytes.count > Self.count * 1_000_000 else { continue }
                if GRPCResponse(blocks: [], bytes: bytes).messages.count == Self.count + 3 { break }
            }
            try await stream.channel.setOption(.autoRead, value: false).get()
            try await write(1)
            try await wait(for: "the next state") { try await documentsRead > Self.count }
            let other = try await GRPCConnection.open(server.port)
            for _ in 0..<100 { try await other.commit([]) }
            #expect(try await documentsRead <= Self.count + 12)
        }

        private func query(limit: Int32? = nil) -> ProtoTarget {
            var target = ProtoTarget()
            target.query.parent = Names.root
            target.query.structuredQuery = .all("c")
            if let limit { target.query.structuredQuery.limit.value = limit }
            return target
        }

        private var documents: ProtoTarget {
            var target = ProtoTarget()
            target.documents.documents = (0..<Self.count).map { Names.document("c/d\(100 + $0)") }
            return target
        }

        private func listen(to target: ProtoTarget) -> ProtoListenRequest {
            var request = ProtoListenRequest()
            request.database = Names.database
            request.addTarget = target
            return request
        }
    }
#endif
