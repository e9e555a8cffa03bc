// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import NIOCore
    import NIOPosix
    import Synchronization

    /// A server that accepts connections, and says nothing unless it is told to.
    final class SilentServer: Sendable {
        private final class Connections: Sendable {
            let channels = Mutex<[any Channel]>([])
        }

        let port: Int
        private let listener: any Channel
        private let accepted = Connections()

        init() throws {
            let accepted = accepted
            listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    accepted.channels.withLock { $0.append(channel) }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).wait()
            port = listener.localAddress?.port ?? 0
        }

        deinit {
            listener.close(promise: nil)
            for channel in connections { channel.close(promise: nil) }
        }

        var connections: [any Channel] { accepted.channels.withLock { $0 } }
    }
#endif
