// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Dispatch
    internal import NIOCore
    internal import NIOPosix
    internal import Synchronization

    /// Listening sockets and their connections.
    final class ServerSocket: Sendable {
        private struct State {
            var listeners: [any Channel] = []
            var connections: [ObjectIdentifier: any Channel] = [:]
            var isStopping = false
        }

        private let group: MultiThreadedEventLoopGroup
        private let connections: Int
        private let patience: DispatchTimeInterval
        private let setUp: @Sendable (any Channel) throws -> Void
        private let state = Mutex(State())

        /// How long connections may take to end when the server stops.
        private static let closingTime = TimeAmount.milliseconds(800)
        /// How many free ports of 127.0.0.1 are tried before one is free at ::1, too.
        private static let tries = 20

        /// - Parameters:
        ///   - connections: more are closed at once.
        ///   - patience: how long ``stop()`` waits.
        ///   - setUp: prepares a connection, on its event loop.
        init(
            connections: Int, patience: DispatchTimeInterval = .seconds(4),
            _ setUp: @escaping @Sendable (any Channel) throws -> Void
        ) {
            self.connections = connections
            self.patience = patience
            self.setUp = setUp
            group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        }

        /// Accepts connections on a host's addresses. `localhost` is both 127.0.0.1 and ::1, because some clients look
        /// up one and some the other.
        ///
        /// - Parameters:
        ///   - port: 0 for a free one.
        ///   - between: called between the two addresses of `localhost`, with the port.
        /// - Returns: the port.
        func bind(host: String, port: Int, between: (Int) throws -> Void = { _ in }) throws -> Int {
            guard host == "localhost" else {
                let channel = try listen(host, port)
                return channel.localAddress?.port ?? port
            }
            for _ in 1..<(port == 0 ? ServerSocket.tries : 1) {
                do {
                    return try bindBoth(port, between)
                } catch let error as IOError where error.errnoCode == EADDRINUSE {
                    // Another program has the port at ::1 alone.
                }
            }
            return try bindBoth(port, between)
        }

        private func bindBoth(_ port: Int, _ between: (Int) throws -> Void) throws -> Int {
            let first = try listen("127.0.0.1", port)
            let bound = first.localAddress?.port ?? port
            do {
                try between(bound)
                _ = try listen("::1", bound)
            } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL || error.errnoCode == EAFNOSUPPORT {
                // A machine may have no IPv6.
            } catch {
                state.withLock { $0.listeners.removeAll { $0 === first } }
                try? first.close().wait()
                throw error
            }
            return bound
        }

        private func listen(_ host: String, _ port: Int) throws -> any Channel {
            let bootstrap = ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 1_024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // Connections may be idle for as long as they like: without these, one whose client is gone without a word, as when its
                // machine loses the network, would be held for ever.
                .childChannelOption(.socketOption(.so_keepalive), value: 1)
                .childChannelOption(.tcpOption(.init(rawValue: KeepaliveOption.idle)), value: 60)
                .childChannelOption(.tcpOption(.init(rawValue: KeepaliveOption.interval)), value: 15)
                .childChannelOption(.tcpOption(.init(rawValue: KeepaliveOption.count)), value: 4)
                .childChannelInitializer { [self] channel in
                    guard register(channel) else { return channel.close() }
                    return channel.eventLoop.makeCompletedFuture { try setUp(channel) }
                }
            let channel = try bootstrap.bind(host: host, port: port).wait()
            state.withLock { $0.listeners.append(channel) }
            return channel
        }

        private func register(_ channel: any Channel) -> Bool {
            let isAccepted = state.withLock { state in
                guard !state.isStopping, state.connections.count < connections else { return false }
                state.connections[ObjectIdentifier(channel)] = channel
                return true
            }
            channel.closeFuture.whenComplete { [weak self] _ in
                self?.state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
            }
            return isAccepted
        }

        /// Stops accepting, tells every client that the server goes away, and closes the connections.
        ///
        /// An event loop that is stuck must not keep a process that was told to end: the wait has a limit.
        func stop() {
            let channels = state.withLock { state in
                defer { state.isStopping = true }
                return state.isStopping ? nil : (state.listeners, Array(state.connections.values))
            }
            guard let (listeners, connections) = channels else { return }
            let limit = DispatchTime.now() + patience
            let closings = listeners.map { $0.close() }
            for channel in connections {
                channel.pipeline.fireUserInboundEventTriggered(ServerIsStopping())
                // Should its handlers be changing just now, so that none of them hears of it.
                channel.eventLoop.scheduleTask(in: ServerSocket.closingTime) { channel.close(promise: nil) }
            }
            ServerSocket.wait(for: closings + connections.map(\.closeFuture), until: limit)
            let isDown = DispatchSemaphore(value: 0)
            // A queue of its own has a thread also where those of all others are stuck.
            group.shutdownGracefully(queue: DispatchQueue(label: "hearth.stop")) { _ in isDown.signal() }
            _ = isDown.wait(timeout: limit)
        }

        private static func wait(for ends: [EventLoopFuture<Void>], until limit: DispatchTime) {
            let waiting = DispatchGroup()
            for end in ends {
                waiting.enter()
                end.whenComplete { _ in waiting.leave() }
            }
            _ = waiting.wait(timeout: limit)
        }
    }

    /// Tells a connection to end.
    struct ServerIsStopping: Sendable {}
#endif
