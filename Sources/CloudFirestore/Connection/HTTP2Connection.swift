// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import NIOCore
    internal import NIOHTTP2
    internal import NIOPosix
    internal import NIOSSL

    /// A connection whose streams are calls. All but `hasCalls` of others is called on its event loop.
    final class HTTP2Connection: Sendable {
        private struct State: Sendable {
            var calls = 0
            var isLeaving = false
            var error: ConnectionError?
        }

        let channel: any Channel
        private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
        private let state: NIOLoopBoundBox<State>
        /// Told that the server accepts no new calls, and whether it was asked too often for life.
        private let left: @Sendable (_ isCalm: Bool) -> Void

        /// How long a server may take until it speaks HTTP/2, TLS included.
        static let openingTime = TimeAmount.seconds(15)
        /// Bytes that the server may send before they are taken in.
        private static let window = 1 << 20

        private init(
            _ channel: any Channel, _ multiplexer: NIOHTTP2Handler.StreamMultiplexer,
            left: @escaping @Sendable (_ isCalm: Bool) -> Void
        ) {
            self.channel = channel
            self.multiplexer = multiplexer
            self.left = left
            state = NIOLoopBoundBox(State(), eventLoop: channel.eventLoop)
        }

        /// Opens a connection. It is there when the server has begun to speak HTTP/2.
        static func open(
            _ endpoint: Endpoint, _ tls: NIOSSLContext?, on loop: any EventLoop, keepAlive: TimeAmount,
            left: @escaping @Sendable (_ isCalm: Bool) -> Void
        ) -> EventLoopFuture<HTTP2Connection> {
            let ready = loop.makePromise(of: HTTP2Connection.self)
            ClientBootstrap(group: loop)
                .connectTimeout(openingTime)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let tls {
                            let name = endpoint.isAddress ? nil : endpoint.host
                            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
                        }
                        let multiplexer = try pipeline.configureHTTP2Pipeline(
                            mode: .client, connectionConfiguration: connectionConfiguration,
                            streamConfiguration: streamConfiguration
                        ) { $0.close() }
                        let connection = HTTP2Connection(channel, multiplexer, left: left)
                        try pipeline.addHandler(
                            ConnectionHandler(connection, endpoint, keepAlive: keepAlive, ready: ready))
                    }
                }
                .connect(host: endpoint.host, port: endpoint.port)
                // Of several addresses the last one may fail when an earlier one has answered.
                .whenFailure { ready.fail(ConnectionError($0, endpoint)) }
            return ready.futureResult
        }

        private static var connectionConfiguration: NIOHTTP2Handler.ConnectionConfiguration {
            var configuration = NIOHTTP2Handler.ConnectionConfiguration()
            configuration.initialSettings = [
                HTTP2Setting(parameter: .enablePush, value: 0),
                HTTP2Setting(parameter: .initialWindowSize, value: window),
                HTTP2Setting(parameter: .maxHeaderListSize, value: 64 << 10),
            ]
            configuration.targetWindowSize = window
            return configuration
        }

        private static var streamConfiguration: NIOHTTP2Handler.StreamConfiguration {
            var configuration = NIOHTTP2Handler.StreamConfiguration()
            configuration.targetWindowSize = window
            return configuration
        }

        // MARK: Calls

        /// Opens a stream for a call.
        func open(
            _ handler: @escaping @Sendable () -> CallHandler
        ) -> EventLoopFuture<any Channel> {
            state.value.calls += 1
            let stream = multiplexer.createStreamChannel { stream in
                stream.eventLoop.makeCompletedFuture { try stream.pipeline.syncOperations.addHandler(handler()) }
            }
            stream.whenComplete { result in
                switch result {
                case .success(let stream): stream.closeFuture.whenComplete { _ in self.endCall() }
                case .failure: self.endCall()
                }
            }
            return stream
        }

        var hasCalls: Bool { state.value.calls > 0 }

        private func endCall() {
            state.value.calls -= 1
            closeIfDone()
        }

        /// The server accepts no new calls; those that it has begun go on.
        func leave(isCalm: Bool) {
            guard !state.value.isLeaving else { return }
            state.value.isLeaving = true
            left(isCalm)
            closeIfDone()
        }

        private func closeIfDone() {
            if state.value.isLeaving, state.value.calls == 0 { channel.close(promise: nil) }
        }

        func end(_ error: ConnectionError) {
            state.value.error = error
            if !state.value.isLeaving { leave(isCalm: true) }
        }

        /// Why the connection has ended; nil while it is open.
        var error: ConnectionError? { state.value.error }
    }
#endif
