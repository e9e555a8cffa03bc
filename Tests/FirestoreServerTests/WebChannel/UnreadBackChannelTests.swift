// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Pages that ask for 4 MB over real connections and read nothing of them: what they cost the server, and others not. The time is
    /// handed in.
    @Suite struct UnreadBackChannelTests {
        private static let count = 400
        /// What may wait in one session, and the longest message.
        private static let session = 2 << 20
        private static let message = 20_000
        private static let limit = 6 << 20

        private let server: TestServer
        private let time: AsyncStream<Duration>.Continuation

        init() async throws {
            let (ticks, time) = AsyncStream.makeStream(of: Duration.self)
            self.time = time
            server = try TestServer {
                $0.ticks = ticks
                $0.limits.webBytes = Self.limit
            }
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", Self.count, size: 10_000)
            try await connection.close()
        }

        private var table: WebChannelTable { server.server.channels }
        private var waiting: Int { table.memory.bytes }

        /// A page that does not read, once as much waits for it as may.
        private func unreadPage(
            isNarrow: Bool = true, holding size: Int = session
        ) async throws -> (WebPage, HTTPConnection) {
            let before = waiting
            let page = WebPage(server, "Listen")
            try await page.open(WebPage.add("c"))
            let connection = try await page.receive(reads: false, isNarrow: isNarrow)
            let channel = try table.channel(page.session, .listen)
            try await wait(for: "a full session") {
                // Other sessions may fill meanwhile, and one that never had a back channel may be ended.
                waiting >= before + size && !channel.isAway(at: table.now)
            }
            return (page, connection)
        }

        /// Lets time pass until a page's back channel has ended, in steps that are too short for the session to end.
        private func passTime(untilDetached page: WebPage) async throws {
            try await wait(for: "the end of the back channel") {
                try await passTime(.seconds(30))
                return try await page.send([]).text.contains("[0,")
            }
        }

        private func passTime(_ duration: Duration) async throws {
            let end = table.now + duration
            time.yield(end)
            try await wait(for: "the time") { table.now == end }
        }

        /// All that a page receives until it has some number of documents.
        private func documents(_ count: Int, of page: WebPage) async throws -> [String] {
            var documents: [String] = []
            while documents.count < count {
                documents += try await page.poll().filter { $0.contains("documentChange") }
            }
            return documents
        }

        private func commit(_ number: Int) async throws {
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit(["c/d000000", "d/x"].map { .set($0, ["n": ProtoValue(number)]) })
            try await connection.close()
        }

        /// It gets what a session may hold and no more, whatever happens meanwhile; others get everything; after a minute it is cut off;
        /// and a page that comes back has lost nothing.
        @Test func anUnreadResponse() async throws {
            let (page, unread) = try await unreadPage()
            let held = waiting
            #expect(held < Self.session + Self.message)
            let listener = Conversation(try await GRPCCarrier(server))
            listener.add(1, documents: ["c/d000000"])
            _ = try await listener.first()
            let other = WebPage(server, "Listen")
            try await other.open(WebPage.add("d"))
            for number in 1...20 {
                try await commit(number)
                #expect(try await listener.state() == "doc d000000 ∎")
                #expect(try await documents(1, of: other).count == 1)
            }
            #expect(waiting < held + Self.message)

            try await passTime(untilDetached: page)
            try await unread.readAll()
            #expect(try await unread.head().status == 200)
            await #expect(throws: HTTPConnection.Cut.self) { while try await unread.part() != nil {} }
            let all = try await documents(Self.count + 20, of: page)
            #expect(all.count == Self.count + 20)
            #expect(all.dropFirst(Self.count).allSatisfy { $0.contains("/c/d000000") })
        }

        /// - Parameter isNarrow: whether the response is cut off, or has ended in the kernel's memory.
        @Test(arguments: [true, false]) func aPageThatNeverComesBack(isNarrow: Bool) async throws {
            let (page, unread) = try await unreadPage(isNarrow: isNarrow)
            #expect(waiting < Self.session + Self.message)
            try await passTime(untilDetached: page)
            #expect(waiting >= Self.session)
            try await passTime(.seconds(60))
            try await wait(for: "the end of the session") { waiting == 0 && table.count == 0 }
            #expect(try await page.send([]).text.contains("Unknown SID"))
            try await unread.close()
        }

        /// Together they hold little more than what all sessions may, and another page gets everything.
        @Test func manyUnreadResponses() async throws {
            var unread: [HTTPConnection] = []
            for _ in 0..<8 { unread.append(try await unreadPage(holding: 64 << 10).1) }
            try await wait(for: "the limit") { table.memory.isTight }
            let page = WebPage(server, "Listen")
            try await page.open(WebPage.add("c"))
            #expect(try await documents(Self.count, of: page).count == Self.count)
            #expect(waiting < Self.limit + table.count * ((64 << 10) + Self.message))
            #expect(table.count == unread.count + 1)
            for connection in unread { try await connection.close() }
        }
    }
#endif
