// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import FirestoreProtocol
    import GRPCFraming
    import NIOCore
    import NIOHPACK
    import NIOHTTP2
    import NIOPosix
    import SwiftProtobuf
    import Synchronization
    import TestSupport

    /// A server that says what a test tells it to.
    final class ScriptedServer: Sendable {
        private struct State: Sendable {
            var calls: [ScriptedCall] = []
            var connections: [any Channel] = []
        }

        let port: Int
        private let listener: any Channel
        private let state: Shared

        private final class Shared: Sendable {
            let value = Mutex(State())
        }

        init() throws {
            let shared = Shared()
            state = shared
            listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    shared.value.withLock { $0.connections.append(channel) }
                    return channel.eventLoop.makeCompletedFuture {
                        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                        ) { stream in
                            let call = ScriptedCall(stream)
                            shared.value.withLock { $0.calls.append(call) }
                            return stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandler(ScriptedHandler(call))
                            }
                        }
                    }
                }
                .bind(host: "127.0.0.1", port: 0).wait()
            port = listener.localAddress?.port ?? 0
        }

        deinit {
            listener.close(promise: nil)
            cutAll()
        }

        var host: String { "127.0.0.1:\(port)" }
        var connectionCount: Int { state.value.withLock { $0.connections.count } }

        func cutAll() {
            for channel in state.value.withLock({ $0.connections }) { channel.close(promise: nil) }
        }

        /// Tells all clients to open no more calls on their connections, whose calls go on.
        func leaveAll() {
            let frame = HTTP2Frame(
                streamID: .rootStream, payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
            for channel in state.value.withLock({ $0.connections }) { channel.writeAndFlush(frame, promise: nil) }
        }

        /// The call of this number to a method, when it has come.
        func call(_ method: String, _ number: Int = 0) async throws -> ScriptedCall {
            var found: ScriptedCall?
            try await wait(for: "call \(number) of \(method)") {
                let calls = state.value.withLock { $0.calls }.filter { $0.path.hasSuffix("/\(method)") }
                found = calls.count > number ? calls[number] : nil
                return found != nil
            }
            return found!
        }
    }

    /// A call that the server has received.
    final class ScriptedCall: Sendable {
        private struct State: Sendable {
            var headers = HPACKHeaders()
            var messages: [[UInt8]] = []
            var isClosed = false
            var hasAnswered = false
            var isEnded = false
        }

        private let stream: any Channel
        private let state = Mutex(State())

        init(_ stream: any Channel) { self.stream = stream }

        var headers: HPACKHeaders { state.withLock { $0.headers } }
        var path: String { headers.first(name: ":path") ?? "" }
        /// Whether the client has ended or left the call.
        var isClosed: Bool { state.withLock { $0.isClosed } }

        /// Whether the server has ended the call.
        var isEnded: Bool { state.withLock { $0.isEnded } }

        fileprivate func note(_ headers: HPACKHeaders) { state.withLock { $0.headers = headers } }
        fileprivate func note(_ message: ByteBuffer) {
            state.withLock { $0.messages.append(Array(message.readableBytesView)) }
        }
        fileprivate func noteEnd() { state.withLock { $0.isClosed = true } }

        /// The request of this number, when it has come.
        func request<Request: Message>(_ number: Int = 0, as type: Request.Type = Request.self) async throws -> Request
        {
            try await wait(for: "request \(number) of \(path)") { state.withLock { $0.messages.count > number } }
            return try Request(serializedBytes: state.withLock { $0.messages[number] })
        }

        var requestCount: Int { state.withLock { $0.messages.count } }

        func send(_ messages: (any Message)...) throws {
            begin()
            for message in messages {
                var bytes = ByteBuffer()
                try bytes.writeMessage(message)
                stream.writeAndFlush(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(bytes))), promise: nil)
            }
        }

        private func begin() {
            let isFirst = state.withLock { state in
                defer { state.hasAnswered = true }
                return !state.hasAnswered
            }
            if isFirst {
                stream.writeAndFlush(
                    HTTP2Frame.FramePayload.headers(.init(headers: GRPCHeaders.start)), promise: nil)
            }
        }

        func end(_ error: RequestError? = nil) {
            let isOnly = state.withLock { !$0.hasAnswered }
            end(GRPCHeaders.end(error, isOnly: isOnly))
        }

        /// Ends with any headers.
        func end(_ headers: HPACKHeaders) {
            state.withLock { $0.isEnded = true }
            stream.writeAndFlush(
                HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: true)), promise: nil)
        }

        func reset(_ code: HTTP2ErrorCode) {
            stream.writeAndFlush(HTTP2Frame.FramePayload.rstStream(code), promise: nil)
        }
    }

    private final class ScriptedHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload

        private let call: ScriptedCall
        private var reader = GRPCMessageReader(limit: 20 << 20, RequestError(.internal, "too large"))

        init(_ call: ScriptedCall) { self.call = call }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(let frame): call.note(frame.headers)
            case .data(let frame):
                if case .byteBuffer(let bytes) = frame.data {
                    reader.append(bytes)
                    while let message = try? reader.next() { call.note(message) }
                }
                if frame.endStream { call.noteEnd() }
            default: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) { call.noteEnd() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { call.noteEnd() }
    }
#endif
