// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import NIOCore
    import SwiftProtobuf
    import Testing

    @testable import FirestoreServer

    /// Listen as a call of gRPC.
    struct GRPCCarrier: ListenCarrier {
        private let connection: GRPCConnection
        private let requests: AsyncStream<ProtoListenRequest>.Continuation
        private var events: AsyncStream<GRPCStream.Event>.Iterator
        private var received: [UInt8] = []

        init(_ server: TestServer) async throws {
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Listen")
            let (sending, requests) = AsyncStream.makeStream(of: ProtoListenRequest.self)
            self.connection = connection
            self.requests = requests
            events = stream.events.makeAsyncIterator()
            Task {
                for await request in sending { await stream.send(try frame(request)) }
                try await connection.close()
            }
        }

        func send(_ request: ProtoListenRequest) { requests.yield(request) }

        func finish() { requests.finish() }

        mutating func next() async throws -> ProtoListenResponse? {
            while true {
                let end = 5 + received.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
                if received.count >= end {
                    defer { received.removeFirst(end) }
                    return try ProtoListenResponse(serializedBytes: Array(received[5..<end]))
                }
                switch await events.next() {
                case .data(let part): received += part.readableBytesView
                case .headers(let headers):
                    let response = GRPCResponse(blocks: [headers], bytes: [])
                    if response.status != nil { throw GRPCFailure(response) }
                case .reset, nil: return nil
                }
            }
        }
    }

    /// Listen as a channel of the browser, by long polling.
    struct WebCarrier: ListenCarrier {
        private final class Waiting {
            var requests: [ProtoListenRequest] = []
        }

        private let page: WebPage
        private let waiting = Waiting()
        private var received: [ProtoListenResponse] = []

        init(_ server: TestServer) { page = WebPage(server, "Listen") }

        func send(_ request: ProtoListenRequest) { waiting.requests.append(request) }

        func finish() {}

        mutating func next() async throws -> ProtoListenResponse? {
            for request in waiting.requests {
                let text = try request.jsonString()
                if page.session.isEmpty { try await page.open(text) } else { try await page.send([text]) }
            }
            waiting.requests = []
            while received.isEmpty {
                for message in try await page.poll() where message != WebPage.noop {
                    received.append(try WebCarrier.response(message))
                }
            }
            return received.removeFirst()
        }

        /// What an array of the channel says.
        private static func response(_ text: String) throws -> ProtoListenResponse {
            let array = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any]
            // An error is in an array of its own, as over REST.
            var object = try #require(
                array?.first as? [String: Any] ?? (array?.first as? [Any])?.first as? [String: Any])
            if let error = object["error"] as? [String: Any] {
                let status = StatusCode.allCases.first { $0.name == error["status"] as? String }
                throw GRPCFailure(try #require(status), error["message"] as? String ?? "")
            }
            // A map of fields is JSON's, and no part of the notation.
            if var change = object["documentChange"] as? [String: Any],
                var document = change["document"] as? [String: Any]
            {
                document["fields"] = nil
                change["document"] = document
                object["documentChange"] = change
            }
            return try ProtoListenResponse(jsonUTF8Bytes: JSONSerialization.data(withJSONObject: object))
        }
    }
#endif
