// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Who may use channels, and what hostile clients cost.
    @Suite struct WebChannelGuardTests {
        private let listen = WebPage.add("c")

        /// Credentials are in the body, because headers would make the browser ask first.
        @Test func credentials() async throws {
            let rules = ServedRules.frame("    match /c/{d} { allow read: if request.auth.uid == 'u' }")
            let token =
                "Bearer e30.\(Base64.encode(Array(#"{"sub":"u","user_id":"u"}"#.utf8)).replacing("=", with: "")).x"
            let server = try TestServer(rules: rules)
            func end(_ headers: String?, _ parameters: String = "") async throws -> String {
                let page = WebPage(server, "Listen")
                try await page.open(listen, parameters: parameters, headers: headers)
                return try await page.receive(until: "error").last ?? ""
            }
            func isAllowed(_ headers: String?, _ parameters: String = "") async throws -> Bool {
                let page = WebPage(server, "Listen")
                try await page.open(listen, parameters: parameters, headers: headers)
                var messages: [String] = []
                while !messages.contains(where: { $0.contains("CURRENT") || $0.contains("cause") }) {
                    messages += try await page.poll()
                }
                return messages.contains { $0.contains("CURRENT") }
            }
            #expect(
                try await isAllowed(
                    "Authorization:\(token)\r\nX-Firebase-GMPID:1:2:web:3\r\nX-Goog-Api-Client:gl-js/\r\n"))
            #expect(try await isAllowed(nil, "&$httpHeaders=\(WebPage.escape("Authorization: Bearer owner\r\n"))"))
            #expect(!(try await isAllowed("X-Goog-Api-Client:gl-js/\r\n")))
            #expect(!(try await isAllowed(nil)))
            #expect(try await end("Authorization:Bearer x\r\n").contains("invalid jwt"))
            #expect(try await end("Authorization:Basic x\r\n").contains("UNAUTHENTICATED"))
        }

        @Test func otherOrigins() async throws {
            let server = try TestServer()
            let page = WebPage(server, "Listen")
            for verb in ["POST", "GET", "OPTIONS"] {
                let reply = try await server.http(
                    verb, page.path("RID=1"), headers: [("origin", "https://example.com")])
                #expect(reply.status == 403)
            }
        }

        @Test(arguments: [
            ("POST", "VER=7&RID=1", ""), ("GET", "RID=rpc", ""), ("GET", "SID=S&RID=rpc&TYPE=xmlhttp", ""),
            ("GET", "SID=S&AID=x&TYPE=xmlhttp", ""), ("GET", "SID=S&AID=-1&TYPE=xmlhttp", ""),
            ("GET", "SID=S&AID=99&TYPE=xmlhttp", ""), ("GET", "SID=S&AID=0&TO=x&TYPE=xmlhttp", ""),
            ("GET", "SID=S&AID=99999999999999999999&TYPE=xmlhttp", ""), ("GET", "SID=S&AID=0&TYPE=html", ""),
            ("PUT", "SID=S", ""), ("DELETE", "", ""), ("POST", "SID=S&AID=x", ""), ("POST", "SID=%", ""),
            ("POST", "SID=S", "count=1"), ("POST", "SID=S", "count=x"), ("POST", "SID=S", "ofs=-1"),
            ("POST", "SID=S", "ofs=9223372036854775807&req0___data__=1"), ("POST", "SID=S", "req0___data__=%4"),
            ("POST", "SID=S", "req0___data__=%zz"), ("POST", "RID=1", "count=2&ofs=0&req0___data__=1"),
        ])
        func wrongRequests(_ verb: String, _ query: String, _ body: String) async throws {
            let server = try TestServer()
            let page = WebPage(server, "Listen")
            try await page.open(listen)
            let path =
                "/google.firestore.v1.Firestore/Listen/channel?" + query.replacing("SID=S", with: "SID=\(page.session)")
            let reply = try await server.http(verb, path, body)
            #expect(reply.status == 400)
            #expect(reply.error?.status == "INVALID_ARGUMENT", "\(reply.text)")
            // The session goes on.
            #expect(try await page.send([]).status == 200)
        }

        @Test func otherPaths() async throws {
            let server = try TestServer()
            for path in ["Listen", "Commit/channel", "Listen/channel/x", "listen/channel", ""] {
                #expect(try await server.http("POST", "/google.firestore.v1.Firestore/\(path)").status == 404)
            }
        }

        /// Names that are no messages are passed over, numbers beyond all bounds too.
        @Test func forms() throws {
            let body =
                "a&=&req_x=1&reqx___data__=1&req99999999999___data__=1&req-1___data__=1&req0_type=_badmap&req1___data__=a+%2B%25"
            let form = try FormBody(Array("ofs=5&count=2&\(body)".utf8))
            #expect(form.maps.map(\.number) == [5, 6])
            #expect(form.maps[0].map == nil)
            #expect(form.maps[1].map == Array("a +%".utf8))
            #expect(throws: RequestError.self) {
                try FormBody(Array((0...10_000).map { "req\($0)_x=" }.joined(separator: "&").utf8))
            }
        }

        /// When too many sessions are open, the one ends whose page has been away for longest.
        @Test func manySessions() async throws {
            let (ticks, time) = AsyncStream.makeStream(of: Duration.self)
            let server = try TestServer {
                $0.limits.webSessions = 3
                $0.ticks = ticks
            }
            let busy = WebPage(server, "Listen")
            try await busy.open(listen)
            let connection = try await busy.receive()
            _ = try await connection.head()
            _ = try await busy.next(connection)
            time.yield(.seconds(1))
            for _ in 0..<50 {
                let page = WebPage(server, "Listen")
                #expect(try await page.open(listen).status == 200)
            }
            #expect(try await busy.send([]).status == 200)
            // All have a back channel.
            var open: [HTTPConnection] = [connection]
            for _ in 0..<2 {
                let page = WebPage(server, "Listen")
                try await page.open(listen)
                open.append(try await page.receive())
                _ = try await open.last?.head()
            }
            let reply = try await WebPage(server, "Listen").open(listen)
            #expect(reply.status == 429)
            #expect(reply.error?.status == "RESOURCE_EXHAUSTED")
            for connection in open { try await connection.close() }
        }

        /// Messages of sessions that nobody listens to make room for those of others.
        @Test func muchMemory() async throws {
            let server = try TestServer { $0.limits.webBytes = 1 << 20 }
            let text = "\"\(String(repeating: "a", count: 600 << 10))\""
            let busy = WebPage(server, "Listen")
            try await busy.open(listen)
            let connection = try await busy.receive()
            _ = try await connection.head()
            let pages = (0..<4).map { _ in WebPage(server, "Listen") }
            for page in pages { #expect(try await page.open(text).status == 200) }
            #expect(try await busy.send([]).status == 200)
            var statuses: [Int] = []
            for page in pages { statuses.append(try await page.send([]).status) }
            #expect(statuses.last == 200)
            #expect(statuses.sorted() == [200, 200, 400, 400])
        }

        /// Once all sessions together hold much, each gets little.
        @Test func memory() async throws {
            let memory = WebChannelMemory(limit: 100 << 10)
            let message = [UInt8](repeating: UInt8(ascii: "1"), count: 1_000)
            let channels = (0..<4).map { WebChannel("\($0)", .listen, memory, at: .zero) }
            for channel in channels {
                channel.run { channel in try await channel.send(0..<10_000) { _ in message } }
            }
            // The first to come may have had the usual size.
            try await wait(for: "the limit") { memory.isTight }
            #expect(memory.bytes < (100 << 10) + 4 * ((64 << 10) + 2_000))
            for channel in channels { channel.close() }
            try await wait(for: "the end") { memory.bytes == 0 }
        }

        /// Random requests, well-formed and not, to a few sessions. Whatever comes, it is the client's fault, and another page goes on.
        @Test func randomRequests() async throws {
            var random = SeededGenerator.printingSeed()
            // Time stands still, so that no session ends for want of requests however long this takes.
            let (ticks, time) = AsyncStream.makeStream(of: Duration.self)
            defer { time.finish() }
            let server = try TestServer { $0.ticks = ticks }
            let good = WebPage(server, "Listen")
            try await good.open(listen)
            let page = WebPage(server, "Listen")
            try await page.open(listen)
            for _ in 0..<Rounds.of(500) {
                var target = page.path(
                    "SID=\(page.session)&RID=\(random.int(0..<9))&AID=\(random.int(0..<5))&CI=1&TO=0")
                if random.chance(0.3) { target += "&TYPE=" + random.pick(["xmlhttp", "terminate", "init", ""]) }
                var body = WebPage.form([random.pick([listen, "{}", "[", ""])], from: random.int(0..<9))
                if random.chance(0.5) { body = String(body.dropLast(random.int(0..<20))) }
                let reply = try await server.http(random.pick(["POST", "GET", "POST"]), target, body)
                #expect(
                    [200, 400, 429].contains(reply.status), "seed \(random.seed): \(target) \(body): \(reply.text)")
                if reply.text.contains("Unknown SID") { try await page.open(listen) }
            }
            #expect(try await good.receive(until: "CURRENT").contains { $0.contains("CURRENT") })
            #expect(server.loggedFailures == [])
        }
    }
#endif
