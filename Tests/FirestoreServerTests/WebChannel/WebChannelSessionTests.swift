// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Testing

    @testable import FirestoreServer

    /// The session without I/O: messages in and out, back channels, and time.
    @Suite struct WebChannelSessionTests {
        /// A session that has had a back channel.
        private func session(_ messages: [String] = []) -> WebChannelSession {
            var session = WebChannelSession(at: .zero)
            let number = try? session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            session.detach(number ?? 0, at: .zero)
            for message in messages { session.append(Array(message.utf8)) }
            return session
        }

        private func text(_ step: BackChannel.Step) -> String {
            switch step {
            case .send(let bytes, let isLast): String(decoding: bytes, as: UTF8.self) + (isLast ? "END" : "")
            case .wait: "WAIT"
            case .end: "END"
            }
        }

        private func maps(_ list: [Int: String?]) -> [(number: Int, map: MapQueue.Map)] {
            list.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map { Array($0.utf8) }) }
        }

        private func taken(_ session: inout WebChannelSession) -> String {
            var taken: [String] = []
            while let map = session.takeMap() { taken.append(String(decoding: map, as: UTF8.self)) }
            return taken.joined(separator: ",")
        }

        // MARK: Messages of the server

        /// The length of a chunk counts UTF-16 code units: ð is two bytes and one unit, a flame four bytes and two units.
        @Test(arguments: [("\"a\"", 12), ("\"ð\"", 12), ("\"🔥\"", 13), ("\"\u{FFFD}\"", 12)])
        func lengths(_ message: String, _ length: Int) throws {
            var session = session([message])
            let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            #expect(text(session.next(number, at: .zero)) == "\(length)\n[[1,[\(message)]]]\n")
        }

        @Test func messagesTogether() throws {
            var session = session(["1", "2"])
            let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            #expect(text(session.next(number, at: .zero)) == "18\n[[1,[1]],[2,[2]]]\n")
            #expect(text(session.next(number, at: .zero)) == "WAIT")
            session.append(Array("3".utf8))
            #expect(text(session.next(number, at: .zero)) == "10\n[[3,[3]]]\n")
        }

        /// A client takes silence at the beginning for a proxy that holds the response back.
        @Test func noopAtOnce() throws {
            var session = session()
            let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            #expect(text(session.next(number, at: .zero)) == "15\n[[0,[\"noop\"]]]\n")
            #expect(text(session.next(number, at: .seconds(29))) == "WAIT")
            #expect(session.isDue(at: .seconds(30)))
            #expect(text(session.next(number, at: .seconds(30))) == "15\n[[0,[\"noop\"]]]\n")
            // It has gone on for long enough. The client opens the next.
            #expect(text(session.next(number, at: .seconds(60))) == "15\n[[0,[\"noop\"]]]\nEND")
        }

        @Test func acknowledgements() throws {
            var session = session(["1", "2", "3"])
            let first = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            _ = session.next(first, at: .zero)
            let bytes = session.bytes
            // Sent is not received.
            let again = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            #expect(text(session.next(again, at: .zero)) == "26\n[[1,[1]],[2,[2]],[3,[3]]]\n")
            #expect(session.bytes == bytes)
            // The one before ends at once.
            #expect(text(session.next(first, at: .zero)) == "END")
            session.detach(first, at: .zero)
            #expect(session.back?.number == again)
            // A forward request acknowledges, too.
            #expect(
                String(decoding: try session.receive([], acknowledging: 2, at: .zero), as: UTF8.self) == "8\n[1,3,1]\n")
            #expect(session.bytes == bytes / 3)
            let third = try session.attach(after: 2, isStreaming: true, longestWait: .zero, at: .zero)
            #expect(text(session.next(third, at: .zero)) == "10\n[[3,[3]]]\n")
            // What was acknowledged is gone. A gap would go unnoticed, so the client has to begin again.
            #expect(throws: RequestError.invalid("Unknown SID")) {
                try session.attach(after: 1, isStreaming: true, longestWait: .zero, at: .zero)
            }
            #expect(throws: RequestError.invalid("AID is 9, but the last message that was sent is 3.")) {
                try session.attach(after: 9, isStreaming: true, longestWait: .zero, at: .zero)
            }
            _ = try session.receive([], acknowledging: 1_000, at: .zero)
            #expect(session.bytes == 0)
        }

        @Test func longPolling() throws {
            var session = session()
            let first = try session.attach(after: 0, isStreaming: false, longestWait: .seconds(5), at: .zero)
            #expect(text(session.next(first, at: .seconds(4))) == "WAIT")
            #expect(!session.isDue(at: .seconds(4)) && session.isDue(at: .seconds(5)))
            #expect(text(session.next(first, at: .seconds(5))) == "15\n[[0,[\"noop\"]]]\nEND")
            session.detach(first, at: .seconds(5))
            session.append(Array("1".utf8))
            session.append(Array("2".utf8))
            let second = try session.attach(after: 0, isStreaming: false, longestWait: .seconds(5), at: .seconds(5))
            #expect(text(session.next(second, at: .seconds(5))) == "18\n[[1,[1]],[2,[2]]]\nEND")
        }

        /// A hundred thousand documents through a service that appends as long as there is room. Nothing more than that waits, and
        /// no response is long.
        @Test(arguments: [true, false]) func manyMessages(_ isStreaming: Bool) throws {
            var session = session()
            let message = [UInt8](repeating: UInt8(ascii: "1"), count: 300)
            let (count, room) = (100_000, 2 << 20)
            var (appended, received, responses) = (0, 0, 0)
            while received < count {
                responses += 1
                let number = try session.attach(
                    after: received, isStreaming: isStreaming, longestWait: .zero, at: .zero)
                var isOpen = true
                var size = 0
                while isOpen {
                    while appended < count, session.hasRoom(room) {
                        session.append(message)
                        appended += 1
                    }
                    #expect(session.bytes < room + 400)
                    guard case .send(let chunk, let isLast) = session.next(number, at: .zero) else { break }
                    size += chunk.count
                    isOpen = !isLast
                }
                #expect(size < (1 << 20) + (64 << 10) + 400)
                let last = try #require(session.back).last
                #expect(last > received)
                received = last
                session.detach(number, at: .zero)
            }
            #expect(appended == count)
            #expect(responses > 25 && responses < 50)
        }

        /// A client that never acknowledges gets the first megabyte again and again.
        @Test func nothingAcknowledged() throws {
            var session = session()
            while session.hasRoom(2 << 20) { session.append([UInt8](repeating: UInt8(ascii: "1"), count: 1_000)) }
            let bytes = session.bytes
            for _ in 0..<10 {
                let number = try session.attach(after: 0, isStreaming: false, longestWait: .zero, at: .zero)
                #expect(text(session.next(number, at: .zero)).hasPrefix("10"))
                #expect(session.bytes == bytes)
                #expect(!session.hasRoom(2 << 20))
            }
        }

        // MARK: Messages of the client

        @Test func orderOfMaps() throws {
            var session = session()
            #expect(
                String(
                    decoding: try session.receive(maps([0: "a", 1: "b"]), acknowledging: nil, at: .zero), as: UTF8.self)
                    == "8\n[0,0,0]\n")
            #expect(taken(&session) == "a,b")
            // A later request comes first.
            _ = try session.receive(maps([4: "e", 5: "f"]), acknowledging: nil, at: .zero)
            #expect(taken(&session) == "")
            _ = try session.receive(maps([3: "d"]), acknowledging: nil, at: .zero)
            #expect(taken(&session) == "")
            // A repeated one brings new messages, too.
            _ = try session.receive(maps([1: "b", 2: "c", 3: "d"]), acknowledging: nil, at: .zero)
            #expect(taken(&session) == "c,d,e,f")
            _ = try session.receive(maps([0: "a", 4: "e", 5: "f", 6: "g"]), acknowledging: nil, at: .zero)
            #expect(taken(&session) == "g")
            // A map that the client could not write only counts.
            _ = try session.receive(maps([8: "i"]), acknowledging: nil, at: .zero)
            _ = try session.receive(maps([7: nil]), acknowledging: nil, at: .zero)
            #expect(taken(&session) == "i")
            #expect(session.bytes == 0)
        }

        /// Until a back channel comes, no service works for a session.
        @Test func mapsBeforeTheFirstBackChannel() throws {
            var session = WebChannelSession(at: .zero)
            _ = try session.receive(maps([0: "a"]), acknowledging: nil, at: .zero)
            #expect(taken(&session) == "")
            _ = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
            #expect(taken(&session) == "a")
        }

        @Test func earlyMaps() throws {
            var session = session()
            let error = RequestError(
                .resourceExhausted, "Too many messages wait for message 0, which did not come; send messages in order.")
            #expect(throws: error) {
                try session.receive((1...1_001).map { ($0, []) }, acknowledging: nil, at: .zero)
            }
            #expect(throws: error) {
                try session.receive(
                    [(1, [UInt8](repeating: 32, count: (1 << 20) + 1))], acknowledging: nil, at: .zero)
            }
            #expect(session.bytes == 0)
            _ = try session.receive((1...1_000).map { ($0, [65]) }, acknowledging: nil, at: .zero)
            _ = try session.receive(maps([0: "B"]), acknowledging: nil, at: .zero)
            #expect(taken(&session) == "B" + String(repeating: ",A", count: 1_000))
        }

        @Test func roomForMaps() throws {
            var session = session()
            _ = try session.receive([(0, [UInt8](repeating: 32, count: 1 << 20))], acknowledging: nil, at: .zero)
            #expect(!session.receives)
            _ = session.takeMap()
            #expect(session.receives)
        }

        // MARK: Ends

        /// The last message goes out, whatever the service does.
        @Test func errorsLinger() throws {
            var session = session()
            _ = try session.receive(maps([0: "a"]), acknowledging: nil, at: .zero)
            session.finish(Array("\"error\"".utf8))
            session.append(Array("\"late\"".utf8))
            #expect(session.takeMap() == nil)
            _ = try session.receive(maps([1: "b"]), acknowledging: nil, at: .zero)
            #expect(session.takeMap() == nil)
            for _ in 0..<2 {
                let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .zero)
                #expect(text(session.next(number, at: .zero)) == "16\n[[1,[\"error\"]]]\n")
            }
        }

        @Test func expiry() throws {
            var session = session(["1"])
            #expect(!session.isExpired(at: .seconds(59)) && session.isExpired(at: .seconds(60)))
            let number = try session.attach(after: 0, isStreaming: true, longestWait: .zero, at: .seconds(50))
            #expect(!session.isExpired(at: .seconds(1_000)))
            // The client does not read what is being written.
            _ = session.next(number, at: .seconds(50))
            #expect(!session.isStuck(at: .seconds(109)) && session.isStuck(at: .seconds(110)))
            #expect(!session.isDue(at: .seconds(1_000)))
            _ = session.next(number, at: .seconds(60))
            #expect(!session.isStuck(at: .seconds(1_000)))
            session.detach(number, at: .seconds(70))
            #expect(!session.isExpired(at: .seconds(129)) && session.isExpired(at: .seconds(130)))
            session.close()
            #expect(text(session.next(number, at: .zero)) == "END")
            #expect(session.bytes == 0)
        }
    }
#endif
