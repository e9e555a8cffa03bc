// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import NIOCore
    internal import NIOHTTP2

    /// Watches a connection: when the server has begun to speak HTTP/2, whether it is still there, and when it leaves.
    final class ConnectionHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let connection: HTTP2Connection
        private let endpoint: Endpoint
        private let keepAlive: TimeAmount
        private var ready: EventLoopPromise<HTTP2Connection>?
        private var timer: Scheduled<Void>?
        private var awaitsPong = false
        private var failure: (any Error)?

        /// - Parameters:
        ///   - keepAlive: how often a server is asked whether it is there, and how long it may take to answer.
        ///   - ready: told of the server's first words, or why there were none.
        init(
            _ connection: HTTP2Connection, _ endpoint: Endpoint, keepAlive: TimeAmount,
            ready: EventLoopPromise<HTTP2Connection>
        ) {
            self.connection = connection
            self.endpoint = endpoint
            self.keepAlive = keepAlive
            self.ready = ready
        }

        func handlerAdded(context: ChannelHandlerContext) {
            after(context, HTTP2Connection.openingTime) { handler, context in
                handler.errorCaught(
                    context: context,
                    error: ConnectionError(
                        "\(handler.endpoint.authority) cannot be reached: it accepts connections and does not speak "
                            + "HTTP/2.", isUnreachable: true))
            }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data).payload {
            case .settings(.settings):
                guard let ready else { return }
                self.ready = nil
                ready.succeed(connection)
                ping(context)
            case .ping(_, ack: true): awaitsPong = false
            case .goAway(_, let code, _): connection.leave(isCalm: code != .enhanceYourCalm)
            default: break
            }
        }

        // MARK: Keep-alive

        /// A server that asks for less gets less; without calls nobody waits for one that is gone.
        private func ping(_ context: ChannelHandlerContext) {
            after(context, keepAlive) { handler, context in
                guard handler.connection.hasCalls else { return handler.ping(context) }
                handler.awaitsPong = true
                let ping = HTTP2Frame(
                    streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: 1), ack: false))
                context.writeAndFlush(handler.wrapOutboundOut(ping), promise: nil)
                handler.after(context, handler.keepAlive) { handler, context in
                    guard handler.awaitsPong else { return handler.ping(context) }
                    handler.errorCaught(
                        context: context,
                        error: ConnectionError(
                            "\(handler.endpoint.authority) has not answered for a while.", isUnreachable: true))
                }
            }
        }

        /// Whoever is told of the connection, or writes on it, may find it closed afterwards. A timer would keep it.
        private func after(
            _ context: ChannelHandlerContext, _ time: TimeAmount,
            _ body: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void
        ) {
            guard connection.error == nil else { return }
            timer?.cancel()
            let isolated = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            timer = context.eventLoop.scheduleTask(in: time) { body(isolated.value.0, isolated.value.1) }
        }

        // MARK: The end

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // An error of one stream concerns that stream alone.
            if error is NIOHTTP2Errors.StreamError { return }
            if failure == nil { failure = error }
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            timer?.cancel()
            let error =
                failure.map { ConnectionError($0, endpoint) }
                ?? ConnectionError("\(endpoint.authority) has closed the connection.", isUnreachable: ready != nil)
            connection.end(error)
            ready?.fail(error)
            ready = nil
            context.fireChannelInactive()
        }
    }
#endif
