// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Pages while all sessions together hold more than they may.
    @Suite struct TightMemoryTests {
        private let message = [UInt8](repeating: UInt8(ascii: "1"), count: 1_000)

        /// Each response ends when the session is full, so that the client acknowledges it. No time passes.
        @Test(.timeLimit(.minutes(1))) func aPageThatStreams() async throws {
            let (ticks, time) = AsyncStream.makeStream(of: Duration.self)
            defer { time.finish() }
            let server = try TestServer {
                $0.ticks = ticks
                $0.limits.webBytes = 0
            }
            let filling = try await GRPCConnection.open(server.port)
            try await filling.fill("c", 100, size: 10_000)
            try await filling.close()
            let page = WebPage(server, "Listen")
            try await page.open(WebPage.add("c"))
            var messages: [String] = []
            var responses = 0
            while !messages.contains(where: { $0.contains("CURRENT") }) {
                let connection = try await page.receive()
                _ = try await connection.head()
                responses += 1
                while let part = try await page.next(connection) {
                    messages += part
                    if part.contains(where: { $0.contains("CURRENT") }) { break }
                }
                try await connection.close()
            }
            #expect(messages.filter { $0.contains("documentChange") }.count == 100)
            #expect(responses > 5)
        }

        /// The session is full only when all that it holds was sent.
        @Test func fullSessions() throws {
            var session = WebChannelSession(at: .zero)
            let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            for _ in 0..<100 { session.append(message) }
            var ends: [Bool] = []
            while ends.last != true, case .send(_, let isLast) = session.next(number, room: 64 << 10, at: .zero) {
                ends.append(isLast)
            }
            #expect(ends == [false, true])
        }

        /// What a session may hold becomes less once it was sent.
        @Test func sessionsThatBecomeFull() throws {
            var session = WebChannelSession(at: .zero)
            let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            for _ in 0..<100 { session.append(message) }
            for _ in 0..<2 { _ = session.next(number, room: 2 << 20, at: .zero) }
            #expect(session.next(number, room: 2 << 20, at: .zero) == .wait)
            let noop = Array("17\n[[100,[\"noop\"]]]\n".utf8)
            #expect(session.next(number, room: 64 << 10, at: .zero) == .send(noop, isLast: true))
        }

        /// A page that has just had a response is about to ask for the next.
        @Test func pagesBetweenTwoResponses() throws {
            var session = WebChannelSession(at: .zero)
            #expect(session.isAway(at: .zero))
            let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            #expect(!session.isAway(at: .seconds(100)))
            session.detach(number, at: .seconds(1))
            #expect(!session.isAway(at: .seconds(5)) && session.isAway(at: .seconds(6)))
        }

        /// The room that others leave is used.
        @Test func roomOfOthers() async throws {
            let memory = WebChannelMemory(limit: 100 << 10)
            memory.add(200 << 10)
            let channel = WebChannel("a", .listen, memory, at: .zero)
            channel.run { [message] channel in try await channel.send(0..<10_000) { _ in message } }
            try await wait(for: "a full session") { memory.bytes >= 264 << 10 }
            memory.add(-200 << 10)
            try await wait(for: "the rest") {
                _ = channel.pass(.zero)
                return memory.bytes >= 100 << 10
            }
            channel.close()
        }
    }
#endif
