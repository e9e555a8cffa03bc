// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import QueryPlanner
    import Synchronization
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Which streams a commit wakes, and from when on they read.
    @Suite struct ListenRouterTests {
        private let clock = ServerClock(startingAt: Timestamp(rfc3339: "2030-01-01T00:00:00Z")!)
        private let service: FirestoreService
        private let id = DatabaseID(project: "p")

        init() throws {
            var options = ServerOptions()
            options.clock = clock
            service = FirestoreService(try DatabaseRegistry(options, IndexSource(), RulesSource()))
        }

        private func set(_ path: DocumentPath, _ fields: Fields = [:]) async throws -> Timestamp {
            try await service.commit([.set(path, fields)], transaction: nil, in: id, by: .administrator).commitTime
        }

        private func wait(_ database: ServedDatabase, toRoute time: Timestamp) async throws {
            try await TestSupport.wait(for: "the commit to be routed") {
                database.router.withStreams { $0.routed.map { $0.time >= time } ?? false }
            }
        }

        @Test func idleStreamsCostACommitNothing() async throws {
            let database = try await service.databases.database(id)
            let idle = (0..<1_000).map { _ in Conversation(service, id) }
            for (number, stream) in idle.enumerated() {
                stream.add(1, collection: "c", equal: ("owner", ProtoValue(number)))
            }
            for stream in idle { #expect(try await stream.state() == "ADD1 CUR1 ∎") }
            try await TestSupport.wait(for: "the streams to see what came while they began") {
                database.router.withStreams { $0.dueCount == 0 }
            }
            let before = database.router.withStreams { ($0.lookups, $0.wakes) }
            try await wait(database, toRoute: set("c/a", ["owner": -1]))
            try await wait(database, toRoute: set("d/a"))
            let after = database.router.withStreams { ($0.lookups, $0.wakes) }
            // Nobody listens to the other collection.
            #expect(after.0 - before.0 == 1)
            #expect(after.1 == before.1)
            try await wait(database, toRoute: set("c/a", ["owner": 7]))
            #expect(database.router.withStreams { $0.wakes } == before.1 + 1)
            #expect(try await idle[7].state() == "doc a ∎")
        }

        /// Its own state is older than the history, but nothing between then and the last commits concerns it.
        @Test func anIdleStreamOutlivesTheHistory() async throws {
            let database = try await service.databases.database(id)
            let idle = Conversation(service, id)
            idle.add(1, collection: "c")
            #expect(try await idle.state() == "ADD1 CUR1 ∎")
            idle.add(2, documents: ["named/x"])
            #expect(try await idle.state() == "ADD2 del x CUR2 ∎")
            // A stream reads everything again that came while it began. When it tells this, it has.
            try await wait(database, toRoute: set("c/b"))
            #expect(try await idle.state() == "doc b ∎")
            try await TestSupport.wait(for: "the stream to be idle") {
                database.router.withStreams { $0.dueCount == 0 }
            }
            for number in 0..<5 {
                clock.set(Timestamp(microseconds: clock.now.microseconds + 1_800_000_000)!)
                try await wait(database, toRoute: set("other/x", ["n": .integer(Int64(number))]))
            }
            #expect(try database.engine.earliestReadTime() > ResumeToken(idle.token)!.time)
            _ = try await set("c/a")
            #expect(try await idle.state() == "doc a ∎")
            _ = try await set("named/x")
            #expect(try await idle.state() == "doc x ∎")
        }

        /// The clock jumps, so that nobody can know what was committed since.
        @Test func aStreamWhosePastIsUnknownBeginsAgain() async throws {
            _ = try await set("c/a")
            let stream = Conversation(service, id)
            stream.add(1, collection: "c")
            #expect(try await stream.state() == "ADD1 doc a CUR1 ∎")
            clock.set(Timestamp(microseconds: clock.now.microseconds + 7_200_000_000)!)
            _ = try await set("c/b")
            var states = try await stream.state()
            // The stream may look between the jump and the commit.
            if !states.contains("doc b") { states += try await " \(stream.state())" }
            let whole = "RESET1 doc a doc b CUR1 ∎"
            #expect([whole, "RESET1 doc a CUR1 ∎ doc b ∎"].contains(states))
        }

        /// A client that did not read while more was committed than the server reads at once.
        @Test(arguments: [nil, 3_000 as Int32]) func aStreamThatFellBehindMissesNothing(_ limit: Int32?) async throws {
            let engine = try await service.databases.database(id).engine
            let hasShownFirst = Atomic<Bool>(false)
            let stream = Conversation(service, id) {
                guard !hasShownFirst.exchange(true, ordering: .relaxed) else { return }
                for number in 0..<1_300 {
                    let path = DocumentPath(ResourcePath(segments: ["c", Text("\(number)")]))
                    #expect(throws: Never.self) { try engine.commit([.set(path, [:])]) }
                }
            }
            stream.add(1, collection: "c", limit: limit)
            #expect(try await stream.state() == "ADD1 CUR1 ∎")
            var shown: [String] = []
            while shown.count < 1_300 {
                shown += try await stream.state().split(separator: " ").filter { $0 != "doc" && $0 != "∎" }.map(
                    String.init)
            }
            #expect(Set(shown) == Set((0..<1_300).map { "\($0)" }) && shown.count == 1_300)
        }

        /// Two targets of one stream have the same interest; one is removed.
        @Test func targetsLeaveOneByOne() async throws {
            let database = try await service.databases.database(id)
            var stream: Conversation? = Conversation(service, id)
            for target in 1...2 as ClosedRange<Int32> {
                stream?.add(target, collection: "c")
                #expect(try await stream?.state() == "ADD\(target) CUR\(target) ∎")
            }
            stream?.remove(1)
            #expect(try await stream?.next() == "REMOVE1")
            _ = try await set("c/a")
            #expect(try await stream?.state() == "doc a ∎")
            stream?.remove(2)
            #expect(try await stream?.next() == "REMOVE2")
            #expect(database.router.withStreams { $0.isIndexEmpty && $0.count == 1 })
            stream?.add(3, collection: "c", limit: 1)
            #expect(try await stream?.state() == "ADD3 doc a CUR3 ∎")
            stream = nil
            try await TestSupport.wait(for: "the stream to leave") {
                database.router.withStreams { $0.isIndexEmpty && $0.count == 0 }
            }
        }

        /// A stream that ends with an error leaves, too.
        @Test func aStreamThatFailsLeaves() async throws {
            let database = try await service.databases.database(id)
            let stream = Conversation(service, id)
            stream.add(1, collection: "c")
            #expect(try await stream.state() == "ADD1 CUR1 ∎")
            stream.add(-1, collection: "c")
            await #expect(throws: RequestError.self) { try await stream.next() }
            try await TestSupport.wait(for: "the stream to leave") {
                database.router.withStreams { $0.isIndexEmpty && $0.count == 0 }
            }
        }
    }
#endif
