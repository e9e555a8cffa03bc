// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Synchronization
    import TestSupport

    /// Stands between a client and a server: passes bytes on, late, or not at all. What it does follows from a seed, and
    /// from the bytes' way through the system.
    final class Proxy: Sendable {
        enum Fate {
            case pass
            case delay(TimeAmount)
            /// The connection ends, with what was on its way.
            case cut
            /// One side hears the end of what the other one says, and may go on.
            case halfClose
        }

        private struct State: Sendable {
            var random: SeededGenerator
            /// How many of a hundred pieces of data something happens to.
            var wildness: Int
            var connections: [ObjectIdentifier: any Channel] = [:]
            var cuts = 0
            var accepted = 0
        }

        let port: Int
        private let listener: any Channel
        private let state: Mutex<State>

        init(to server: Int, _ random: SeededGenerator, wildness: Int = 0, tls: NIOSSLContext? = nil) throws {
            state = Mutex(State(random: random, wildness: wildness))
            let holder = Holder()
            listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { front in
                    front.eventLoop.makeCompletedFuture {
                        if let tls {
                            try front.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                        }
                    }.flatMap { holder.connect(front, to: server) }
                }
                .bind(host: "127.0.0.1", port: 0).wait()
            port = listener.localAddress?.port ?? 0
            holder.proxy.withLock { $0 = Weak(self) }
        }

        deinit { listener.close(promise: nil) }

        /// Nobody listens at the port any more when it returns.
        func close() async throws { try await listener.close() }

        /// From now on everything passes.
        func calm() { state.withLock { $0.wildness = 0 } }

        /// Cuts all connections.
        func cutAll() {
            let channels = state.withLock { state in
                state.cuts += state.connections.count
                return Array(state.connections.values)
            }
            for channel in channels { channel.close(promise: nil) }
        }

        /// How many connections were cut or half-closed, so that a test can tell that something happened.
        var cuts: Int { state.withLock { $0.cuts } }
        var accepted: Int { state.withLock { $0.accepted } }

        fileprivate func fate() -> Fate {
            state.withLock { state in
                guard state.random.int(0..<100) < state.wildness else { return .pass }
                switch state.random.int(0..<10) {
                case 0..<3:
                    state.cuts += 1
                    return .cut
                case 3:
                    state.cuts += 1
                    return .halfClose
                default: return .delay(.milliseconds(Int64(state.random.int(1..<20))))
                }
            }
        }

        fileprivate func note(_ front: any Channel) {
            state.withLock {
                $0.accepted += 1
                $0.connections[ObjectIdentifier(front)] = front
            }
            front.closeFuture.whenComplete { _ in
                self.state.withLock { $0.connections[ObjectIdentifier(front)] = nil }
            }
        }
    }

    private struct Weak: Sendable {
        weak let proxy: Proxy?

        init(_ proxy: Proxy) { self.proxy = proxy }
    }

    /// Connects what the listener accepts, which is read only when both connections are there.
    private final class Holder: Sendable {
        let proxy = Mutex<Weak?>(nil)

        func connect(_ front: any Channel, to server: Int) -> EventLoopFuture<Void> {
            ClientBootstrap(group: front.eventLoop)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.autoRead, value: false)
                .connect(host: "127.0.0.1", port: server)
                .flatMap { back in
                    guard let proxy = self.proxy.withLock({ $0?.proxy }) else { return front.close() }
                    proxy.note(front)
                    return front.eventLoop.makeCompletedFuture {
                        try front.pipeline.syncOperations.addHandler(Relay(back, proxy))
                        try back.pipeline.syncOperations.addHandler(Relay(front, proxy))
                    }.map {
                        _ = back.setOption(.autoRead, value: true)
                    }
                }
                .flatMapError { _ in front.close() }
        }
    }

    /// One direction.
    private final class Relay: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let proxy: Proxy
        /// Nothing overtakes what is delayed.
        private var next = NIODeadline.now()

        init(_ other: any Channel, _ proxy: Proxy) {
            self.other = other
            self.proxy = proxy
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            switch proxy.fate() {
            case .pass: send(bytes, after: .zero)
            case .delay(let time): send(bytes, after: time)
            case .halfClose:
                send(bytes, after: .zero)
                let other = other
                other.eventLoop.scheduleTask(deadline: next) { other.close(mode: .output, promise: nil) }
            case .cut:
                context.close(promise: nil)
                other.close(promise: nil)
            }
        }

        private func send(_ bytes: ByteBuffer, after time: TimeAmount) {
            let now = NIODeadline.now()
            next = max(next, now + time)
            let other = other
            if next <= now {
                other.writeAndFlush(bytes, promise: nil)
            } else {
                other.eventLoop.scheduleTask(deadline: next) { other.writeAndFlush(bytes, promise: nil) }
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent {
                other.close(mode: .output, promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
            other.close(promise: nil)
        }
    }
#endif
