// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOCore
    internal import NIOHTTP1

    /// `Listen` and `Write` for web pages, whose browsers have no streams in both directions: WebChannel, version 8.
    struct WebChannelMethods: Sendable {
        let service: FirestoreService
        let table: WebChannelTable
        let observer: RequestObserver

        /// Nil if a path is not a channel's.
        static func method(_ segments: [String]) -> WebChannel.Method? {
            guard segments.count == 3, segments[0] == "google.firestore.v1.Firestore", segments[2] == "channel" else {
                return nil
            }
            return WebChannel.Method(rawValue: segments[1])
        }

        /// Whether a request's body is a channel's.
        static func isChannel(_ head: HTTPRequestHead) -> Bool { head.uri.prefix { $0 != "?" }.hasSuffix("/channel") }

        func answer(
            _ method: WebChannel.Method, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws {
            switch try WebChannelCall(request) {
            case .open: try await open(method, request, responder)
            case .forward(let id, let acknowledged):
                let channel = try table.channel(id, method)
                let body = try FormBody(Array(request.body.readableBytesView))
                responder.sendChannel(
                    try await channel.receive(body.maps, acknowledging: acknowledged, at: table.now))
            case .back(let id, let last, let isStreaming, let longestWait):
                let channel = try table.channel(id, method)
                try await channel.sendBack(after: last, isStreaming: isStreaming, longestWait: longestWait, responder) {
                    table.now
                }
            case .end(let id):
                table.end(id, method)
                responder.sendChannel([])
            }
        }

        /// Opens a session with the first messages, and answers with its ID.
        private func open(
            _ method: WebChannel.Method, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws {
            let body = try FormBody(Array(request.body.readableBytesView))
            let credentials = WebChannelMethods.credentials(request, body)
            let channel = try table.open(method)
            do {
                _ = try await channel.receive(body.maps, acknowledging: nil, at: table.now)
            } catch {
                table.end(channel.id, method)
                throw error
            }
            channel.run { [service, observer] channel in
                try await observer.observe(stream: method.rawValue) {
                    try await service.serve(channel, as: try credentials.get())
                }
            }
            // Its ID, the host's prefix, the versions of both sides, and how often the client hears something, in milliseconds.
            let milliseconds = BackChannel.keepAlive.components.seconds * 1_000
            let answer = "[[0,[\"c\",\"\(channel.id)\",\"\",8,15,\(milliseconds)]]]"
            responder.sendChannel(WebChannelText.chunk(Array(answer.utf8)), [("x-http-session-id", channel.id)])
        }

        /// What the page says in the body or in the parameter `$httpHeaders`, else what its browser says. A token that is none ends the
        /// stream, so that the client learns why.
        private static func credentials(_ request: HTTPRequest, _ body: FormBody) -> Result<Credentials, RequestError> {
            let inURL = request.parameters.last { $0.name == "$httpHeaders" }.map { FormBody.headers($0.value) } ?? []
            let own = (body.headers + inURL).first { $0.name == "authorization" }?.value
            return Credentials.reading(own ?? request.headers.first(name: "authorization"))
        }
    }

    extension FirestoreService {
        /// Runs the stream that a channel carries.
        fileprivate func serve(_ channel: WebChannel, as credentials: Credentials) async throws {
            switch channel.method {
            case .listen:
                let requests = AsyncThrowingStream { try await channel.next().map { try ListenRequest(json: $0) } }
                try await listen(requests, as: credentials) { responses in
                    try await channel.send(responses, WebChannelMessages.json)
                }
            case .write:
                let requests = AsyncThrowingStream { try await channel.next().map { try WriteRequest(json: $0) } }
                try await write(requests, as: credentials) { response in
                    try await channel.send([response], WebChannelMessages.json)
                }
            }
        }
    }

    extension HTTPResponder {
        fileprivate func sendChannel(_ body: [UInt8], _ more: [(String, String)] = []) {
            send(.ok, HTTPResponder.plainText, body, more)
        }

        /// Begins a response whose chunks no proxy may collect.
        func beginChannel() async throws {
            try await begin(HTTPResponder.plainText, [("x-accel-buffering", "no")])
        }
    }
#endif
