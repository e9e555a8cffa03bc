// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import NIOCore
    import NIOPosix
    import TestSupport
    import Testing

    /// The end of a server with clients.
    @Suite struct ServerStopTests {
        /// Calls in progress do not hold it up: the stop returns although their clients never end them.
        @Test func openCallsAreToldAndEnded() async throws {
            let server = try TestServer()
            let idle = try await GRPCConnection.open(server.port)
            try await idle.commit([])
            let busy = try await GRPCConnection.open(server.port)
            // The server then knows the connection.
            try await busy.commit([])
            let call = try await busy.begin("Commit")
            let plain = try await HTTPConnection.open(server.port)
            try await plain.send("GET / HT")
            try await NIOThreadPool.singleton.runIfActive { server.server.stop() }
            #expect(await call.response().status == nil)
            try await idle.channel.closeFuture.get()
            try await busy.channel.closeFuture.get()
            #expect(idle.sawGoAway && busy.sawGoAway)
            #expect(await plain.isClosed())
            await #expect(throws: (any Error).self) { try await HTTPConnection.open(server.port) }
        }

        /// A slow reader of a long answer does not either.
        @Test func openAnswers() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 800, size: 10_000)
            let stream = try await connection.begin("RunQuery", reads: false)
            await stream.send(try frame(ProtoRunQueryRequest(.all("c"))), isLast: true)
            try await NIOThreadPool.singleton.runIfActive { server.server.stop() }
            try await stream.readAll()
            #expect(await stream.response().status == nil)
        }

        @Test func portIsTaken() throws {
            let server = try TestServer()
            #expect(throws: ListenError.self) { try TestServer { $0.port = server.port } }
        }

        /// `localhost` is both addresses, where the machine has both.
        @Test func bothLoopbackAddresses() async throws {
            let server = try TestServer()
            for host in ["127.0.0.1", "::1"] {
                let connecting = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: host, port: server.port)
                if let channel = try? await connecting.get() {
                    try await channel.close()
                } else if host == "::1" {
                    print("bothLoopbackAddresses: this machine has no ::1")
                } else {
                    Issue.record("\(host) does not answer")
                }
            }
        }
    }
#endif
