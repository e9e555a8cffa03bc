// SPDX-License-Identifier: Apache-2.0

#if Server
    import NIOCore
    import NIOPosix
    import Testing

    @testable import FirestoreServer

    /// `localhost` where another program has the port at one of its addresses.
    @Suite struct ServerSocketTests {
        private let socket = ServerSocket(connections: 1) { _ in }

        /// Also where the system still remembers connections of an earlier server.
        private func listen(_ host: String, _ port: Int) throws -> any Channel {
            try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).wait()
        }

        private var hasIPv6: Bool {
            guard let channel = try? listen("::1", 0) else { return false }
            try? channel.close().wait()
            return true
        }

        @Test func freePorts() throws {
            defer { socket.stop() }
            try #require(hasIPv6, "this machine has no ::1")
            var tried: [Int] = []
            var others: [any Channel] = []
            let port = try socket.bind(host: "localhost", port: 0) { port in
                tried.append(port)
                if tried.count < 3 { others.append(try listen("::1", port)) }
            }
            #expect(tried.count >= 3 && tried.last == port)
            for other in others { try other.close().wait() }
        }

        /// A port that another program has at `::1`, and nobody at `127.0.0.1`.
        private func portOfAnother() throws -> (other: any Channel, port: Int) {
            while true {
                let other = try listen("::1", 0)
                let port = try #require(other.localAddress?.port)
                if let free = try? listen("127.0.0.1", port) {
                    try free.close().wait()
                    return (other, port)
                }
                try other.close().wait()
            }
        }

        /// Nothing is left at the other address.
        @Test func givenPorts() throws {
            defer { socket.stop() }
            try #require(hasIPv6, "this machine has no ::1")
            let (other, port) = try portOfAnother()
            #expect(throws: IOError.self) { try socket.bind(host: "localhost", port: port) }
            try listen("127.0.0.1", port).close().wait()
            try other.close().wait()
        }
    }
#endif
