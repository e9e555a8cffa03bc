// SPDX-License-Identifier: Apache-2.0

#if Server
    import Glibc
    import NIOCore
    import NIOPosix
    import Testing

    @testable import FirestoreServer

    /// Clients that are gone without a word.
    @Suite struct VanishedClientTests {
        /// The system finds them.
        @Test(.timeLimit(.minutes(1))) func questionsOfAcceptedConnections() async throws {
            let (accepted, sink) = AsyncStream.makeStream(of: (any Channel).self)
            let socket = ServerSocket(connections: 1) { sink.yield($0) }
            defer { socket.stop() }
            let port = try socket.bind(host: "127.0.0.1", port: 0)
            let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            var channels = accepted.makeAsyncIterator()
            let next = await channels.next()
            let channel = try #require(next)
            #expect(try await channel.getOption(.socketOption(.so_keepalive)).get() != 0)
            for (name, value) in [(TCP_KEEPIDLE, 60), (TCP_KEEPINTVL, 15), (TCP_KEEPCNT, 4)] as [(CInt, CInt)] {
                #expect(try await channel.getOption(.tcpOption(.init(rawValue: name))).get() == value)
            }
            try await client.close()
        }
    }
#endif
