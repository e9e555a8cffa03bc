// SPDX-License-Identifier: Apache-2.0

#if Connected
    package import BulkMove
    internal import DocumentModel
    package import JSONText
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NIOSSL
    package import SyncCore

    /// Cloud Firestore's Admin API by REST, one connection for each request.
    package final class AdminClient: AdminServer {
        private let endpoint: Endpoint
        private let authorization: @Sendable () async throws(SyncError) -> String?

        /// How long an answer may take from the moment when there is a connection.
        private let timeout: TimeAmount

        init(
            _ endpoint: Endpoint, timeout: TimeAmount = .seconds(60),
            authorization: @escaping @Sendable () async throws(SyncError) -> String?
        ) {
            self.endpoint = endpoint
            self.timeout = timeout
            self.authorization = authorization
        }

        /// Asks production as another client does.
        package convenience init(_ client: FirestoreClient) {
            self.init(client.connector.endpoint) { () throws(SyncError) in
                try await client.authorization()
            }
        }

        package func send(_ request: AdminRequest) async throws(SyncError) -> JSONNode {
            let token = try await authorization()
            let (status, body): (Int, [UInt8])
            do {
                (status, body) = try await exchange(request, token)
            } catch let error as SyncError {
                throw error
            } catch {
                throw SyncError(
                    .unavailable, "The Admin API at \(endpoint.authority) does not answer: \(error)")
            }
            let node = try? JSONParser.parse(body)
            guard status == 200 else { throw AdminClient.error(status, node, body) }
            guard let node else { throw SyncError(.internal, "The Admin API's answer is no JSON.") }
            return node
        }

        private static func error(_ status: Int, _ node: JSONNode?, _ body: [UInt8]) -> SyncError {
            let error = node?["error"]
            let named = error?["status"]?.string.flatMap { name in
                StatusCode.allCases.first { $0.name == name }
            }
            let code: StatusCode =
                switch status {
                case 400: .invalidArgument
                case 401: .unauthenticated
                case 403: .permissionDenied
                case 404: .notFound
                case 409: .alreadyExists
                case 429: .resourceExhausted
                case 500: .internal
                case 502, 503, 504: .unavailable
                default: .unknown
                }
            let text = error?["message"]?.string ?? String(decoding: body.prefix(200), as: UTF8.self)
            return SyncError(named ?? code, "The Admin API answers \(status): \(text)")
        }

        private var silence: SyncError {
            SyncError(
                .unavailable,
                "The Admin API at \(endpoint.authority) has accepted a request and not answered it within "
                    + "\(timeout.nanoseconds / 1_000_000_000) seconds. Check host, port and network.")
        }

        private func exchange(_ request: AdminRequest, _ token: String?) async throws -> (Int, [UInt8]) {
            let (endpoint, tls) = (
                endpoint, try endpoint.isSSLEnabled ? NIOSSLContext(configuration: .clientDefault) : nil
            )
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let answer = loop.makePromise(of: (Int, [UInt8]).self)
            let bootstrap = ClientBootstrap(group: loop).connectTimeout(.seconds(20)).channelInitializer {
                channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        try pipeline.addHandler(
                            NIOSSLClientHandler(
                                context: tls, serverHostname: endpoint.isAddress ? nil : endpoint.host))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(AnswerHandler(answer))
                }
            }
            do {
                let channel = try await bootstrap.connect(host: endpoint.host, port: endpoint.port).get()
                let deadline = loop.scheduleTask(in: timeout) { [silence] in
                    answer.fail(silence)
                    channel.close(promise: nil)
                }
                answer.futureResult.whenComplete { _ in deadline.cancel() }
                try await write(request, token, to: channel)
            } catch {
                answer.fail(error)
            }
            return try await answer.futureResult.get()
        }

        private func write(_ request: AdminRequest, _ token: String?, to channel: any Channel)
            async throws
        {
            var headers: HTTPHeaders = [
                "host": endpoint.authority, "connection": "close", "user-agent": "hearth",
                "accept": "application/json",
            ]
            if let token { headers.add(name: "authorization", value: token) }
            let body = request.body.map { ByteBuffer(string: $0.text()) }
            if let body {
                headers.add(name: "content-type", value: "application/json")
                headers.add(name: "content-length", value: String(body.readableBytes))
            }
            let head = HTTPRequestHead(
                version: .http1_1, method: HTTPMethod(rawValue: request.method.rawValue),
                uri: "/v1/\(request.path)",
                headers: headers)
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil) }
            try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
        }
    }

    /// Collects one answer.
    private final class AnswerHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart

        private let answer: EventLoopPromise<(Int, [UInt8])>
        private var status = 0
        private var body: [UInt8] = []

        init(_ answer: EventLoopPromise<(Int, [UInt8])>) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): status = Int(head.status.code)
            case .body(let part): body += part.readableBytesView
            case .end:
                answer.succeed((status, body))
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            answer.fail(error)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { answer.fail(ChannelError.eof) }
    }
#endif
