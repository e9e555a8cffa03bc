// SPDX-License-Identifier: Apache-2.0

#if Server
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
        private let setUp: @Sendable (any Channel) throws -> Void
        private let state = Mutex(State())

        /// How long connections may take to end when the server stops.
        private static let closingTime = TimeAmount.milliseconds(800)

        /// - Parameters:
        ///   - connections: more are closed at once.
        ///   - setUp: prepares a connection, on its event loop.
        init(connections: Int, _ setUp: @escaping @Sendable (any Channel) throws -> Void) {
            self.connections = connections
            self.setUp = setUp
            group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        }

        /// Accepts connections on a host's addresses. `localhost` is both 127.0.0.1 and ::1, because some clients look
        /// up one and some the other.
        ///
        /// - Parameter port: 0 for a free one.
        /// - Returns: the port.
        func bind(host: String, port: Int) throws -> Int {
            guard host == "localhost" else {
                let channel = try listen(host, port)
                return channel.localAddress?.port ?? port
            }
            let first = try listen("127.0.0.1", port)
            let bound = first.localAddress?.port ?? port
            // A machine may have no IPv6.
            do {
                _ = try listen("::1", bound)
            } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL || error.errnoCode == EAFNOSUPPORT {
            }
            return bound
        }

        private func listen(_ host: String, _ port: Int) throws -> any Channel {
            let bootstrap = ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 1_024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
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
        func stop() {
            let channels = state.withLock { state in
                defer { state.isStopping = true }
                return state.isStopping ? nil : (state.listeners, Array(state.connections.values))
            }
            guard let (listeners, connections) = channels else { return }
            for channel in listeners { try? channel.close().wait() }
            for channel in connections {
                channel.pipeline.fireUserInboundEventTriggered(ServerIsStopping())
                // Should its handlers be changing just now, so that none of them hears of it.
                channel.eventLoop.scheduleTask(in: ServerSocket.closingTime) { channel.close(promise: nil) }
            }
            for channel in connections { try? channel.closeFuture.wait() }
            try? group.syncShutdownGracefully()
        }
    }

    /// Tells a connection to end.
    struct ServerIsStopping: Sendable {}
#endif
