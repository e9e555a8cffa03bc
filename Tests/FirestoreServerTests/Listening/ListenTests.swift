// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// The messages of a Listen stream in the situations that were recorded from production (October 2026).
    @Suite struct ListenTests {
        private let service: FirestoreService
        private let database = DatabaseID(project: "p")

        init() throws {
            service = FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource()))
        }

        private func conversation() -> Conversation { Conversation(service, database) }

        private func set(_ path: String, _ fields: Fields) async throws {
            _ = try await service.commit(
                [.set(try DocumentPath(parsing: path), fields)], transaction: nil, in: database, by: .administrator)
        }

        private func delete(_ path: String) async throws {
            _ = try await service.commit(
                [Write(try DocumentPath(parsing: path), .delete)], transaction: nil, in: database, by: .administrator)
        }

        @Test func newTargets() async throws {
            let listener = conversation()
            listener.add(1, collection: "c")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            try await set("c/a", ["n": 1])
            #expect(try await listener.state() == "doc a ∎")
            let second = conversation()
            try await set("c/b", ["n": 1])
            second.add(7, collection: "c")
            #expect(try await second.state() == "ADD7 doc a doc b CUR7 ∎")
        }

        @Test func changesOfDocuments() async throws {
            try await set("c/a", ["n": 1])
            try await set("c/b", ["n": 1])
            let listener = conversation()
            listener.add(1, collection: "c", equal: ("n", ProtoValue(1)))
            #expect(try await listener.state() == "ADD1 doc a doc b CUR1 ∎")
            try await set("c/a", ["n": 1, "m": 2])
            #expect(try await listener.state() == "doc a ∎")
            // The same data again says nothing; the next message is of the next change.
            try await set("c/a", ["n": 1, "m": 2])
            try await set("c/b", ["n": 2])
            #expect(try await listener.state() == "doc b −1 ∎")
            try await delete("c/a")
            #expect(try await listener.state() == "del a ∎")
        }

        @Test func aCommitIsNeverSplit() async throws {
            let listener = conversation()
            listener.add(1, collection: "c")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            _ = try await service.commit(
                [.set("c/a", [:]), .set("c/b", [:])], transaction: nil, in: database, by: .administrator)
            #expect(try await listener.state() == "doc a doc b ∎")
            try await set("c/a", ["n": 1])
            try await set("c/b", ["n": 1])
            #expect(try await listener.state() == "doc a ∎")
            #expect(try await listener.state() == "doc b ∎")
        }

        @Test func removedAndOnce() async throws {
            try await set("c/a", [:])
            let listener = conversation()
            listener.add(1, collection: "c")
            #expect(try await listener.state() == "ADD1 doc a CUR1 ∎")
            listener.remove(1)
            #expect(try await listener.next() == "REMOVE1")
            listener.add(1, collection: "c", once: true)
            #expect(try await listener.state() == "ADD1 doc a CUR1 ∎")
            #expect(try await listener.next() == "REMOVE1")
        }

        @Test func refusedTargetsLeaveTheStreamOpen() async throws {
            let listener = conversation()
            listener.add(1, collection: "c", equal: ("n", ProtoValue(1)), orderedBy: "m")
            #expect(try await listener.next() == "ADD1")
            let refused = try await listener.next()
            #expect(
                refused.hasPrefix("REMOVE1{9, The query requires an index. You can create it here: https://console."))
            listener.add(2, collection: "c")
            #expect(try await listener.state() == "ADD2 CUR2 ∎")
            listener.add(2, collection: "d")
            #expect(try await listener.next() == "REMOVE2{6, Target ID already exists: 2}")
            listener.add(3, collection: "c", resumeToken: [1, 2, 3])
            #expect(try await listener.next() == "REMOVE3{3, bad resume token}")
            listener.add(4, collection: "c")
            #expect(try await listener.state() == "ADD4 CUR4 ∎")
        }

        /// Its parts are read without it.
        @Test(arguments: [
            (Array(repeating: "a", count: 100_000).joined(separator: "."), "property path is longer than 1500 bytes."),
            ("a.__x__", "Invalid reserved name in field path __x__"),
        ])
        func aTargetsProjectionIsValidated(_ path: String, _ message: String) async throws {
            try await set("c/a", ["a": 1])
            let listener = conversation()
            listener.add(1, collection: "c")
            #expect(try await listener.state() == "ADD1 doc a CUR1 ∎")
            let token = listener.token
            listener.add(2, collection: "c", select: [path])
            #expect(try await listener.state() == "ADD2 REMOVE2{3, \(message)}")
            for limit: Int32? in [nil, 5] {
                listener.add(3, collection: "c", limit: limit, select: ["n", path], resumeToken: token)
                #expect(try await listener.state() == "ADD3 REMOVE3{3, \(message)}")
            }
            listener.add(4, collection: "c", select: ["a"])
            #expect(try await listener.state() == "ADD4 doc a CUR4 ∎")
        }

        @Test func targetIDsOfTheServer() async throws {
            let listener = conversation()
            listener.add(0, collection: "c")
            #expect(try await listener.state() == "ADD1 CUR1 ∎")
            listener.add(0, collection: "d")
            #expect(try await listener.state() == "ADD2 CUR2 ∎")
            listener.add(5, collection: "d")
            await #expect(throws: RequestError.self) { try await listener.next() }
            let other = conversation()
            other.add(-1, collection: "c")
            await #expect(throws: RequestError.self) { try await other.next() }
        }

        @Test func resumedTargetsGetTheDifferences() async throws {
            for id in ["a", "b", "c"] { try await set("c/\(id)", ["n": 1]) }
            let first = conversation()
            first.add(1, collection: "c", equal: ("n", ProtoValue(1)))
            #expect(try await first.state() == "ADD1 doc a doc b doc c CUR1 ∎")
            let token = first.token
            let second = conversation()
            second.add(1, collection: "c", equal: ("n", ProtoValue(1)), resumeToken: token)
            #expect(try await second.first() == "ADD1 ∎ CUR1 ∎")
            try await delete("c/b")
            try await set("c/c", ["n": 2])
            try await set("c/d", ["n": 1])
            let third = conversation()
            third.add(1, collection: "c", equal: ("n", ProtoValue(1)), resumeToken: token)
            #expect(try await third.first() == "ADD1 ∎ doc d del b doc c −1 CUR1 ∎")
        }

        /// The JS SDK sends a bundle's times as they are.
        @Test func aReadTimeIsCutToMicroseconds() async throws {
            try await set("c/a", [:])
            let listener = conversation()
            listener.add(1, collection: "c", readTime: .init(seconds: 1_000, nanos: 9_999))
            try #require(try await listener.next() == "ADD1")
            try #require(try await listener.next() == "RESET1")
            #expect(try await listener.state() == "doc a CUR1 ∎")
            let request = try ListenRequest(
                json: Array(#"{"addTarget":{"readTime":"1970-01-01T00:16:40.000009999Z"}}"#.utf8))
            guard case .add(let target)? = request.change, case .readTime(let time) = target.resumption else {
                Issue.record("\(request)")
                return
            }
            #expect(try time.get() == Timestamp(microseconds: 1_000_000_009))
        }

        /// One would be passed over without a word.
        @Test(arguments: [
            (#"{"addTarget":{"targetId":1},"removeTarget":2}"#, "target_change"),
            (#"{"addTarget":{"query":{},"documents":{"documents":[]}}}"#, "target_type"),
            (#"{"addTarget":{"resumeToken":"AAAA","readTime":"2026-01-01T00:00:00Z"}}"#, "resume_type"),
        ])
        func twoAlternatives(_ message: String, _ oneof: String) throws {
            let error = #expect(throws: RequestError.self) { try ListenRequest(json: Array(message.utf8)) }
            #expect(error?.message.contains("oneof field '\(oneof)' is already set") == true)
        }

        @Test func afterAWipeTheWholeResultComes() async throws {
            try await set("c/a", [:])
            let listener = conversation()
            listener.add(1, collection: "c")
            #expect(try await listener.state() == "ADD1 doc a CUR1 ∎")
            let token = listener.token
            try await service.databases.database(database).engine.clear()
            #expect(try await listener.state() == "RESET1 CUR1 ∎")
            let second = conversation()
            second.add(1, collection: "c", resumeToken: token)
            #expect(try await second.state() == "ADD1 RESET1 CUR1 ∎")
        }

        /// No boundary comes before all targets have begun again: it would say that each is shown at its time.
        @Test func afterAWipeAllTargetsHaveOneBoundary() async throws {
            try await set("c/a", [:])
            try await set("d/b", [:])
            let listener = conversation()
            listener.add(1, collection: "c")
            try #require(try await listener.state() == "ADD1 doc a CUR1 ∎")
            listener.add(2, collection: "d")
            try #require(try await listener.state() == "ADD2 doc b CUR2 ∎")
            try await service.databases.database(database).engine.clear()
            #expect(try await listener.state() == "RESET1 CUR1 RESET2 CUR2 ∎")
        }

        @Test func limitsShowWhoTakesAPlace() async throws {
            for (id, n) in [("a", 1), ("b", 2), ("c", 3)] { try await set("c/\(id)", ["n": .integer(Int64(n))]) }
            let listener = conversation()
            listener.add(1, collection: "c", orderedBy: "n", limit: 2)
            #expect(try await listener.state() == "ADD1 doc a doc b CUR1 ∎")
            try await delete("c/a")
            #expect(try await listener.state() == "doc c del a ∎")
            try await set("c/z", ["n": 0])
            #expect(try await listener.state() == "doc z rem c ∎")
        }

        /// A result of two parts is read again, and is as it was.
        @Test func aChangeBehindALimitSaysNothing() async throws {
            let ids = (100..<300).map { "d\($0)" }
            _ = try await service.commit(
                ids.map { .set(try DocumentPath(parsing: "c/\($0)"), [:]) }, transaction: nil, in: database,
                by: .administrator)
            let listener = conversation()
            listener.add(1, collection: "c", limit: 150)
            let shown = ids.prefix(150).map { " doc \($0)" }.joined()
            try #require(try await listener.state() == "ADD1\(shown) CUR1 ∎")
            try await set("c/d280", ["n": 1])
            try await set("c/d240", ["n": 1])
            #expect(try await listener.state() == "doc d240 ∎")
        }

        @Test func namedDocuments() async throws {
            try await set("c/a", [:])
            let listener = conversation()
            listener.add(9, documents: ["c/a", "c/x"])
            #expect(try await listener.state() == "ADD9 doc a del x CUR9 ∎")
            try await set("c/x", [:])
            #expect(try await listener.state() == "doc x ∎")
            try await delete("c/a")
            #expect(try await listener.state() == "del a ∎")
        }
    }
#endif
