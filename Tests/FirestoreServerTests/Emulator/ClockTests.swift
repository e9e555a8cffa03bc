// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import IndexCatalog
    import SwiftProtobuf
    import Testing

    /// `--clock` and `:clock`.
    @Suite struct ClockTests {
        private static let start = Timestamp(rfc3339: "2030-01-01T00:00:00Z")!

        private func setClock(_ server: TestServer, _ body: String) async throws -> HTTPReply {
            try await server.http("PUT", "/emulator/v1/projects/p:clock", body)
        }

        /// Commits, transforms and read times go by it.
        @Test func startsWhereItIsTold() async throws {
            let server = try TestServer { $0.clock = ServerClock(startingAt: ClockTests.start) }
            let connection = try await GRPCConnection.open(server.port)
            let commit = try await connection.commit([.set("c/a", [:])])
            #expect(commit.commitTime.date >= Date(timeIntervalSince1970: 1_893_456_000))
            let told = try await server.http("GET", "/emulator/v1/projects/p:clock")
            #expect((told.object["time"] as? String)?.hasPrefix("2030-01-01T00:") == true, "\(told.text)")
            #expect(try await setClock(server, #"{"advance":"86400s"}"#).status == 200)
            let later = try await connection.commit([.set("c/a", [:])])
            #expect(later.commitTime.date.timeIntervalSince(commit.commitTime.date) >= 86_400)
        }

        @Test func refusesToGoBack() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit([.set("c/a", [:])])
            let reply = try await setClock(server, #"{"time":"2020-01-01T00:00:00Z"}"#)
            #expect(reply.error?.status == "FAILED_PRECONDITION")
            for body in [
                "", "{}", #"{"time":"soon"}"#, #"{"advance":"1h"}"#, #"{"advance":"1e30s"}"#, #"{"advance":"nans"}"#,
            ] {
                #expect(try await setClock(server, body).error?.status == "INVALID_ARGUMENT", "\(body)")
            }
        }

        /// A document expires when the clock passes its time, and not before.
        @Test func expiredDocumentsAreDeleted() async throws {
            let indexes = #"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"at","ttl":true,"indexes":[]}]}"#
            let server = try TestServer(indexes: indexes) { $0.clock = ServerClock(startingAt: ClockTests.start) }
            let connection = try await GRPCConnection.open(server.port)
            var time = ProtoValue()
            time.timestampValue = Google_Protobuf_Timestamp(seconds: 1_893_456_000 + 3_600)
            try await connection.commit([
                .set("c/mortal", ["at": time]), .set("c/other", [:]), .set("d/x", ["at": time]),
            ])
            #expect(try await setClock(server, #"{"advance":"60s"}"#).status == 200)
            #expect(try await connection.ids(.all("c")) == ["mortal", "other"])
            #expect(try await setClock(server, #"{"time":"2030-01-01T02:00:00Z"}"#).status == 200)
            #expect(try await connection.ids(.all("c")) == ["other"])
            #expect(try await connection.ids(.all("d")) == ["x"])
        }
    }
#endif
