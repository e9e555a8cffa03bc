// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import NIOCore
    import NIOPosix
    import NIOSSL
    import SyncCore
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// TLS, and servers that do not speak it, or nothing of what the client speaks.
    @Suite struct SecureConnectionTests {
        private let server: LocalServer

        init() throws { server = try LocalServer() }

        private func client(
            _ port: Int, isSSLEnabled: Bool = true, trusting roots: [NIOSSLCertificate] = [], host: String = "localhost"
        ) throws -> FirestoreClient {
            let endpoint = Endpoint(host: host, port: port, isSSLEnabled: isSSLEnabled)
            let tokens = TokenSource(.system) { _ in AccessToken(value: "owner") }
            return FirestoreClient(
                LocalServer.database, try Connector(endpoint, trusting: roots), tokens, .system)
        }

        private func proxy(_ certificate: TestCertificate) throws -> Proxy {
            try Proxy(to: server.port, SeededGenerator(seed: 1), tls: certificate.serverContext())
        }

        private func failure(_ client: FirestoreClient) async -> SyncError? {
            do throws(SyncError) {
                _ = try await client.commit([.n("c", "a", 1)])
                return nil
            } catch {
                return error
            }
        }

        @Test(arguments: ["localhost", "127.0.0.1"])
        func trustedCertificates(_ host: String) async throws {
            let certificate = try TestCertificate()
            let proxy = try proxy(certificate)
            let client = try client(proxy.port, trusting: [certificate.certificate], host: host)
            _ = try await client.commit([.n("c", "a", 1)])
            #expect(try await client.documents(at: [DocumentPath("c", "a")])[0].isFound)
            // Both calls had the same connection.
            #expect(proxy.accepted == 1)
            await client.close()
        }

        @Test func untrustedCertificates() async throws {
            let proxy = try proxy(TestCertificate())
            let error = await failure(try client(proxy.port))
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("no secure connection to localhost:\(proxy.port)") == true)
        }

        @Test func expiredCertificates() async throws {
            let certificate = try TestCertificate(end: "210101000000Z")
            let proxy = try proxy(certificate)
            let error = await failure(try client(proxy.port, trusting: [certificate.certificate]))
            #expect(error?.message.contains("no secure connection") == true)
        }

        @Test func otherHosts() async throws {
            let certificate = try TestCertificate()
            let proxy = try proxy(certificate)
            let error = await failure(try client(proxy.port, trusting: [certificate.certificate], host: "127.0.0.2"))
            #expect(error?.code == .unavailable)
        }

        /// `isSSLEnabled` is wrong, in both directions.
        @Test func plainAndSecure() async throws {
            let certificate = try TestCertificate()
            let toPlain = await failure(try client(server.port))
            #expect(toPlain?.code == .unavailable)
            #expect(toPlain?.message.contains("no secure connection") == true)
            let proxy = try proxy(certificate)
            let toSecure = await failure(try client(proxy.port, isSSLEnabled: false))
            #expect(toSecure?.code == .unavailable)
        }

        /// A client that is stopped does not wait for a server that has not begun to speak. If it does, it is too late.
        @Test func stoppedWhileAConnectionIsOpened() async throws {
            let silent = try SilentServer()
            let client = try client(silent.port, isSSLEnabled: false)
            async let failed = failure(client)
            try await wait(for: "the connection") { !silent.connections.isEmpty }
            await client.close()
            let channel = try await speak(silent)
            let error = await failed
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("does not speak") == false)
            try await channel.closeFuture.get()
        }

        /// The server's first words on its first connection: an empty frame of settings.
        private func speak(_ silent: SilentServer) async throws -> any Channel {
            try await wait(for: "the connection") { !silent.connections.isEmpty }
            let channel = silent.connections[0]
            try await channel.writeAndFlush(ByteBuffer(bytes: [0, 0, 0, 4, 0, 0, 0, 0, 0]))
            return channel
        }

        private struct Weak: Sendable {
            weak let connection: HTTP2Connection?

            init(_ connection: HTTP2Connection) { self.connection = connection }
        }

        /// Whoever is told of a connection may close it at once. Nothing keeps it then, not even the timer of its pings.
        @Test func closedAsSoonAsItIsOpen() async throws {
            let silent = try SilentServer()
            let endpoint = Endpoint(host: "127.0.0.1", port: silent.port, isSSLEnabled: false)
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            async let told = loop.flatSubmit {
                HTTP2Connection.open(endpoint, nil, on: loop, keepAlive: .seconds(30)) { _ in }.map { connection in
                    connection.channel.close(promise: nil)
                    return Weak(connection)
                }
            }.get()
            _ = try await speak(silent)
            let closed = try await told
            try await wait(for: "the end of the connection") { closed.connection == nil }
        }

        @Test func nobodyThere() async throws {
            let proxy = try Proxy(to: server.port, SeededGenerator(seed: 1))
            let port = proxy.port
            try await proxy.close()
            let error = await failure(try client(port, isSSLEnabled: false))
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("localhost:\(port) cannot be reached") == true)
            let unknown = await failure(try client(1, isSSLEnabled: false, host: "no-such-host.invalid"))
            #expect(unknown?.code == .unavailable)
            #expect(unknown?.message.contains("no-such-host.invalid") == true)
        }
    }
#endif
