// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import TestSupport
    import Testing

    @testable import FirestoreServer

    @Suite struct BulkDeleteTests {
        private func bulkDelete(_ server: TestServer, _ body: String) async throws -> HTTPReply {
            try await server.http("POST", "/emulator/v1/projects/p:bulkDelete", body)
        }

        /// As the emulator does: collections with the ID at any depth, but not what is below their documents.
        @Test func collectionsAtAnyDepth() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 2_500)
            try await connection.commit(["d/a/c/x", "c/d000001/s/y", "d/a"].map { .set($0, [:]) })
            let body = #"{"database":"\#(Names.database)","collection_ids":["c","none"]}"#
            #expect(try await bulkDelete(server, body).status == 200)
            #expect(try await connection.ids(.all("c")) == [])
            #expect(try await connection.ids(.all("d")) == ["a"])
            let kept = try await server.http("GET", "/v1/\(Names.document("c/d000001/s/y"))")
            #expect(kept.status == 200)
            let gone = try await server.http("GET", "/v1/\(Names.document("d/a/c/x"))")
            #expect(gone.status == 404)
        }

        /// The only namespace is the empty one.
        @Test func everything() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 10)
            #expect(
                try await bulkDelete(server, #"{"database":"\#(Names.database)","namespaceIds":["x"]}"#).status == 200)
            #expect(try await connection.ids(.all("c")).count == 10)
            #expect(
                try await bulkDelete(server, #"{"database":"\#(Names.database)","namespace_ids":[""]}"#).status == 200)
            #expect(try await connection.ids(.all("c")) == [])
        }

        /// 18 MB, of which a commit holds about four.
        @Test func largeDocuments() async throws {
            let service = FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource()))
            let database = try await service.databases.database(try ResourceName.database(Names.database))
            let text = Value.string(Text(String(repeating: "a", count: 900_000)))
            for number in 0..<20 {
                _ = try database.engine.commit([.set(try DocumentPath(parsing: "c/d\(number)"), ["text": text])])
            }
            let before = database.engine.lastTransactionID
            try database.deleteGroup("c")
            #expect(database.engine.lastTransactionID - before >= 4)
            #expect(try database.engine.document(DocumentPath(parsing: "c/d19")) == nil)
        }

        @Test func refusals() async throws {
            let server = try TestServer()
            for body in ["{}", "x", #"{"database":"p"}"#, #"{"bad":1}"#] {
                #expect(try await bulkDelete(server, body).error?.status == "INVALID_ARGUMENT", "\(body)")
            }
            let nothing = try await bulkDelete(server, #"{"database":"\#(Names.database)"}"#)
            #expect(nothing.error?.status == "FAILED_PRECONDITION")
        }
    }
#endif
