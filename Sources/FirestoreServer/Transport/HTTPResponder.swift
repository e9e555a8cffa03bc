// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import NIOCore
    internal import NIOHTTP1
    internal import Synchronization

    /// Sends the response of one HTTP request.
    final class HTTPResponder: Sendable {
        private let writer: PacedWriter
        private let version: HTTPVersion
        private let isHead: Bool
        private let cors: [(String, String)]
        /// Whether the route answers with an array, in which an error has its place too. Set before the route runs.
        let isStream: Bool
        /// Whether a response of unknown length has begun.
        private let hasBegun = Mutex(false)
        private let isRefused = Mutex(false)

        init(_ writer: PacedWriter, _ head: HTTPRequestHead, _ origins: AllowedOrigins) {
            self.writer = writer
            version = head.version
            isHead = head.method == .HEAD
            cors = origins.headers(for: head)
            isStream = HTTPResponder.streams.contains { head.uri.prefix { $0 != "?" }.hasSuffix($0) }
        }

        private static let streams = [":runQuery", ":runAggregationQuery", ":batchGet", ":executePipeline"]

        /// Sends a whole response.
        func send(
            _ status: HTTPResponseStatus, _ contentType: String, _ body: [UInt8], _ more: [(String, String)] = []
        ) {
            var head = head(status, contentType)
            head.headers.add(name: "content-length", value: String(body.count))
            for (name, value) in more { head.headers.add(name: name, value: value) }
            var parts = [HTTPPart.head(head)]
            if !isHead { parts.append(.body(ByteBuffer(bytes: body))) }
            writer.finish(parts + [.end])
        }

        /// Answers a path or a method that nothing serves, as the emulator does.
        func refuse() {
            isRefused.withLock { $0 = true }
            send(.notFound, HTTPResponder.plainText, Array("Not Found\n".utf8))
        }

        /// What a request that ends without an error came to.
        var status: StatusCode { isRefused.withLock { $0 } ? .notFound : .ok }

        func sendJSON(_ body: [UInt8], _ status: HTTPResponseStatus = .ok) {
            send(status, HTTPResponder.json, body)
        }

        /// Begins a response of unknown length, of JSON if no other type is given.
        func begin(_ contentType: String = json, _ more: [(String, String)] = []) async throws {
            hasBegun.withLock { $0 = true }
            var head = head(.ok, contentType)
            for (name, value) in more { head.headers.add(name: name, value: value) }
            try await writer.write(HTTPPart.head(head))
        }

        /// Sends a part of it, and waits until the client has room for more.
        func write(_ bytes: [UInt8]) async throws { try await writer.write(HTTPPart.body(ByteBuffer(bytes: bytes))) }

        func end() { writer.finish([HTTPPart.end]) }

        /// Closes the connection of a client that does not read.
        func abandon() { writer.abandon() }

        /// Sends an error in production's shape: an object, in an array if the method answers with one. It is the last element of an
        /// array that has begun.
        func fail(_ error: any Error) {
            let error = error as? RequestError ?? RequestError(.unknown, "\(error)")
            var json = JSONWriter(.indented)
            guard !hasBegun.withLock({ $0 }) else {
                json.write(error)
                let rest = ByteBuffer(bytes: Array(",\n".utf8) + json.bytes + Array("\n]\n".utf8))
                return writer.finish([HTTPPart.body(rest), .end])
            }
            if isStream { json.beginArray() }
            json.write(error)
            if isStream { json.endArray() }
            json.newline()
            send(HTTPResponseStatus(statusCode: error.status.httpCode), HTTPResponder.json, json.bytes)
        }

        static let json = "application/json; charset=UTF-8"
        static let plainText = "text/plain; charset=utf-8"

        private func head(_ status: HTTPResponseStatus, _ contentType: String) -> HTTPResponseHead {
            var headers = HTTPHeaders(cors)
            headers.add(name: "content-type", value: contentType)
            headers.add(name: "cache-control", value: "no-cache")
            headers.add(name: "x-content-type-options", value: "nosniff")
            return HTTPResponseHead(version: version, status: status, headers: headers)
        }
    }

    extension StatusCode {
        /// As production's REST interface maps it.
        var httpCode: Int {
            switch self {
            case .ok: 200
            case .invalidArgument, .failedPrecondition, .outOfRange: 400
            case .unauthenticated: 401
            case .permissionDenied: 403
            case .notFound: 404
            case .alreadyExists, .aborted: 409
            case .resourceExhausted: 429
            case .cancelled: 499
            case .unimplemented: 501
            case .unavailable: 503
            case .deadlineExceeded: 504
            case .unknown, .internal, .dataLoss: 500
            }
        }
    }
#endif
