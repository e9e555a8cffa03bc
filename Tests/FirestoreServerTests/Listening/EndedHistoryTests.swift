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

    /// Streams whose history ends while states are being read: as for any state that cannot be read, the whole results come again.
    @Suite struct EndedHistoryTests {
        /// What ends the history.
        enum Ending: CaseIterable, Sendable {
            case anImport, anHour
        }

        private let service: FirestoreService
        private let clock = ServerClock()
        private let rules = RulesSource()
        private let database = DatabaseID(project: "p")

        init() throws {
            var options = ServerOptions()
            options.clock = clock
            service = FirestoreService(try DatabaseRegistry(options, IndexSource(), rules))
        }

        private func end(_ engine: Engine, _ ending: Ending) throws {
            switch ending {
            case .anImport:
                // Only the documents of a new collection end it.
                var documents = [try DocumentPath(parsing: "imported\(clock.now.microseconds)/a")]
                _ = try engine.load(next: { documents.popLast().map { ($0, [:]) } }, reject: { _, _ in })
            case .anHour: advance(minutes: 61)
            }
        }

        private func advance(minutes: Int64) {
            guard let time = Timestamp(microseconds: clock.now.microseconds + minutes * 60_000_000) else { return }
            clock.set(time)
        }

        /// A conversation with something to do at each time that messages were sent, counted from 1.
        private func conversation(
            as credentials: Credentials = .administrator, _ act: @escaping @Sendable (Int, Engine) throws -> Void
        ) async throws -> Conversation {
            let engine = try await service.databases.database(database).engine
            let count = Mutex(0)
            return Conversation(service, database, as: credentials) {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                do { try act(number, engine) } catch { Issue.record(error) }
            }
        }

        /// Three commits make one part. The query runs again at the time of the second.
        @Test(arguments: Ending.allCases) func betweenTwoStates(_ ending: Ending) async throws {
            let listener = try await conversation { [self] number, engine in
                switch number {
                case 1:
                    for path in ["c/a", "c/b", "d/x"] {
                        _ = try engine.commit([.set(DocumentPath(parsing: path), [:])])
                    }
                case 2: try end(engine, ending)
                default: break
                }
            }
            listener.add(1, collection: "c", limit: 5)
            try #require(try await listener.state() == "ADD1 CUR1 ∎")
            try #require(try await listener.state() == "doc a ∎")
            #expect(try await listener.state() == "RESET1 doc a doc b CUR1 ∎")
        }

        /// The second target's whole result is read at a time that is gone.
        @Test(arguments: Ending.allCases) func whileAllBeginAgain(_ ending: Ending) async throws {
            let listener = try await conversation { [self] number, engine in if number == 3 { try end(engine, ending) }
            }
            for id in [1, 2] as [Int32] {
                listener.add(id, collection: "c")
                try #require(try await listener.state() == "ADD\(id) CUR\(id) ∎")
            }
            try await service.databases.database(database).engine.clear()
            #expect(try await listener.state() == "RESET1 CUR1 RESET1 CUR1 RESET2 CUR2 ∎")
        }

        /// The second target's rule reads a document at a time that is gone.
        @Test(arguments: Ending.allCases) func whileTargetsAreJudged(_ ending: Ending) async throws {
            let gated = "match /gated/{id} { allow read: if get(/databases/$(database)/documents/gates/g).data.open; }"
            rules.replace(ServedRules(documents: gated + " match /open/{id} { allow read: if true; }"))
            let listener = try await conversation(as: .none) { [self] number, engine in
                if number == 3 { try end(engine, ending) }
            }
            let engine = try await service.databases.database(database).engine
            _ = try engine.commit([.set(DocumentPath(parsing: "gates/g"), ["open": true])])
            for (id, collection) in [(1, "open"), (2, "gated")] as [(Int32, String)] {
                listener.add(id, collection: collection)
                try #require(try await listener.state() == "ADD\(id) CUR\(id) ∎")
            }
            try rules.set(ServedRules(documents: gated), of: database)
            try #require(try await listener.next() == "RESET1")
            try #require(try await listener.next().hasPrefix("REMOVE1{7, "))
            #expect(try await listener.state() == "RESET2 CUR2 ∎")
        }

        /// A new target whose query is read last, when the history ends: its result, or what it has to resume from, is gone.
        @Test(arguments: Ending.allCases) func whileATargetBegins(_ ending: Ending) async throws {
            let new = try await target(.none) { try end($0, ending) }
            #expect(try await new.state() == "ADD1 CUR1 ∎")
            let resumed = try await target(.token(new.token)) { try end($0, ending) }
            #expect(try await resumed.state() == "ADD1 RESET1 CUR1 ∎")
        }

        private static let many = (100..<350).map { "d\($0)" }

        /// What shows documents.
        private func shown(_ ids: some Sequence<String>) -> String { ids.map { " doc \($0)" }.joined() }

        private func fill(_ engine: Engine) throws {
            _ = try engine.commit(Self.many.map { .set(try DocumentPath(parsing: "c/\($0)"), [:]) })
        }

        /// A result that has two parts is read between them at a time that is gone: it comes again.
        @Test(arguments: Ending.allCases) func betweenTwoParts(_ ending: Ending) async throws {
            let listener = try await conversation { [self] number, engine in
                switch number {
                case 1, 5: try end(engine, ending)
                // What was shown is gone, and there is something new.
                case 4:
                    try engine.clear()
                    try fill(engine)
                default: break
                }
            }
            try fill(try await service.databases.database(database).engine)
            listener.add(1, collection: "c")
            let (part, all) = (shown(Self.many.prefix(100)), shown(Self.many))
            #expect(try await listener.state() == "ADD1\(part) RESET1\(all) CUR1 ∎")
            #expect(try await listener.state() == "RESET1\(part) RESET1\(all) CUR1 ∎")
        }

        /// The end of a state is one of all targets, so that there is none while one of them has a part only.
        @Test(arguments: Ending.allCases) func betweenTwoPartsBesideAnother(_ ending: Ending) async throws {
            let listener = try await conversation { [self] number, engine in if number == 2 { try end(engine, ending) }
            }
            try fill(try await service.databases.database(database).engine)
            listener.add(2, collection: "d")
            try #require(try await listener.state() == "ADD2 CUR2 ∎")
            listener.add(1, collection: "c")
            let (part, all) = (shown(Self.many.prefix(100)), shown(Self.many))
            #expect(try await listener.state() == "ADD1\(part) RESET1\(all) CUR1 RESET2 CUR2 ∎")
        }

        /// A target whose end was sent with the first part of another's state has ended, though the state is broken off.
        @Test func betweenTwoPartsBehindTheEndOfAnother() async throws {
            let gated = "match /gated/{id} { allow read: if get(/databases/$(database)/documents/gates/g).data.open; }"
            rules.replace(ServedRules(documents: gated + " match /c/{id} { allow read: if true; }"))
            let listener = try await conversation(as: .none) { number, engine in if number == 4 { try engine.clear() } }
            let engine = try await service.databases.database(database).engine
            let gate = try DocumentPath(parsing: "gates/g")
            _ = try engine.commit([.set(gate, ["open": true])])
            try fill(engine)
            listener.add(1, collection: "gated")
            try #require(try await listener.state() == "ADD1 CUR1 ∎")
            listener.add(2, collection: "c", limit: 150)
            try #require(try await listener.state() == "ADD2\(shown(Self.many.prefix(150))) CUR2 ∎")
            let changed = try ["gated/a", "c/d100"].map { try Write.set(DocumentPath(parsing: $0), ["n": 1]) }
            _ = try engine.commit([.set(gate, ["open": false])] + changed)
            try #require(try await listener.next() == "RESET1")
            try #require(try await listener.next().hasPrefix("REMOVE1{7, "))
            #expect(try await listener.state() == "doc d100 RESET2 CUR2 ∎")
            listener.add(1, collection: "c")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
        }

        /// The stream's own state can still be read.
        @Test func whileATargetResumes() async throws {
            let new = try await target(.none) { _ in }
            try #require(try await new.state() == "ADD1 CUR1 ∎")
            advance(minutes: 50)
            let resumed = try await target(.token(new.token)) { _ in advance(minutes: 20) }
            #expect(try await resumed.state() == "ADD1 RESET1 CUR1 ∎")
        }

        /// The second part has what left the result. Whether it was there is known by then.
        @Test func aResumptionWhoseFirstStateIsGone() async throws {
            let engine = try await service.databases.database(database).engine
            let paths = try ["c/a", "c/b", "c/c"].map { try DocumentPath(parsing: $0) }
            _ = try engine.commit(paths.map { .set($0, [:]) })
            let first = try await conversation { _, _ in }
            first.add(1, collection: "c")
            try #require(try await first.state() == "ADD1 doc a doc b doc c CUR1 ∎")
            advance(minutes: 50)
            let bytes = Value.bytes([UInt8](repeating: 0, count: 600_000))
            _ = try engine.commit(paths.prefix(2).map { .set($0, ["n": bytes]) } + [Write(paths[2], .delete)])
            let second = try await conversation { [self] number, _ in if number == 1 { advance(minutes: 20) } }
            second.add(1, collection: "c", resumeToken: first.token)
            #expect(try await second.first() == "ADD1 ∎ doc a doc b del c CUR1 ∎")
        }

        /// A stream with a target that does something when its query is read, once.
        private func target(
            _ resumption: ListenRequest.Resumption, _ act: @escaping @Sendable (Engine) throws -> Void
        ) async throws -> Conversation {
            let engine = try await service.databases.database(database).engine
            let isDone = Mutex(false)
            let selection = ListenRequest.Selection.query(parent: Names.root) { _, _ in
                if isDone.withLock({ isDone in
                    defer { isDone = true }
                    return !isDone
                }) {
                    do { try act(engine) } catch { Issue.record(error) }
                }
                return Query(parent: nil, from: CollectionSelector(collectionID: "c"))
            }
            let target = ListenRequest.Target(id: 1, isOnce: false, resumption: resumption, selection: selection)
            let request = ListenRequest(database: database.resourceName, change: .add(target))
            return Conversation(DirectCarrier(service, first: request), database)
        }
    }
#endif
