// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOHTTP2

    /// Sets up a connection for HTTP/2 or HTTP/1.1, by its first bytes.
    final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let router: RequestRouter
        private var received = ByteBuffer()
        private var isDone = false
        private var timeout: Scheduled<Void>?

        private static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

        init(_ router: RequestRouter) {
            self.router = router
        }

        func channelActive(context: ChannelHandlerContext) {
            let channel = context.channel
            timeout = context.eventLoop.scheduleTask(in: TimeAmount(router.limits.firstBytes)) {
                channel.close(promise: nil)
            }
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            timeout?.cancel()
            context.fireChannelInactive()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ServerIsStopping { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // A write that fails reads what is left, while the handlers behind are set up.
            guard !isDone else { return context.fireChannelRead(data) }
            var bytes = unwrapInboundIn(data)
            received.writeBuffer(&bytes)
            let known = min(received.readableBytes, ProtocolDetector.preface.readableBytes)
            let isPreface = received.readableBytesView.prefix(known)
                .elementsEqual(ProtocolDetector.preface.readableBytesView.prefix(known))
            if isPreface, known < ProtocolDetector.preface.readableBytes { return }
            timeout?.cancel()
            isDone = true
            do {
                if isPreface { try setUpHTTP2(context) } else { try setUpHTTP1(context) }
            } catch {
                return context.close(promise: nil)
            }
            // The handlers behind were not there when the connection became active.
            context.fireChannelActive()
            context.fireChannelRead(wrapInboundOut(received))
            context.fireChannelReadComplete()
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }

        private func setUpHTTP2(_ context: ChannelHandlerContext) throws {
            var connection = NIOHTTP2Handler.ConnectionConfiguration()
            connection.initialSettings = [
                HTTP2Setting(parameter: .maxConcurrentStreams, value: 1_000),
                HTTP2Setting(parameter: .initialWindowSize, value: HTTP2Limits.window),
                HTTP2Setting(parameter: .maxHeaderListSize, value: 64 << 10),
            ]
            connection.controlFrameRateLimit.maximumCount = HTTP2Limits.rate
            connection.controlFrameRateLimit.windowLength = .seconds(1)
            var stream = NIOHTTP2Handler.StreamConfiguration()
            stream.streamResetFrameRateLimit.maximumCount = HTTP2Limits.rate
            stream.streamResetFrameRateLimit.windowLength = .seconds(1)
            stream.targetWindowSize = HTTP2Limits.window
            let router = router
            let count = NIOLoopBound(CallCount(), eventLoop: context.eventLoop)
            _ = try context.pipeline.syncOperations.configureHTTP2Pipeline(
                mode: .server, connectionConfiguration: connection, streamConfiguration: stream
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StreamRouter(router, count.value))
                }
            }
            try context.pipeline.syncOperations.addHandler(HTTP2ConnectionHandler(count.value))
        }

        private func setUpHTTP1(_ context: ChannelHandlerContext) throws {
            try context.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
            try context.pipeline.syncOperations.addHandler(HTTPHandler(router))
        }
    }

    enum HTTP2Limits {
        /// Bytes that a client may send on a stream before the server has read them.
        static let window = 1 << 20
        /// PINGs, and RST_STREAMs, of a connection in a second. gRPC clients measure the connection by a PING for each answer, and
        /// cancel a call whose answer they need no more; NIOHTTP2 closes the connection after 200 in 30 seconds.
        static let rate = 20_000
    }
#endif
