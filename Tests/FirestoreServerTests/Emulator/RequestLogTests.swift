// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import TestSupport
    import Testing

    @testable import FirestoreServer

    @Suite struct RequestLogTests {
        /// Lines without their milliseconds. A line comes after the answer, so that the next request's may be before it.
        private func lines(_ server: TestServer, _ count: Int) async throws -> [String] {
            try await wait(for: "\(count) lines") { server.loggedFailures.count >= count }
            return server.loggedFailures.map { $0.replacing(/[0-9.]+ ms/, with: "# ms") }
        }

        @Test func requests() async throws {
            let server = try TestServer { $0.logging = .requests }
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 3)
            _ = try await lines(server, 1)
            #expect(try await connection.ids(.all("c")).count == 3)
            _ = try await lines(server, 2)
            _ = try await server.http("GET", "/v1/\(Names.document("c/none"))")
            _ = try await lines(server, 3)
            _ = try await server.http("GET", "/none")
            #expect(
                try await lines(server, 4) == [
                    "Commit \(Names.database) OK # ms 0 read", "RunQuery \(Names.database) OK # ms 3 read",
                    "GET /v1/\(Names.document("c/none")) \(Names.database) NOT_FOUND # ms 1 read",
                    "GET /none - NOT_FOUND # ms 0 read",
                ])
        }

        @Test func queries() async throws {
            let server = try TestServer { $0.logging = .queries }
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 250)
            _ = try await connection.ids(.all("c").filtered("n", .greaterThan, ProtoValue(0)))
            _ = try await lines(server, 1)
            _ = try? await connection.ids(
                .all("c").filtered("a", .equal, ProtoValue(1)).ordered("n", .descending))
            let told = try await lines(server, 2)
            #expect(told[0] == "\(Names.database) c where n > 0: (n ASC, __name__ ASC) 249 rows 249 entries # ms")
            #expect(
                told[1].hasPrefix(
                    "\(Names.database) c where a == 1 order by n desc: FAILED_PRECONDITION The query requires an index."
                ))
        }

        /// Those of web pages are requests of their own, which end with their sessions.
        @Test func streamsOfPages() async throws {
            let server = try TestServer { $0.logging = .requests }
            let listening = WebPage(server, "Listen")
            try await listening.open(WebPage.add("c"))
            _ = try await listening.receive(until: "CURRENT")
            let writing = WebPage(server, "Write")
            try await writing.open(#"{"database":"\#(Names.database)"}"#)
            _ = try await writing.receive(until: "streamId")
            for page in [listening, writing] {
                _ = try await server.http("POST", page.path("SID=\(page.session)&RID=9&TYPE=terminate"))
            }
            // A stream without writes asks for no database.
            for line in ["Listen \(Names.database) OK ", "Write - OK "] {
                try await wait(for: line) { server.loggedFailures.contains { $0.hasPrefix(line) } }
            }
        }

        /// Its query runs again after each commit, as long as the listener stays. All are counted, and some are kept.
        @Test func queriesOfAListener() async throws {
            let service = FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource()))
            let record = RequestRecord()
            let listener = RequestRecord.$current.withValue(record) {
                Conversation(service, DatabaseID(project: "p"))
            }
            listener.add(1, collection: "c", limit: 5)
            try #require(try await listener.state() == "ADD1 CUR1 ∎")
            let engine = try await service.databases.database(DatabaseID(project: "p")).engine
            for number in 1...150 {
                _ = try engine.commit([.set("c/a", ["n": .integer(Int64(number))])])
                try #require(try await listener.state() == "doc a ∎")
            }
            #expect(record.done.queries.count == 100)
            #expect(record.done.documentsRead == 150)
        }
    }
#endif
