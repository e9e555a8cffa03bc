// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import Testing

    /// A client of a channel, written from the protocol and not from the server: it sends what a test wants.
    final class WebPage {
        let server: TestServer
        /// `Listen` or `Write`
        let method: String
        private(set) var session = ""
        /// The last ID that it has received.
        var last = 0
        private var sent = 0

        init(_ server: TestServer, _ method: String) {
            self.server = server
            self.method = method
        }

        /// The path with parameters.
        func path(_ parameters: String) -> String {
            "/google.firestore.v1.Firestore/\(method)/channel?database=projects%2Fp%2Fdatabases%2F(default)&VER=8&\(parameters)"
        }

        static func form(_ messages: [String], from offset: Int) -> String {
            let items = messages.enumerated().map { number, message in "req\(number)___data__=\(escape(message))" }
            return (["count=\(messages.count)", "ofs=\(offset)"] + items).joined(separator: "&")
        }

        static func escape(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }

        /// Opens a session with a message.
        @discardableResult
        func open(
            _ message: String, parameters: String = "", headers: String? = nil, origin: String? = nil
        ) async throws -> HTTPReply {
            let body = (headers.map { "headers=\(WebPage.escape($0))&" } ?? "") + WebPage.form([message], from: 0)
            let reply = try await server.http(
                "POST", path("RID=100&CVER=22&X-HTTP-Session-Id=gsessionid&t=1\(parameters)"), body,
                headers: origin.map { [("origin", $0)] } ?? [])
            guard reply.status == 200 else { return reply }
            let array = try WebPage.parse(reply.body).first
            session = (array?.last as? [Any])?[1] as? String ?? ""
            sent = 1
            return reply
        }

        /// Sends messages, and returns the answer.
        @discardableResult
        func send(_ messages: [String]) async throws -> HTTPReply {
            defer { sent += messages.count }
            return try await post(WebPage.form(messages, from: sent))
        }

        func post(_ body: String) async throws -> HTTPReply {
            try await server.http("POST", path("SID=\(session)&RID=101&AID=\(last)&t=1"), body)
        }

        /// Begins to receive messages.
        func receive(
            after id: Int? = nil, isPolling: Bool = false, more: String = "", reads: Bool = true, isNarrow: Bool = false
        ) async throws -> HTTPConnection {
            let connection = try await HTTPConnection.open(server.port, reads: reads, isNarrow: isNarrow)
            let target = path(
                "SID=\(session)&RID=rpc&AID=\(id ?? last)&CI=\(isPolling ? 1 : 0)&TYPE=xmlhttp&t=1\(more)")
            try await connection.send("GET \(target) HTTP/1.1\r\nhost: localhost\r\n\r\n")
            return connection
        }

        /// The messages of one answer of long polling.
        func poll() async throws -> [String] {
            let reply = try await receive(isPolling: true).response()
            #expect(reply.status == 200)
            return try note(WebPage.parse(reply.body))
        }

        /// The messages of the next chunk of a response that has begun; nil at its end.
        func next(_ connection: HTTPConnection) async throws -> [String]? {
            try await connection.part().map { try note(WebPage.parse($0)) }
        }

        static let noop = #"["noop"]"#

        /// The next chunk with messages of the service; nil if the response ends.
        func message(_ connection: HTTPConnection) async throws -> [String]? {
            while let messages = try await next(connection) { if messages != [WebPage.noop] { return messages } }
            return nil
        }

        /// Receives until there is a message with a text.
        func receive(until text: String) async throws -> [String] {
            let connection = try await receive()
            _ = try await connection.head()
            var messages: [String] = []
            while let part = try await next(connection) {
                messages += part
                if messages.contains(where: { $0.contains(text) }) { break }
            }
            try await connection.close()
            return messages
        }

        /// Notes the IDs, which have no gaps, and gives the messages as JSON.
        private func note(_ arrays: [[Any]]) throws -> [String] {
            try arrays.map { array in
                let id = try #require(array.first as? Int)
                let message = try #require(array.last as? [Any])
                #expect(id == last + 1 || message.first as? String == "noop" && id == last)
                last = id
                let json = try JSONSerialization.data(
                    withJSONObject: message, options: [.sortedKeys, .withoutEscapingSlashes])
                return String(decoding: json, as: UTF8.self)
            }
        }

        /// The arrays of chunks, each behind its length in UTF-16 code units.
        static func parse(_ body: [UInt8]) throws -> [[Any]] {
            var arrays: [[Any]] = []
            var rest = String(decoding: body, as: UTF8.self).utf16[...]
            while !rest.isEmpty {
                let digits = try #require(String(rest.prefix { $0 != 10 }))
                let length = try #require(Int(digits))
                rest = rest.dropFirst(digits.utf16.count + 1)
                let chunk = try #require(String(rest.prefix(length)))
                #expect(chunk.utf16.count == length)
                rest = rest.dropFirst(length)
                let json = try JSONSerialization.jsonObject(with: Data(chunk.utf8))
                arrays += json as? [[Any]] ?? [json as? [Any] ?? []]
            }
            return arrays
        }

        /// A request that adds a target: all documents of a collection.
        static func add(_ collection: String, target: Int = 2, resumeToken: String? = nil) -> String {
            let token = resumeToken.map { #","resumeToken":"\#($0)""# } ?? ""
            return
                #"{"database":"\#(Names.database)","addTarget":{"query":{"parent":"\#(Names.root)","structuredQuery":{"#
                + #""from":[{"collectionId":"\#(collection)"}]}},"targetId":\#(target)\#(token)}}"#
        }
    }
#endif
