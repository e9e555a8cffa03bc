// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOWebSocket

    /// One WebSocket connection of the emulator's interface to `/requests`: the last requests in one message, then each in a message
    /// of its own.
    final class FeedHandler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        private let feed: RequestFeed
        private var task: Task<Void, Never>?
        private var writer: PacedWriter?

        init(_ feed: RequestFeed) {
            self.feed = feed
        }

        /// Prepares a connection that begins with an HTTP request. One that asks for something else is closed.
        static func setUp(_ channel: any Channel, _ feed: RequestFeed, _ pages: AllowedPages) throws {
            let upgrader = NIOWebSocketServerUpgrader(
                shouldUpgrade: { channel, head in
                    let isAllowed = (try? pages.check(head.headers)) != nil && head.uri == "/requests"
                    return channel.eventLoop.makeSucceededFuture(isAllowed ? HTTPHeaders() : nil)
                },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FeedHandler(feed))
                    }
                })
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withServerUpgrade: (
                    upgraders: [upgrader],
                    // What follows is frames, which this handler could not read.
                    completionHandler: { context in
                        let pipeline = context.pipeline.syncOperations
                        guard let handler = try? pipeline.handler(type: RefusingHandler.self) else { return }
                        pipeline.removeHandler(handler, promise: nil)
                    }
                ))
            try channel.pipeline.syncOperations.addHandler(RefusingHandler())
        }

        func handlerAdded(context: ChannelHandlerContext) {
            let writer = PacedWriter(context.channel)
            self.writer = writer
            task = Task { [feed] in
                let (latest, next) = feed.watch()
                do {
                    try await writer.write(FeedMessage.frame(latest))
                    for await request in next {
                        for message in FeedMessage.frames(request) { try await writer.write(message) }
                    }
                } catch {
                    // The interface is gone.
                }
            }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.opcode {
            case .ping:
                let answer = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
                context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            case .connectionClose:
                let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
                let channel = context.channel
                context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in channel.close(promise: nil) }
            default: break
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            writer?.setWritable(context.channel.isWritable)
            context.fireChannelWritabilityChanged()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ServerIsStopping { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            writer?.close()
            task?.cancel()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Ends a connection that does not become a WebSocket.
    private final class RefusingHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let headers: HTTPHeaders = ["content-length": "0", "connection": "close"]
            let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
