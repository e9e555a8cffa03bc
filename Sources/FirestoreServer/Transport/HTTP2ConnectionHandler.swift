// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOCore
    internal import NIOHTTP2

    /// The calls in progress on a connection. Its event loop owns it.
    final class CallCount {
        private(set) var value = 0
        /// Called when the last call has ended.
        var whenNone: (() -> Void)?

        func begin() { value += 1 }

        func end() {
            value -= 1
            if value == 0 { whenNone?() }
        }
    }

    /// Ends an HTTP/2 connection when the server stops, and closes it after a protocol error.
    final class HTTP2ConnectionHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let calls: CallCount

        /// How long calls in progress may go on when the server stops.
        private static let grace = TimeAmount.milliseconds(300)

        init(_ calls: CallCount) {
            self.calls = calls
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is ServerIsStopping else { return context.fireUserInboundEventTriggered(event) }
            let frame = HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            let channel = context.channel
            guard calls.value > 0 else { return channel.close(promise: nil) }
            calls.whenNone = { channel.close(promise: nil) }
            context.eventLoop.scheduleTask(in: HTTP2ConnectionHandler.grace) { channel.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // An error of one stream concerns that stream alone.
            if error is NIOHTTP2Errors.StreamError { return }
            context.close(promise: nil)
        }
    }
#endif
