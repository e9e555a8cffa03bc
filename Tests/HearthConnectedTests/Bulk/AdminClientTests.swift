// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import BulkMove
    import DocumentModel
    @testable import CloudFirestore
    import JSONText
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import SyncCore
    import Synchronization
    import Testing

    /// A server of HTTP that gives the same answer to everybody.
    private final class AnsweringServer: Sendable {
        private let channel: any Channel
        let requests: RequestList

        final class RequestList: Sendable {
            let lines = Mutex<[String]>([])
        }

        init(_ status: Int, _ body: String) throws {
            let requests = RequestList()
            self.requests = requests
            channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { child in
                    child.eventLoop.makeCompletedFuture {
                        try child.pipeline.syncOperations.configureHTTPServerPipeline()
                        try child.pipeline.syncOperations.addHandler(Answering(status, body, requests))
                    }
                }.bind(host: "127.0.0.1", port: 0).wait()
        }

        deinit { channel.close(promise: nil) }

        var endpoint: Endpoint {
            Endpoint(host: "127.0.0.1", port: channel.localAddress?.port ?? 0, isSSLEnabled: false)
        }

        private final class Answering: ChannelInboundHandler {
            typealias InboundIn = HTTPServerRequestPart

            private let status: Int
            private let body: String
            private let requests: RequestList
            private var line = ""

            init(_ status: Int, _ body: String, _ requests: RequestList) {
                (self.status, self.body, self.requests) = (status, body, requests)
            }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                switch unwrapInboundIn(data) {
                case .head(let head):
                    line =
                        "\(head.method.rawValue) \(head.uri) \(head.headers["authorization"].first ?? "-") "
                case .body(let part): line += String(buffer: part)
                case .end:
                    requests.lines.withLock { $0.append(line) }
                    let head = HTTPResponseHead(
                        version: .http1_1, status: HTTPResponseStatus(statusCode: status),
                        headers: ["content-length": "\(body.utf8.count)"])
                    context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
                    context.write(
                        NIOAny(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil
                    )
                    context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
                }
            }
        }
    }

    @Suite struct AdminClientTests {
        private func send(_ server: AnsweringServer, _ request: AdminRequest) async throws(SyncError)
            -> JSONNode
        {
            try await AdminClient(server.endpoint) { () throws(SyncError) in "Bearer token" }.send(
                request)
        }

        @Test func request() async throws {
            let server = try AnsweringServer(200, #"{"name":"operations/1"}"#)
            let answer = try await send(
                server,
                AdminRequest(.post, "projects/p/indexes", .object(["queryScope": .string("COLLECTION")])))
            #expect(answer["name"]?.string == "operations/1")
            _ = try await send(server, AdminRequest(.get, "projects/p/fields?filter=a%20b"))
            #expect(
                server.requests.lines.withLock { $0 } == [
                    #"POST /v1/projects/p/indexes Bearer token {"queryScope":"COLLECTION"}"#,
                    "GET /v1/projects/p/fields?filter=a%20b Bearer token ",
                ])
        }

        @Test(arguments: [
            (
                409, #"{"error":{"code":409,"message":"it exists","status":"ALREADY_EXISTS"}}"#,
                StatusCode.alreadyExists
            ),
            (
                400, #"{"error":{"code":400,"message":"it exists","status":"FAILED_PRECONDITION"}}"#,
                .failedPrecondition
            ),
            (503, "<html>it exists</html>", .unavailable), (429, "it exists", .resourceExhausted),
        ])
        func refusals(_ status: Int, _ body: String, _ code: StatusCode) async throws {
            let server = try AnsweringServer(status, body)
            let error = await #expect(throws: SyncError.self) {
                try await send(server, AdminRequest(.get, "projects/p/indexes"))
            }
            #expect(error?.code == code)
            #expect(error?.message.contains("it exists") == true)
        }

        /// A server that accepts a request and says nothing, as behind a line that was cut.
        @Test func silentServer() async throws {
            let server = try SilentServer()
            let endpoint = Endpoint(host: "127.0.0.1", port: server.port, isSSLEnabled: false)
            let client = AdminClient(endpoint, timeout: .milliseconds(50)) { () throws(SyncError) in nil }
            let error = await #expect(throws: SyncError.self) { try await client.send(AdminRequest(.get, "x")) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("not answered") == true)
        }

        @Test func nobodyListens() async throws {
            // Only the system may listen there, and it does not.
            let endpoint = Endpoint(host: "127.0.0.1", port: 1, isSSLEnabled: false)
            let error = await #expect(throws: SyncError.self) {
                try await AdminClient(endpoint) { () throws(SyncError) in nil }.send(
                    AdminRequest(.get, "x"))
            }
            #expect(error?.code == .unavailable)
        }
    }
#endif
