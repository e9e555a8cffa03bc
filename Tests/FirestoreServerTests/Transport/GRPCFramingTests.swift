// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import NIOHPACK
    import SwiftProtobuf
    import Testing

    /// Requests whose bytes are cut, too many or no message.
    @Suite struct GRPCFramingTests {
        let server: TestServer

        init() throws {
            server = try TestServer()
        }

        private static let commit: [UInt8] = {
            var request = ProtoCommitRequest()
            request.database = Names.database
            request.writes = [.set("c/d", ["a": ProtoValue(1)])]
            return (try? frame(request)) ?? []
        }()

        private func send(
            _ parts: [[UInt8]], headers: [(String, String)] = [], isLast: Bool = true
        ) async throws -> GRPCResponse {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Commit", headers: headers)
            for (index, part) in parts.enumerated() {
                await stream.send(part, isLast: isLast && index == parts.count - 1)
            }
            return await stream.response()
        }

        @Test func requestsInPieces() async throws {
            let pieces = Self.commit.map { [$0] }
            #expect(try await send(pieces).status == 0)
            #expect(try await send(pieces + [[]]).status == 0)
        }

        @Test func cutRequests() async throws {
            for length in [0, 1, 4, 5, 6, Self.commit.count - 1] {
                let response = try await send([Array(Self.commit.prefix(length))])
                #expect(response.status == StatusCode.invalidArgument.rawValue, "\(length) bytes")
            }
        }

        /// Refused as soon as a byte too many is there, so that an endless stream takes no memory.
        @Test func moreThanOneMessage() async throws {
            for excess in [Self.commit, [0]] {
                let response = try await send([Self.commit, excess], isLast: false)
                #expect(response.status == StatusCode.invalidArgument.rawValue)
                #expect(response.message == "A call of this method has one message, which is whole.")
            }
        }

        @Test func compressedMessages() async throws {
            let byPrefix = try await send([frame([1, 2, 3], isCompressed: true)])
            let byHeader = try await send([Self.commit], headers: [("grpc-encoding", "gzip")])
            for response in [byPrefix, byHeader] {
                #expect(response.status == StatusCode.unimplemented.rawValue)
                #expect(response.headers.first(name: "grpc-accept-encoding") == "identity")
            }
            #expect(try await send([Self.commit], headers: [("grpc-encoding", "identity")]).status == 0)
        }

        /// Refused by its announced length: none of its bytes are awaited.
        @Test(arguments: [11_534_337, 1 << 31, 0xFFFF_FFFF]) func announcedLengths(_ length: Int) async throws {
            let prefix = [0] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
            let response = try await send([prefix], isLast: false)
            #expect(response.status == StatusCode.invalidArgument.rawValue)
            #expect(response.message == "Request payload size exceeds the limit: 11534336 bytes.")
        }

        /// Lengths that lie, cut fields, and text that is not UTF-8.
        @Test(arguments: [
            [0xFF], [0x0A, 5, 0x61], [0x0A, 1, 0xFF], [0x12, 2, 0x0A, 9], Array(repeating: 0x13, count: 300),
        ])
        func bytesThatAreNoMessage(_ bytes: [UInt8]) async throws {
            let response = try await send([frame(bytes)])
            #expect(response.status == StatusCode.invalidArgument.rawValue)
            #expect(response.message.hasPrefix("The request is not a google.firestore.v1.CommitRequest"))
        }

        @Test func unknownFieldsAreIgnored() async throws {
            let known = Array(Self.commit.dropFirst(5))
            #expect(try await send([frame(known + [0xFA, 0x7F, 3, 1, 2, 3])]).status == 0)
        }
    }
#endif
