// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import FirestoreProtocol
    import NIOHPACK
    import NIOHTTP2
    import SyncCore
    import Synchronization
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// Answers that `hearth serve` does not give: of other servers, older ones, and gateways.
    @Suite struct ForeignServerTests {
        private let server: ScriptedServer
        private let client: FirestoreClient

        init() throws {
            server = try ScriptedServer()
            client = try FirestoreClient(project: "p", credentials: .emulator(host: server.host))
        }

        /// How a commit ends whose call is ended so.
        private func failure(_ end: (ScriptedCall) -> Void) async throws -> SyncError? {
            async let result: SyncError? = {
                do throws(SyncError) {
                    _ = try await client.commit([.n("c", "a", 1)])
                    return nil
                } catch {
                    return error
                }
            }()
            end(try await server.call("Commit"))
            return await result
        }

        @Test func headers() async throws {
            _ = try await failure { $0.end(RequestError(.internal, "")) }
            let headers = try await server.call("Commit").headers
            #expect(headers.first(name: ":path") == "/google.firestore.v1.Firestore/Commit")
            #expect(headers.first(name: "authorization") == "Bearer owner")
            for name in ["google-cloud-resource-prefix", "x-goog-request-params"] {
                #expect(headers.first(name: name) == "projects/p/databases/(default)")
            }
            #expect(headers.first(name: "te") == "trailers")
            #expect(headers.first(name: "grpc-timeout") == "60000m")
            #expect(headers.first(name: "x-goog-api-client")?.hasPrefix("gl-swift/") == true)
        }

        @Test func statuses() async throws {
            let error = try await failure { $0.end(RequestError(.unimplemented, "Größe: 100 %")) }
            #expect(error == SyncError(.unimplemented, "Größe: 100 %"))
        }

        @Test(arguments: [
            ("404", StatusCode.unimplemented), ("401", .unauthenticated), ("503", .unavailable), ("418", .unknown),
        ])
        func webServers(_ status: String, _ code: StatusCode) async throws {
            let error = try await failure { $0.end([":status": status, "content-type": "text/html"]) }
            #expect(error?.code == code)
            #expect(error?.message.contains("HTTP \(status)") == true)
            #expect(error?.message.contains(server.host) == true)
        }

        @Test func pagesInsteadOfMessages() async throws {
            let error = try await failure { $0.end([":status": "200", "content-type": "text/html"]) }
            #expect(error?.code == .unknown)
        }

        @Test func missingStatuses() async throws {
            let error = try await failure { $0.end([":status": "200", "content-type": "application/grpc"]) }
            #expect(error?.code == .internal)
        }

        @Test func resets() async throws {
            #expect(try await failure { $0.reset(.refusedStream) }?.code == .unavailable)
        }

        @Test func lostConnections() async throws {
            let error = try await failure { _ in server.cutAll() }
            #expect(error?.code == .unavailable)
        }

        /// Its streams go on until the client ends them.
        @Test func leftConnections() async throws {
            let transport = FirestoreTransport(client)
            let reported = Mutex(0)
            transport.start { if case .watch = $0 { reported.withLock { $0 += 1 } } }
            transport.open(.watch, connection: 1)
            let old = try await server.call("Listen")
            server.leaveAll()
            // The client takes it in behind that.
            var message = ProtoListenResponse()
            message.targetChange.targetIds = [1]
            try old.send(message)
            try await wait(for: "the message") { reported.withLock { $0 } > 0 }
            _ = try await failure { $0.end(RequestError(.internal, "")) }
            #expect(server.connectionCount == 2)
            #expect(!old.isClosed)
            await transport.stop()
            try await wait(for: "the end of the stream") { old.isClosed }
        }

        @Test func answersThatLackResults() async throws {
            let error = try await failure {
                try? $0.send(ProtoCommitResponse())
                $0.end()
            }
            #expect(error?.code == .internal)
        }

        /// A token is refused because this machine's clock is wrong, which the answer's date tells.
        @Test func wrongClocks() async throws {
            let error = try await failure {
                $0.end([
                    ":status": "200", "content-type": "application/grpc", "date": "Tue, 25 Nov 2014 21:36:00 GMT",
                    "grpc-status": "16", "grpc-message": "invalid token",
                ])
            }
            #expect(error?.code == .unauthenticated)
            #expect(error?.message.contains("invalid token (This machine's clock is") == true)
        }
    }
#endif
