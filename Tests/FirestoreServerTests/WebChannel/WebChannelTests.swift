// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import TestSupport
    import Testing

    /// Channels over a real connection, each pitfall of the protocol by itself. The time is handed in.
    @Suite struct WebChannelTests {
        let server: TestServer
        private let time: AsyncStream<Duration>.Continuation

        init() throws {
            let (ticks, time) = AsyncStream.makeStream(of: Duration.self)
            self.time = time
            server = try TestServer { $0.ticks = ticks }
        }

        private func set(_ path: String, _ value: String = "1") async throws {
            let body =
                #"{"writes":[{"update":{"name":"\#(Names.document(path))","fields":{"n":{"stringValue":"\#(value)"}}}}]}"#
            #expect(try await server.rest("POST", ":commit", body).status == 200)
        }

        @Test func handshake() async throws {
            let page = WebPage(server, "Listen")
            let reply = try await page.open(WebPage.add("c"), origin: "http://localhost:3000")
            #expect(reply.status == 200)
            #expect(reply.text == "69\n[[0,[\"c\",\"\(page.session)\",\"\",8,15,30000]]]\n")
            #expect(page.session.count == 40)
            #expect(reply.header("content-type") == "text/plain; charset=utf-8")
            #expect(reply.header("x-http-session-id") != nil)
            // A page of another origin may read that header, with its cookies.
            #expect(reply.header("access-control-allow-origin") == "http://localhost:3000")
            #expect(reply.header("access-control-allow-credentials") == "true")
            #expect(reply.header("access-control-expose-headers")?.contains("x-http-session-id") == true)
        }

        /// Neither compressed nor held back: each chunk is on its way at once, though the response goes on.
        @Test func streaming() async throws {
            try await set("c/a", "🔥é")
            let page = WebPage(server, "Listen")
            try await page.open(WebPage.add("c"))
            let connection = try await page.receive()
            let head = try await connection.head()
            #expect(head.status == 200)
            #expect(head.header("transfer-encoding") == "chunked")
            #expect(head.header("content-encoding") == nil)
            #expect(head.header("cache-control") == "no-cache")
            #expect(head.header("x-content-type-options") == "nosniff")
            #expect(head.header("x-accel-buffering") == "no")
            var messages: [String] = []
            while !messages.contains(where: { $0.contains("CURRENT") }) {
                messages += try #require(try await page.message(connection))
            }
            #expect(messages.first == #"[{"targetChange":{"targetChangeType":"ADD","targetIds":[2]}}]"#)
            #expect(messages.contains { $0.contains(#""fields":{"n":{"stringValue":"🔥é"}}"#) })
            try await set("c/b")
            messages = []
            while !messages.contains(where: { $0.contains("/c/b") }) {
                messages += try #require(try await page.message(connection))
            }
            try await connection.close()
        }

        /// A client takes silence for a proxy that holds the response back; later, for a dead connection.
        @Test func noops() async throws {
            let page = WebPage(server, "Write")
            try await page.open(#"{"database":"\#(Names.database)"}"#)
            #expect(try await page.poll().first?.contains("streamId") == true)
            let connection = try await page.receive()
            _ = try await connection.head()
            #expect(try await page.next(connection) == [WebPage.noop])
            time.yield(.seconds(30))
            #expect(try await page.next(connection) == [WebPage.noop])
            time.yield(.seconds(60))
            #expect(try await page.next(connection) == [WebPage.noop])
            #expect(try await page.next(connection) == nil)
            // The connection has its next response.
            try await connection.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await connection.response().text == "Ok\n")
        }

        @Test func longPolling() async throws {
            let page = WebPage(server, "Listen")
            try await page.open(WebPage.add("c"))
            var messages: [String] = []
            while !messages.contains(where: { $0.contains("CURRENT") }) { messages += try await page.poll() }
            let connection = try await page.receive(isPolling: true, more: "&TO=5000")
            try await set("c/a")
            let reply = try await connection.response()
            #expect(reply.text.contains("/c/a"))
            page.last = try #require(WebPage.parse(reply.body).last?.first as? Int)
        }

        @Test func longestWait() async throws {
            let page = WebPage(server, "Write")
            try await page.open(#"{"database":"\#(Names.database)"}"#)
            _ = try await page.poll()
            let connection = try await page.receive(isPolling: true, more: "&TO=5000")
            // It has come once a forward request finds a back channel.
            try await wait(for: "the back channel") { try await page.send([]).text == "8\n[1,1,0]\n" }
            time.yield(.seconds(5))
            #expect(try await connection.response().text == "15\n[[1,[\"noop\"]]]\n")
        }

        /// A new response replaces the one before, which ends at once, and brings what was not acknowledged.
        @Test func replacedBackChannels() async throws {
            let page = WebPage(server, "Write")
            try await page.open(#"{"database":"\#(Names.database)"}"#)
            let first = try await page.receive()
            _ = try await first.head()
            let messages = try await page.message(first)
            page.last = 0
            let second = try await page.receive()
            _ = try await second.head()
            #expect(try await page.message(second) == messages)
            #expect(try await page.next(first) == nil)
            // A lost connection, the same.
            try await second.close()
            page.last = 0
            let third = try await page.receive()
            _ = try await third.head()
            #expect(try await page.message(third) == messages)
        }

        @Test(arguments: ["Listen", "Write"]) func unknownSessions(_ method: String) async throws {
            let page = WebPage(server, method)
            try await page.open("{}")
            for (verb, query) in [
                ("POST", "SID=none&RID=1&AID=0"), ("GET", "SID=none&RID=rpc&AID=0&CI=0&TYPE=xmlhttp"),
                ("GET", "SID=&RID=rpc&AID=0&CI=1&TYPE=xmlhttp"),
            ] {
                let reply = try await server.http(
                    verb, page.path(query), verb == "POST" ? WebPage.form([], from: 0) : "")
                #expect(reply.status == 400)
                let index = try #require(reply.text.range(of: "Unknown SID")?.lowerBound)
                #expect(index > reply.text.startIndex)
            }
            // A session of the other method is none.
            let other = WebPage(server, method == "Listen" ? "Write" : "Listen")
            let path = other.path("SID=\(page.session)&RID=rpc&AID=0&CI=0&TYPE=xmlhttp")
            #expect(try await server.http("GET", path).text.contains("Unknown SID"))
        }

        @Test func expiredSessions() async throws {
            let page = WebPage(server, "Write")
            try await page.open(#"{"database":"\#(Names.database)"}"#)
            // A request that comes between two looks at the clock is a use.
            var now = Duration.zero
            try await wait(for: "the end of the session") {
                now += .seconds(60)
                time.yield(now)
                let place = page.path("SID=\(page.session)&RID=rpc&AID=0&CI=1&TYPE=xmlhttp")
                return try await server.http("GET", place).status == 400
            }
        }

        /// The error waits for the client, with its status.
        @Test func errors() async throws {
            let page = WebPage(server, "Write")
            try await page.open(#"{"database":"\#(Names.database)"}"#)
            _ = try await page.poll()
            let name = Names.document("c/missing")
            try await page.send([
                #"{"streamToken":"AAE=","writes":[{"delete":"\#(name)","currentDocument":{"exists":true}}]}"#
            ])
            for _ in 0..<2 {
                page.last = 1
                let messages = try await page.receive(until: "error").filter { $0 != WebPage.noop }
                #expect(messages.count == 1)
                #expect(messages[0].hasPrefix(#"[[{"error":{"code":404,"message":"#))
                #expect(messages[0].contains(#""status":"NOT_FOUND""#))
            }
            // Nobody reads this any more.
            #expect(try await page.send([#"{"writes":[]}"#]).status == 200)
        }

        @Test(arguments: ["{", "[]", "1", #"{"x":1}"#, #"{"database":1}"#, "{}", #"{"database":"d"}"#, "\u{0}", "🔥"])
        func wrongMessages(_ message: String) async throws {
            for method in ["Listen", "Write"] {
                let page = WebPage(server, method)
                #expect(try await page.open(message).status == 200)
                let messages = try await page.receive(until: "error")
                #expect(messages.last?.contains(#""status":"INVALID_ARGUMENT""#) == true, "\(messages)")
            }
            #expect(server.loggedFailures == [])
        }

        /// A request may be longer than a message, because it has several and is percent-encoded.
        @Test func longMessages() async throws {
            let page = WebPage(server, "Write")
            try await page.open(#"{"database":"\#(Names.database)"}"#)
            let text = String(repeating: "a", count: 11_534_337)
            #expect(try await page.post("count=1&ofs=1&req0___data__=\(text)").status == 200)
            let messages = try await page.receive(until: "error")
            #expect(messages.last?.contains("Request payload size exceeds the limit: 11534336 bytes.") == true)
            let reply = try await page.post("count=1&ofs=2&req0___data__=\(text)\(text)\(text)\(text)")
            #expect(reply.error?.message == "Request payload size exceeds the limit: 11534336 bytes.")
        }

        @Test func terminate() async throws {
            for verb in ["POST", "GET"] {
                let page = WebPage(server, "Listen")
                try await page.open(WebPage.add("c"))
                let connection = try await page.receive()
                _ = try await connection.head()
                let reply = try await server.http(verb, page.path("SID=\(page.session)&RID=9&TYPE=terminate"))
                #expect(reply.status == 200 && reply.body.isEmpty)
                while try await page.next(connection) != nil {}
                #expect(try await page.send([]).text.contains("Unknown SID"))
                #expect(try await server.http(verb, page.path("SID=none&RID=9&TYPE=terminate")).status == 200)
            }
        }

        @Test func resume() async throws {
            try await set("c/a")
            try await set("c/b")
            let page = WebPage(server, "Listen")
            try await page.open(WebPage.add("c"))
            let first = try await page.receive(until: "CURRENT")
            let current = try #require(first.last { $0.contains("CURRENT") })
            let token = try #require(current.firstMatch(of: /"resumeToken":"([^"]*)"/)?.output.1)
            try await set("c/b", "2")
            let next = WebPage(server, "Listen")
            try await next.open(WebPage.add("c", resumeToken: String(token)))
            let messages = try await next.receive(until: "CURRENT")
            #expect(messages.filter { $0.contains("documentChange") }.count == 1)
            #expect(messages.contains { $0.contains("/c/b") })
        }

        /// A page that loads 5 MB by small answers: there is never more than a session may hold.
        @Test func longLoads() async throws {
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 500, size: 10_000)
            try await connection.close()
            let page = WebPage(server, "Listen")
            try await page.open(WebPage.add("c"))
            var count = 0
            var isComplete = false
            while !isComplete {
                let messages = try await page.poll()
                #expect(messages.count < 250)
                count += messages.count { $0.contains("documentChange") }
                isComplete = messages.contains { $0.contains("CURRENT") }
            }
            #expect(count == 500)
        }
    }
#endif
