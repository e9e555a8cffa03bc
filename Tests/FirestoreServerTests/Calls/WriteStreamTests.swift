// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import NIOCore
    import NIOHTTP2
    import SwiftProtobuf
    import Synchronization
    import TestSupport
    import Testing

    /// Write over gRPC, as the mobile SDKs speak it.
    @Suite struct WriteStreamTests {
        private let server: TestServer

        init() throws { server = try TestServer() }

        private static let handshake = handshake { _ in }

        private static func handshake(_ change: (inout ProtoWriteRequest) -> Void) -> ProtoWriteRequest {
            ProtoWriteRequest.with {
                $0.database = Names.database
                change(&$0)
            }
        }

        private static func batch(_ writes: ProtoWrite..., token: UInt8 = 1) -> ProtoWriteRequest {
            ProtoWriteRequest.with {
                $0.writes = writes
                $0.streamToken = Data([0, 0, 0, 0, 0, 0, 0, token])
            }
        }

        /// Sends all requests without waiting for an answer.
        private func exchange(_ requests: [ProtoWriteRequest]) async throws -> ([ProtoWriteResponse], GRPCResponse) {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Write")
            for (number, request) in requests.enumerated() {
                await stream.send(try frame(request), isLast: number == requests.count - 1)
            }
            let response = await stream.response()
            try await connection.close()
            return (try response.messages.map { try ProtoWriteResponse(serializedBytes: $0) }, response)
        }

        private func exists(_ path: String) async throws -> Bool {
            try await server.rest("GET", "/\(path)").status == 200
        }

        /// Several batches are on their way with the same token. An empty one asks for a token alone.
        @Test func answersInOrder() async throws {
            let (answers, end) = try await exchange([
                Self.handshake, Self.batch(.set("c/a", [:])), Self.batch(.set("c/b", [:]), .delete("c/a")),
                Self.batch(), Self.batch(.set("c/d", [:])),
            ])
            #expect(end.status == 0)
            #expect(answers.map(\.streamID.isEmpty) == [false, true, true, true, true])
            #expect(Set(answers.map(\.streamToken)).count == 5)
            #expect(answers.allSatisfy { !$0.streamToken.isEmpty })
            #expect(answers.map(\.writeResults.count) == [0, 1, 2, 0, 1])
            #expect(answers.map(\.hasCommitTime) == [false, true, true, false, true])
            let times = try answers.filter(\.hasCommitTime).map { try Timestamp($0.commitTime) }
            #expect(times == times.sorted() && Set(times).count == 3)
            #expect(answers[2].writeResults[0].updateTime == answers[2].commitTime)
            #expect(try await [exists("c/a"), exists("c/b"), exists("c/d")] == [false, true, true])
        }

        /// It leaves nothing, and nothing that was sent behind it is applied.
        @Test func aFailingBatchEndsTheStream() async throws {
            var wrong = ProtoWrite.set("c/wrong", [:])
            wrong.currentDocument.exists = true
            let (answers, end) = try await exchange([
                Self.handshake, Self.batch(.set("c/a", [:])), Self.batch(.set("c/b", [:]), wrong),
                Self.batch(.set("c/d", [:])),
            ])
            #expect(end.status == StatusCode.notFound.rawValue)
            #expect(end.message == "No document to update: \(Names.document("c/wrong"))")
            #expect(answers.count == 2)
            #expect(try await [exists("c/a"), exists("c/b"), exists("c/d")] == [true, false, false])
        }

        /// The client cannot send on while it does not read the answers, of which each has 500 times.
        @Test func unreadAnswers() async throws {
            let indexes = #"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"*","indexes":[]}]}"#
            let server = try TestServer(indexes: indexes)
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Write", reads: false)
            await stream.send(try frame(Self.handshake))
            var write = ProtoWrite.set("c/a", ["text": ProtoValue(String(repeating: "x", count: 600_000))])
            write.updateTransforms = (0..<500).map { number in
                .with {
                    $0.fieldPath = "f\(number)"
                    $0.setToServerValue = .requestTime
                }
            }
            let message = ByteBuffer(bytes: try frame(Self.batch(write)))
            let sent = Mutex(0)
            for _ in 0..<Self.batches {
                stream.channel.writeAndFlush(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(message))))
                    .whenSuccess { sent.withLock { $0 += 1 } }
            }
            let other = try await GRPCConnection.open(server.port)
            for _ in 0..<100 { try await other.commit([]) }
            #expect(sent.withLock { $0 } < 30)
            try await stream.readAll()
            await stream.send([], isLast: true)
            let response = await stream.response()
            #expect(response.status == 0)
            #expect(response.messages.count == 1 + Self.batches)
        }

        private static let batches = 36

        @Test(arguments: [
            ProtoWriteRequest(), batch(.set("c/a", [:])),
            handshake { $0.writes = [.set("c/a", [:])] }, handshake { $0.streamToken = Data([1]) },
            handshake { $0.streamID = "x" }, handshake { $0.database = "p" },
        ])
        func wrongFirstMessages(_ request: ProtoWriteRequest) async throws {
            let (answers, end) = try await exchange([request])
            #expect(answers.isEmpty)
            #expect(end.status == StatusCode.invalidArgument.rawValue, "\(end.message)")
            #expect(!(try await exists("c/a")))
        }
    }
#endif
