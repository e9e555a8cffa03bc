// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import NIOCore
    import NIOHPACK
    import NIOHTTP2
    import NIOPosix
    import Synchronization
    import SwiftProtobuf

    /// A gRPC client of raw frames: it sends what a test wants, well-formed or not.
    final class GRPCConnection: Sendable {
        let channel: any Channel
        private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
        private let watch: ConnectionWatch

        private init(_ channel: any Channel, _ multiplexer: NIOHTTP2Handler.StreamMultiplexer, _ watch: ConnectionWatch)
        {
            self.channel = channel
            self.multiplexer = multiplexer
            self.watch = watch
        }

        static func open(_ port: Int) async throws -> GRPCConnection {
            let watch = ConnectionWatch()
            let (channel, multiplexer) = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let multiplexer = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                            mode: .client, connectionConfiguration: .init(), streamConfiguration: .init()
                        ) { $0.eventLoop.makeSucceededVoidFuture() }
                        try channel.pipeline.syncOperations.addHandler(GoAwayHandler(watch))
                        return (channel, multiplexer)
                    }
                }
            return GRPCConnection(channel, multiplexer, watch)
        }

        /// Whether the server has announced that it goes away.
        var sawGoAway: Bool { watch.sawGoAway.withLock { $0 } }

        /// Begins a call: sends its headers.
        ///
        /// - Parameters:
        ///   - method: a method of `google.firestore.v1.Firestore`, or a whole path if it begins with a slash or the content type is
        ///     another.
        ///   - reads: whether to read the response as it comes. ``GRPCStream/readAll()`` begins it otherwise.
        func begin(
            _ method: String, headers: [(String, String)] = [], verb: String = "POST",
            contentType: String = "application/grpc", isLast: Bool = false, reads: Bool = true
        ) async throws -> GRPCStream {
            let (events, inbox) = AsyncStream.makeStream(of: GRPCStream.Event.self)
            let stream = try await multiplexer.createStreamChannel { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(GRPCStreamHandler(inbox))
                }.flatMap { stream.setOption(.autoRead, value: reads) }
            }.get()
            let path =
                contentType != "application/grpc" || method.hasPrefix("/")
                ? method : "/google.firestore.v1.Firestore/\(method)"
            let fields = HPACKHeaders(
                [
                    (":method", verb), (":scheme", "http"), (":path", path), (":authority", "localhost"),
                    ("content-type", contentType), ("te", "trailers"),
                ] + headers)
            try await stream.writeAndFlush(
                HTTP2Frame.FramePayload.headers(.init(headers: fields, endStream: isLast)))
            return GRPCStream(channel: stream, events: events)
        }

        func close() async throws { try await channel.close() }
    }

    /// One call of a ``GRPCConnection``.
    struct GRPCStream {
        enum Event: Sendable {
            case headers(HPACKHeaders)
            case data(ByteBuffer)
            case reset(HTTP2ErrorCode)
        }

        let channel: any Channel
        let events: AsyncStream<Event>

        /// Sends bytes, framed by the caller. The server may have ended the call before they are sent.
        func send(_ bytes: [UInt8], isLast: Bool = false) async {
            try? await channel.writeAndFlush(
                HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: isLast)))
        }

        func reset() async throws {
            try await channel.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.cancel))
        }

        func readAll() async throws {
            try await channel.setOption(.autoRead, value: true).get()
            channel.read()
        }

        /// Collects the response to its end.
        func response() async -> GRPCResponse {
            var blocks: [HPACKHeaders] = []
            var bytes: [UInt8] = []
            var reset: HTTP2ErrorCode?
            for await event in events {
                switch event {
                case .headers(let headers): blocks.append(headers)
                case .data(let part): bytes += part.readableBytesView
                case .reset(let code): reset = code
                }
            }
            return GRPCResponse(blocks: blocks, bytes: bytes, reset: reset)
        }

        /// The first bytes of messages that arrive.
        func firstData() async -> [UInt8]? {
            for await case .data(let part) in events { return Array(part.readableBytesView) }
            return nil
        }
    }

    /// The response of a call.
    struct GRPCResponse {
        /// The blocks of headers: one for an error without messages, two otherwise.
        let blocks: [HPACKHeaders]
        /// The messages with their prefixes.
        let bytes: [UInt8]
        /// With what the server reset the stream, if it did.
        var reset: HTTP2ErrorCode?

        var headers: HPACKHeaders { blocks.first ?? [:] }
        var trailers: HPACKHeaders { blocks.last ?? [:] }
        /// The number of the status; nil if the stream ended without one.
        var status: Int? { trailers.first(name: "grpc-status").flatMap { Int($0) } }
        var message: String { trailers.first(name: "grpc-message")?.removingPercentEncoding ?? "" }

        var messages: [[UInt8]] {
            var messages: [[UInt8]] = []
            var rest = bytes[...]
            while rest.count >= 5 {
                let length = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
                messages.append(Array(rest.dropFirst(5).prefix(length)))
                rest = rest.dropFirst(5 + length)
            }
            return messages
        }
    }

    /// What the connection as a whole is told.
    private final class ConnectionWatch: Sendable {
        let sawGoAway = Mutex(false)
    }

    private final class GoAwayHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame

        private let watch: ConnectionWatch

        init(_ watch: ConnectionWatch) {
            self.watch = watch
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .goAway = unwrapInboundIn(data).payload { watch.sawGoAway.withLock { $0 = true } }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private final class GRPCStreamHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload

        private let inbox: AsyncStream<GRPCStream.Event>.Continuation

        init(_ inbox: AsyncStream<GRPCStream.Event>.Continuation) {
            self.inbox = inbox
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(let frame): inbox.yield(.headers(frame.headers))
            case .data(let frame):
                if case .byteBuffer(let bytes) = frame.data { inbox.yield(.data(bytes)) }
            case .rstStream(let code): inbox.yield(.reset(code))
            default: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) { inbox.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
