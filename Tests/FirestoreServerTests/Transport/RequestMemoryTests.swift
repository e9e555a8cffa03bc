// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import GRPCFraming
    import NIOCore
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Requests that together are more bytes than the server takes.
    @Suite struct RequestMemoryTests {
        private let server: TestServer

        init() throws {
            server = try TestServer { $0.limits.requestBytes = 3 << 20 }
        }

        private var memory: RequestMemory { server.server.requests }
        private static let size = 2 << 20

        @Test func smallRequestsAreNotCounted() throws {
            let memory = RequestMemory(limit: 100_000)
            var first = HeldBytes(memory)
            try first.hold(HeldBytes.uncounted)
            #expect(memory.bytes == 0)
            try first.hold(HeldBytes.uncounted + 60_000)
            #expect(memory.bytes == 60_000)
            var second = HeldBytes(memory)
            #expect(throws: HeldBytes.noRoom) { try second.hold(HeldBytes.uncounted + 60_000) }
            #expect(memory.bytes == 60_000)
            try first.hold(10)
            #expect(memory.bytes == 0)
            try second.hold(HeldBytes.uncounted + 60_000)
            for _ in 0..<2 { second.release() }
            #expect(memory.bytes == 0)
        }

        /// Calls whose message is not whole yet.
        @Test(arguments: ["Commit", "Write"]) func halfMessages(_ method: String) async throws {
            let half = Array(frame([UInt8](repeating: 0, count: 3 << 20)).prefix(Self.size))
            let connection = try await GRPCConnection.open(server.port)
            let first = try await connection.begin(method)
            await first.send(half)
            try await wait(for: "the first half") { memory.bytes == half.count - HeldBytes.uncounted }
            let second = try await GRPCConnection.open(server.port).begin(method)
            await second.send(half)
            let refused = GRPCFailure(await second.response())
            #expect(refused == GRPCFailure(.resourceExhausted, HeldBytes.noRoom.message))
            // Small ones go on.
            try await connection.commit([.set("c/small", [:])])
            try await first.reset()
            try await wait(for: "the room") { memory.bytes == 0 }
            let value = ProtoValue.with { $0.bytesValue = Data(count: 900_000) }
            try await connection.commit((0..<3).map { .set("c/d\($0)", ["bytes": value]) })
            try await wait(for: "the end of the call") { memory.bytes == 0 }
        }

        @Test func messagesOfAStream() async throws {
            let memory = RequestMemory(limit: 100_000)
            let messages = WaitingMessages(memory) {}
            let message = ByteBuffer(repeating: 0, count: 30_000)
            let size = GRPCMessageReader.prefixLength + 30_000
            for _ in 0..<2 {
                try messages.hold(arriving: size)
                messages.add(message)
            }
            #expect(memory.bytes == 2 * size - HeldBytes.uncounted)
            #expect(throws: HeldBytes.noRoom) { try messages.hold(arriving: 60_000) }
            // The one that was taken is being answered until the next one is.
            for left in [2, 1] {
                #expect(await messages.next() == message)
                #expect(memory.bytes == left * size - HeldBytes.uncounted)
            }
            messages.finish()
            #expect(await messages.next() == nil)
            #expect(memory.bytes == 0)
            try messages.hold(arriving: size)
            messages.end()
            #expect(memory.bytes == 0)
        }

        /// Whole messages behind a request whose answer the client does not read.
        @Test func waitingMessages() async throws {
            let connection = try await GRPCConnection.open(server.port)
            let value = ProtoValue.with { $0.bytesValue = Data(count: 900_000) }
            for number in 0..<8 { try await connection.commit([.set("c/d\(number)", ["bytes": value])]) }
            try await wait(for: "the end of the commits") { memory.bytes == 0 }
            let request = try frame(
                ProtoListenRequest.with {
                    $0.database = Names.database
                    $0.addTarget.targetID = 1
                    $0.addTarget.query.parent = Names.root
                    $0.addTarget.query.structuredQuery = .all("c")
                })
            let message = frame([UInt8](repeating: 0, count: Self.size))
            let first = try await connection.begin("Listen", reads: false)
            await first.send(request + message)
            try await wait(for: "the message") {
                memory.bytes == request.count + message.count - HeldBytes.uncounted
            }
            let second = try await GRPCConnection.open(server.port).begin("Listen")
            await second.send(message)
            let refused = GRPCFailure(await second.response())
            #expect(refused == GRPCFailure(.resourceExhausted, HeldBytes.noRoom.message))
            try await first.reset()
            try await wait(for: "the room") { memory.bytes == 0 }
        }

        @Test func halfBodies() async throws {
            let spaces = String(repeating: " ", count: Self.size)
            let first = try await HTTPConnection.open(server.port)
            let head = "POST /v1/\(Names.root):commit HTTP/1.1\r\ncontent-length: \(3 << 20)\r\n\r\n"
            try await first.send(head + spaces)
            try await wait(for: "the first half") { memory.bytes == Self.size - HeldBytes.uncounted }
            let body = spaces + #"{"writes":[]}"#
            let refused = try await server.rest("POST", ":commit", body)
            #expect(refused.status == 429)
            #expect(refused.error?.message == HeldBytes.noRoom.message)
            try await first.close()
            try await wait(for: "the room") { memory.bytes == 0 }
            #expect(try await server.rest("POST", ":commit", body).status == 200)
            try await wait(for: "the end of the request") { memory.bytes == 0 }
        }
    }
#endif
