// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import NIOCore
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import FirestoreServer

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

        /// A client that reads a long answer slowly: its time for the next request begins when it has that one.
        @Test func slowReaders() async throws {
            let server = try TestServer { $0.limits.request = .seconds(1) }
            // Not by requests, of which each would have to arrive in that second.
            let database = try await server.server.databases.database(DatabaseID(project: "p"))
            // JSON has six bytes for each: 18 MB, in one page of a list.
            let text = Value.string(Text(String(repeating: "\u{1}", count: 1_000_000)))
            for number in 0..<3 {
                _ = try await database.commit([.set(try DocumentPath(parsing: "c/d\(number)"), ["text": text])])
            }
            let connection = try await HTTPConnection.open(server.port, reads: false, isNarrow: true)
            try await connection.send("GET /v1/\(Names.root)/c HTTP/1.1\r\n\r\n")
            connection.channel.read()
            let length = try #require(Int(try await connection.head().header("content-length") ?? ""))
            try await Task.sleep(for: .seconds(2))
            try await connection.readAll()
            #expect(try await connection.take(length).count > 15_000_000)
            withExtendedLifetime(server) {}
        }

        /// It was sent behind another one, and takes longer than a request may be awaited.
        @Test func longAnswersBehindOthers() async throws {
            let server = try TestServer { $0.limits.request = .seconds(1) }
            let connection = try await HTTPConnection.open(server.port)
            try await connection.send(
                "GET / HTTP/1.1\r\n\r\nGET /emulator/v1/\(Names.database):events HTTP/1.1\r\nhost: localhost\r\n\r\n")
            #expect(try await connection.response().text == "Ok\n")
            #expect(try await connection.head().status == 200)
            let first = try #require(try await connection.part())
            #expect(String(decoding: first, as: UTF8.self).hasPrefix("event: change\n"))
            try await Task.sleep(for: .seconds(2))
            #expect(try await server.rest("POST", "/c?documentId=d", "{}").status == 200)
            #expect(try await connection.part() != nil)
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
