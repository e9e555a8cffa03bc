// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOCore
    internal import SwiftProtobuf

    /// What runs for a method's path.
    enum GRPCMethod: Sendable {
        /// One message of the client, then any number of the server.
        case single(@Sendable (ByteBuffer, GRPCCall) async throws -> Void)
        /// Messages in both directions, at any time.
        case duplex(@Sendable (GRPCCall) async throws -> Void)

        /// Runs a call, and returns the status that it ended with.
        func run(_ call: GRPCCall) async -> StatusCode {
            let error = await failure(of: call)
            call.writer.finish([GRPCPart.end(error)])
            return error?.status ?? .ok
        }

        private func failure(of call: GRPCCall) async -> RequestError? {
            do {
                switch self {
                case .single(let body):
                    for await message in call.messages { try await body(message, call) }
                case .duplex(let body): try await body(call)
                }
                return nil
            } catch let error as RequestError {
                return error
            } catch is CancellationError {
                return RequestError(.cancelled, "The call was cancelled.")
            } catch {
                return RequestError(.unknown, "\(error)")
            }
        }

        /// A method that answers one message by one message.
        static func unary<Request: Message, Response: Message>(
            _ answer: @escaping @Sendable (Request, GRPCCall) async throws -> Response
        ) -> GRPCMethod {
            .single { bytes, call in
                let response = try await answer(try GRPCMethod.decode(bytes), call)
                var frames = ByteBuffer()
                try frames.writeMessage(response)
                call.writer.finish([GRPCPart.messages(frames)])
            }
        }

        /// A method that answers one message by several.
        static func stream<Request: Message>(
            _ answer: @escaping @Sendable (Request, GRPCCall) async throws -> Void
        ) -> GRPCMethod {
            .single { bytes, call in try await answer(try GRPCMethod.decode(bytes), call) }
        }

        static func decode<Request: Message>(_ bytes: ByteBuffer) throws(RequestError) -> Request {
            do {
                return try Request(serializedBytes: Array(bytes.readableBytesView))
            } catch {
                throw .invalid("The request is not a \(Request.protoMessageName): \(error)")
            }
        }
    }

    extension GRPCCall {
        /// The client's messages. A malformed one ends the stream with an error.
        func decoded<Request: Message & Sendable>() -> AsyncThrowingStream<Request, any Error> {
            let (stream, continuation) = AsyncThrowingStream<Request, any Error>.makeStream()
            let task = Task {
                do {
                    for await message in messages { continuation.yield(try GRPCMethod.decode(message)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
            return stream
        }
    }

    extension ByteBuffer {
        /// Appends a message with gRPC's prefix.
        mutating func writeMessage(_ message: some Message) throws {
            let bytes: [UInt8] = try message.serializedBytes()
            reserveCapacity(minimumWritableBytes: GRPCMessageReader.prefixLength + bytes.count)
            writeInteger(UInt8(0))
            writeInteger(UInt32(bytes.count))
            writeBytes(bytes)
        }
    }

    /// The methods by their paths.
    struct GRPCMethods: Sendable {
        private let byPath: [String: GRPCMethod]
        /// Nil if nothing is logged.
        var log: RequestLog?

        init(_ byPath: [String: GRPCMethod]) {
            self.byPath = byPath
        }

        subscript(path: String) -> GRPCMethod? { byPath[path] }

        var paths: [String] { Array(byPath.keys) }
    }
#endif
