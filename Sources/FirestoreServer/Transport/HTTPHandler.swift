// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol
    internal import NIOCore
    internal import NIOHTTP1

    /// What a route sends.
    enum HTTPPart: Sendable {
        case head(HTTPResponseHead)
        case body(ByteBuffer)
        case end
    }

    /// One HTTP/1.1 connection, or one stream of HTTP/2 that is not gRPC. Collects a request, runs its route in a task, and writes
    /// what that sends.
    final class HTTPHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPPart
        typealias OutboundOut = HTTPServerResponsePart

        private let router: RequestRouter
        private var head: HTTPRequestHead?
        private var body = ByteBuffer()
        private var writer: PacedWriter?
        private var task: Task<Void, Never>?
        private var timeout: Scheduled<Void>?
        private var isTooLarge = false
        private var closes = false

        /// How long a client may take to send a request, and how long a connection may wait for the next.
        private static let patience = TimeAmount.seconds(60)

        init(_ router: RequestRouter) {
            self.router = router
        }

        func channelActive(context: ChannelHandlerContext) {
            awaitRequest(context)
            context.fireChannelActive()
        }

        private func awaitRequest(_ context: ChannelHandlerContext) {
            timeout?.cancel()
            let channel = context.channel
            timeout = context.eventLoop.scheduleTask(in: HTTPHandler.patience) { channel.close(promise: nil) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                awaitRequest(context)
                self.head = head
                body.clear()
                isTooLarge = false
            case .body(var bytes):
                if body.readableBytes + bytes.readableBytes > RequestLimits.size {
                    isTooLarge = true
                } else if !isTooLarge {
                    body.writeBuffer(&bytes)
                }
            case .end:
                timeout?.cancel()
                guard let head else { return }
                self.head = nil
                run(context, head)
            }
        }

        private func run(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
            closes = !head.isKeepAlive
            let writer = PacedWriter(context.channel)
            self.writer = writer
            let responder = HTTPResponder(writer, head, router.origins)
            let body = body
            self.body = ByteBuffer()
            let refusal = isTooLarge ? RequestLimits.tooLarge : nil
            task = Task { [router] in
                do {
                    if let refusal { throw refusal }
                    try await router.answer(try HTTPRequest(head, body), responder)
                } catch {
                    await responder.fail(error)
                }
            }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(let head): context.write(wrapOutboundOut(.head(head)), promise: promise)
            case .body(let bytes): context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
            case .end:
                let channel = context.channel
                let closes = closes
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
                writer = nil
                task = nil
                if closes { channel.close(promise: nil) } else { awaitRequest(context) }
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
            timeout?.cancel()
            writer?.close()
            task?.cancel()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
