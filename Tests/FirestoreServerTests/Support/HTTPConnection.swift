// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import NIOCore
    import NIOPosix

    /// A connection of bytes, and a reader of HTTP/1.1 responses.
    final class HTTPConnection {
        let channel: any Channel
        private var arrivals: AsyncStream<ByteBuffer>.Iterator
        private var received: [UInt8] = []

        private init(_ channel: any Channel, _ arrivals: AsyncStream<ByteBuffer>) {
            self.channel = channel
            self.arrivals = arrivals.makeAsyncIterator()
        }

        /// - Parameter isNarrow: whether the kernel takes only some kilobytes that nobody has read, as between two machines. On one
        ///   machine it takes megabytes otherwise.
        static func open(_ port: Int, reads: Bool = true, isNarrow: Bool = false) async throws -> HTTPConnection {
            let (arrivals, inbox) = AsyncStream.makeStream(of: ByteBuffer.self)
            var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.autoRead, value: reads)
            if isNarrow {
                bootstrap =
                    bootstrap
                    .channelOption(.socketOption(.so_rcvbuf), value: 4 << 10)
                    .channelOption(.tcpOption(.init(rawValue: TCP_MAXSEG)), value: 1_000)
            }
            let channel =
                try await bootstrap
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ByteHandler(inbox))
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
            return HTTPConnection(channel, arrivals)
        }

        func readAll() async throws { try await channel.setOption(.autoRead, value: true).get() }

        func send(_ text: String) async throws { try await send(Array(text.utf8)) }

        func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

        func close() async throws { try await channel.close() }

        /// Whether the server closes the connection without another byte. Waits for either.
        func isClosed() async -> Bool {
            guard received.isEmpty else { return false }
            return await !receive()
        }

        /// The next response.
        ///
        /// - Throws: ``Cut`` if the connection ends within it.
        func response(isHead: Bool = false) async throws -> HTTPReply {
            var reply = try await head()
            guard !isHead, reply.status != 100 else { return reply }
            if let length = reply.header("content-length").flatMap({ Int($0) }) {
                reply.body = try await take(length)
            } else if reply.header("transfer-encoding") == "chunked" {
                while let part = try await part() { reply.body += part }
            } else {
                while await receive() {}
                reply.body = try await take(received.count)
            }
            return reply
        }

        /// The beginning of the next response, without its body.
        func head() async throws -> HTTPReply {
            let head = try await take(through: Array("\r\n\r\n".utf8))
            let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
            guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw Cut()
            }
            let headers = lines.dropFirst().map { line in
                let name = line.prefix { $0 != ":" }
                return (name.lowercased(), line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
            }
            return HTTPReply(status: status, headers: headers, body: [])
        }

        /// The next part of a body of unknown length; nil at its end.
        func part() async throws -> [UInt8]? {
            let line = try await take(through: Array("\r\n".utf8))
            guard let length = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else { throw Cut() }
            let part = try await take(length)
            _ = try await take(2)
            return length == 0 ? nil : part
        }

        /// The next bytes.
        func take(_ count: Int) async throws -> [UInt8] {
            while received.count < count { guard await receive() else { throw Cut() } }
            defer { received.removeFirst(count) }
            return Array(received.prefix(count))
        }

        private func take(through end: [UInt8]) async throws -> [UInt8] {
            while true {
                if let range = received.firstRange(of: end) { return try await take(range.upperBound) }
                guard await receive() else { throw Cut() }
            }
        }

        /// False at the end of the connection.
        private func receive() async -> Bool {
            guard let bytes = await arrivals.next() else { return false }
            received += bytes.readableBytesView
            return true
        }

        /// The connection ended too early.
        struct Cut: Error {}
    }

    /// A response, read to its end.
    struct HTTPReply {
        let status: Int
        let headers: [(name: String, value: String)]
        var body: [UInt8]

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: Any? { try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) }
        var object: [String: Any] { json as? [String: Any] ?? [:] }
        var array: [[String: Any]] { json as? [[String: Any]] ?? [] }
        /// The error, also within an array.
        var error: HTTPFailure? {
            let error = ((array.last ?? object)["error"] as? [String: Any]) ?? [:]
            guard let status = error["status"] as? String, let code = error["code"] as? Int else { return nil }
            return HTTPFailure(code: code, status: status, message: error["message"] as? String ?? "")
        }
    }

    /// An error in production's shape.
    struct HTTPFailure: Equatable {
        let code: Int
        let status: String
        let message: String
    }

    extension TestServer {
        /// One request on a connection of its own.
        func http(
            _ method: String, _ path: String, _ body: String = "", headers: [(String, String)] = []
        ) async throws -> HTTPReply {
            let connection = try await HTTPConnection.open(port)
            var text = "\(method) \(path) HTTP/1.1\r\nconnection: close\r\n"
            if !headers.contains(where: { $0.0 == "host" }) { text += "host: localhost\r\n" }
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            text += "content-length: \(body.utf8.count)\r\n\r\n"
            try await connection.send(text + body)
            return try await connection.response(isHead: method == "HEAD")
        }

        /// A request to a path below the documents of the default database.
        func rest(_ method: String, _ path: String, _ body: String = "") async throws -> HTTPReply {
            try await http(method, "/v1/\(Names.root)\(path)", body)
        }
    }

    private final class ByteHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let inbox: AsyncStream<ByteBuffer>.Continuation

        init(_ inbox: AsyncStream<ByteBuffer>.Continuation) {
            self.inbox = inbox
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { inbox.yield(unwrapInboundIn(data)) }

        func channelInactive(context: ChannelHandlerContext) { inbox.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
