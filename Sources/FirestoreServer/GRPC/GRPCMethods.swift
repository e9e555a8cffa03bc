// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    internal import SwiftProtobuf

    /// What runs for a method's path.
    enum GRPCMethod: Sendable {
        /// One message of the client, then any number of the server. Returns the last ones, which go together with the status. Messages
        /// up to `brief` bytes make a call that takes so little time that other connections of its event loop may wait for it: it reads
        /// or writes a few documents, and commits are made by the writer's thread.
        case single(brief: Int, @Sendable (ByteBuffer, GRPCCall) async throws -> ByteBuffer?)
        /// Messages in both directions, at any time.
        case duplex(@Sendable (WaitingMessages, GRPCCall) async throws -> Void)

        /// Whether a call with a message runs on its event loop.
        func isBrief(_ message: ByteBuffer) -> Bool {
            if case .single(let size, _) = self { message.readableBytes <= size } else { false }
        }

        /// The most bytes of a brief call that names one document, or writes what its message holds.
        static let oneDocument = 16 << 10
        /// The most bytes of a brief call that names documents of any size: about ten.
        static let fewDocuments = 1 << 10

        /// Runs a call with the client's only message, and returns the status that it ended with.
        func run(_ call: GRPCCall, _ message: ByteBuffer) async -> StatusCode {
            await end(call) {
                if case .single(_, let body) = self { try await body(message, call) } else { nil }
            }
        }

        /// Runs a call with the client's messages.
        func run(_ call: GRPCCall, _ messages: WaitingMessages) async -> StatusCode {
            await end(call) {
                if case .duplex(let body) = self { try await body(messages, call) }
                return nil
            }
        }

        private func end(_ call: GRPCCall, _ body: () async throws -> ByteBuffer?) async -> StatusCode {
            let (last, error) = await GRPCMethod.outcome(of: body)
            call.writer.finish((last.map { [GRPCPart.messages($0)] } ?? []) + [.end(error)])
            return error?.status ?? .ok
        }

        private static func outcome(
            of body: () async throws -> ByteBuffer?
        ) async -> (last: ByteBuffer?, error: RequestError?) {
            do {
                return (try await body(), nil)
            } catch let error as RequestError {
                return (nil, error)
            } catch is CancellationError {
                return (nil, .cancelled)
            } catch {
                return (nil, RequestError(.unknown, "\(error)"))
            }
        }

        /// A method that answers one message by one message.
        static func unary<Request: Message, Response: Message>(
            brief: Int = 0, _ answer: @escaping @Sendable (Request, GRPCCall) async throws -> Response
        ) -> GRPCMethod {
            .single(brief: brief) { bytes, call in
                let response = try await answer(try GRPCMethod.decode(bytes), call)
                var frames = ByteBuffer()
                try frames.writeMessage(response)
                return frames
            }
        }

        /// A method that answers one message by several.
        static func stream<Request: Message>(
            brief: Int = 0, _ answer: @escaping @Sendable (Request, GRPCCall) async throws -> Void
        ) -> GRPCMethod {
            .single(brief: brief) { bytes, call in
                try await answer(try GRPCMethod.decode(bytes), call)
                return nil
            }
        }

        static func decode<Request: Message>(_ bytes: ByteBuffer) throws(RequestError) -> Request {
            do {
                return try bytes.message(as: Request.self)
            } catch {
                throw .invalid("The request is not a \(Request.protoMessageName): \(error)")
            }
        }
    }

    extension WaitingMessages {
        /// The client's messages as requests. A malformed one ends the stream with an error.
        func decoded<Request: Message, Form: Sendable>(
            _ form: @escaping @Sendable (Request) -> Form
        ) -> AsyncThrowingStream<Form, any Error> {
            AsyncThrowingStream { try await self.next().map { form(try GRPCMethod.decode($0)) } }
        }
    }

    /// The methods by their paths.
    struct GRPCMethods: Sendable {
        private let byPath: [String: GRPCMethod]
        /// Nil if nothing is logged.
        var observer: RequestObserver?

        init(_ byPath: [String: GRPCMethod]) {
            self.byPath = byPath
        }

        subscript(path: String) -> GRPCMethod? { byPath[path] }

        var paths: [String] { Array(byPath.keys) }
    }
#endif
