// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOCore
    internal import NIOHPACK
    internal import NIOHTTP1
    internal import NIOHTTP2

    /// Sets up an HTTP/2 stream for gRPC or for REST, by its content type.
    final class StreamRouter: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias InboundOut = HTTP2Frame.FramePayload

        private let router: RequestRouter
        private let calls: CallCount

        init(_ router: RequestRouter, _ calls: CallCount) {
            self.router = router
            self.calls = calls
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .headers(let headers) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
            let calls = calls
            calls.begin()
            context.channel.closeFuture.assumeIsolated().whenComplete { _ in calls.end() }
            do {
                if headers.headers.first(name: "content-type")?.hasPrefix("application/grpc") == true {
                    let handler = GRPCHandler(router.grpc, router.limits, router.memory)
                    try context.pipeline.syncOperations.addHandler(handler)
                } else {
                    try context.pipeline.syncOperations.addHandlers([
                        HTTP2FramePayloadToHTTP1ServerCodec(), HTTPHandler(router),
                    ])
                }
            } catch {
                return context.close(promise: nil)
            }
            context.fireChannelActive()
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
