// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import JSONText
    import QueryPlanner
    import SecurityRules
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Rules and the targets of a Listen stream, as the emulator was seen to judge them.
    @Suite struct RulesListenTests {
        private let service: FirestoreService
        private let rules = RulesSource()
        private let database = DatabaseID(project: "p")
        private let alice = Credentials.user(claims: .object(["sub": .string("alice")]))

        init() throws {
            service = FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), rules))
            rules.replace(
                ServedRules(
                    documents: """
                        match /c/{id} { allow read: if resource.data.owner == request.auth.uid; }
                            match /open/{id} { allow read: if true; }
                            match /gated/{id} { allow read: if get(/databases/$(database)/documents/gates/g).data.open; }
                        """))
        }

        private func set(_ path: String, _ fields: Fields) async throws {
            _ = try await service.commit(
                [.set(try DocumentPath(parsing: path), fields)], transaction: nil, in: database, by: .administrator)
        }

        @Test func aDeniedTargetEndsAlone() async throws {
            let listener = Conversation(service, database, as: alice)
            listener.add(1, collection: "c")
            #expect(try await listener.next() == "ADD1")
            #expect(
                try await listener.next()
                    == "REMOVE1{7, \nProperty owner is undefined on object. for 'list' @ L4}")
            listener.add(2, collection: "open")
            #expect(try await listener.state() == "ADD2 CUR2 ∎")
            try await set("open/a", [:])
            #expect(try await listener.state() == "doc a ∎")
        }

        @Test func aQueryThatProvesItself() async throws {
            try await set("c/a", ["owner": "alice"])
            let listener = Conversation(service, database, as: alice)
            listener.add(1, collection: "c", owner: "alice")
            #expect(try await listener.state() == "ADD1 doc a CUR1 ∎")
            try await set("c/a", ["owner": "bob"])
            // The emulator sends what bob has.
            #expect(try await listener.state() == "rem a ∎")
        }

        /// What rules hide is neither told when the listener comes back.
        @Test func aResumedQueryThatProvesItself() async throws {
            for id in ["a", "b"] { try await set("c/\(id)", ["owner": "alice"]) }
            let first = Conversation(service, database, as: alice)
            first.add(1, collection: "c", owner: "alice")
            try #require(try await first.state() == "ADD1 doc a doc b CUR1 ∎")
            try await set("c/a", ["owner": "bob"])
            let second = Conversation(service, database, as: alice)
            second.add(1, collection: "c", owner: "alice", resumeToken: first.token)
            #expect(try await second.first() == "ADD1 ∎ rem a CUR1 ∎")
            let third = Conversation(service, database, as: alice)
            third.add(1, collection: "c", owner: "alice", limit: 2, readTime: first.time)
            #expect(try await third.first() == "ADD1 ∎ rem a CUR1 ∎")
        }

        @Test func aDocumentThatLeavesAndMayBeRead() async throws {
            rules.replace(
                ServedRules(
                    documents: """
                        match /c/{id} {
                            allow get: if true;
                            allow list: if resource.data.owner == request.auth.uid;
                        }
                        """))
            try await set("c/a", ["owner": "alice"])
            let listener = Conversation(service, database, as: alice)
            listener.add(1, collection: "c", owner: "alice")
            try #require(try await listener.state() == "ADD1 doc a CUR1 ∎")
            try await set("c/a", ["owner": "bob"])
            #expect(try await listener.state() == "doc a −1 ∎")
        }

        @Test func aDocumentThatIsHiddenByItsChange() async throws {
            try await set("c/a", ["owner": "alice"])
            let listener = Conversation(service, database, as: alice)
            listener.add(1, documents: ["c/a"])
            #expect(try await listener.state() == "ADD1 doc a CUR1 ∎")
            try await set("c/a", ["owner": "alice", "n": 1])
            #expect(try await listener.state() == "doc a ∎")
            try await set("c/a", ["owner": "bob"])
            #expect(try await listener.next().hasPrefix("REMOVE1{7, \nevaluation error at L4:"))
        }

        /// A change of what a rule reads counts with the next change of the target's own documents.
        @Test func aQueryWhoseGateIsClosed() async throws {
            try await set("gates/g", ["open": true])
            let listener = Conversation(service, database, as: alice)
            listener.add(1, collection: "gated")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            try await set("gates/g", ["open": false])
            try await set("gated/a", [:])
            #expect(try await listener.next() == "RESET1")
            #expect(try await listener.next().hasPrefix("REMOVE1{7, "))
        }

        @Test func newRules() async throws {
            let listener = Conversation(service, database, as: alice)
            let administrator = Conversation(service, database)
            listener.add(1, collection: "open")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            administrator.add(1, collection: "open")
            #expect(try await administrator.state() == "ADD1 CUR1 ∎")
            try rules.set(ServedRules(documents: "match /open/{id} { allow read: if false; }"), of: database)
            #expect(try await listener.next() == "RESET1")
            #expect(try await listener.next() == "REMOVE1{7, \nfalse for 'list' @ L4}")
            try await set("open/a", [:])
            #expect(try await administrator.state() == "doc a ∎")
        }

        /// Nobody has told the stream of these rules: they come between its first state and its subscription.
        @Test func newRulesWhileTheStreamBegins() async throws {
            let closed = ServedRules(documents: "match /open/{id} { allow read: if false; }")
            let listener = Conversation(service, database, as: alice) { [rules, database] in
                if rules.rules(of: database)?.text != closed.text { try? rules.set(closed, of: database) }
            }
            listener.add(1, collection: "open")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            #expect(try await listener.next() == "RESET1")
            #expect(try await listener.next() == "REMOVE1{7, \nfalse for 'list' @ L4}")
        }

        /// A client of the former rules may be long in reading its first state.
        @Test func newRulesBetweenPartsOfAState() async throws {
            let text = Value.string(Text(String(repeating: "a", count: 900_000)))
            for index in 0..<6 { try await set("open/d\(index)", ["text": text]) }
            let closed = ServedRules(documents: "match /open/{id} { allow read: if false; }")
            let listener = Conversation(service, database, as: alice) { [rules, database] in
                if rules.rules(of: database)?.text != closed.text { try? rules.set(closed, of: database) }
            }
            listener.add(1, collection: "open")
            let messages = try await listener.state()
            #expect(messages.contains("RESET1 REMOVE1{7,"), "\(messages)")
            #expect(!messages.contains("d5"), "\(messages)")
        }

        /// Rules may change between the question whether the target is allowed and the first part of its state.
        @Test func newRulesAreNoticedSinceTheLastQuestion() async throws {
            let served = try await service.databases.database(database)
            let kind = ListenTarget.Kind.query(Query(from: CollectionSelector(collectionID: "open")))
            var target = ListenTarget(1, kind, isOnce: false, in: served, for: alice)
            let time = try served.presentToken().time
            try target.authorize(at: time)
            try target.authorizeAgain(at: time)
            try rules.set(ServedRules(documents: "match /open/{id} { allow read: if false; }"), of: database)
            let again = Result { () throws(RequestError) in try target.authorizeAgain(at: time) }
            #expect(throws: RequestError.self) { try again.get() }
        }

        /// The second target is judged at a time that the database has no longer.
        @Test func aClearWhileTargetsAreJudged() async throws {
            try await set("gates/g", ["open": true])
            let closed = ServedRules(
                documents: """
                    match /open/{id} { allow read: if false; }
                        match /gated/{id} { allow read: if get(/databases/$(database)/documents/gates/g).data.open; }
                    """)
            let engine = try await service.databases.database(database).engine
            let listener = Conversation(service, database, as: alice) { [rules, database] in
                let isFilled = (try? engine.record(DocumentPath(parsing: "gates/g"))) != nil
                if isFilled, rules.rules(of: database)?.text == closed.text { try? engine.clear() }
            }
            listener.add(1, collection: "open")
            try #require(try await listener.state() == "ADD1 CUR1 ∎")
            listener.add(2, collection: "gated")
            try #require(try await listener.state() == "ADD2 CUR2 ∎")
            try rules.set(closed, of: database)
            try #require(try await listener.next() == "RESET1")
            try #require(try await listener.next() == "REMOVE1{7, \nfalse for 'list' @ L4}")
            try #require(try await listener.next() == "RESET2")
            try #require(try await listener.next().hasPrefix("REMOVE2{7, "))
        }

        /// The document that opened the gate is gone.
        @Test func aRefusalAfterAClear() async throws {
            try await set("gates/g", ["open": true])
            let listener = Conversation(service, database, as: alice)
            listener.add(1, collection: "gated")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            try await service.databases.database(database).engine.clear()
            #expect(try await listener.next() == "RESET1")
            #expect(try await listener.next().hasPrefix("REMOVE1{7, "))
        }
    }

    extension Conversation {
        fileprivate func add(
            _ id: Int32, collection: String, owner: String, limit: Int32? = nil, resumeToken: [UInt8] = [],
            readTime: Google_Protobuf_Timestamp? = nil
        ) {
            add(
                id, collection: collection, equal: ("owner", ProtoValue(owner)), limit: limit, resumeToken: resumeToken,
                readTime: readTime)
        }
    }
#endif
