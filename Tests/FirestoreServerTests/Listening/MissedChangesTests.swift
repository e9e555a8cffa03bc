// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Synchronization
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// What clients get that have missed much, and what is read for it.
    @Suite struct MissedChangesTests {
        private let service: FirestoreService
        private let database = DatabaseID(project: "p")

        init() throws {
            service = FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource()))
        }

        private var documentsRead: Int {
            get async throws { try await service.databases.database(database).traffic.counts.documentsRead }
        }

        private func set(_ id: Int, _ fields: Fields) throws -> Write {
            .set(try DocumentPath(parsing: "c/d\(id)"), fields)
        }

        /// A document that did not belong to the target, and does not now, is no read of a client's.
        @Test func onlyTheTargetsDocumentsCount() async throws {
            let engine = try await service.databases.database(database).engine
            _ = try engine.commit((10..<30).map { try set($0, ["n": .integer(Int64($0))]) })
            let first = Conversation(service, database)
            first.add(1, collection: "c", equal: ("n", ProtoValue(12)))
            try #require(try await first.state() == "ADD1 doc d12 CUR1 ∎")
            _ = try engine.commit((10..<30).map { try set($0, ["n": .integer(Int64($0 + 1))]) })
            let before = try await documentsRead
            let second = Conversation(service, database)
            second.add(1, collection: "c", equal: ("n", ProtoValue(12)), resumeToken: first.token)
            #expect(try await second.first() == "ADD1 ∎ doc d11 doc d12 −1 CUR1 ∎")
            #expect(try await documentsRead - before == 2)
        }

        /// A query with a limit would be read as of each state in between, which takes longer the more has changed since.
        @Test func muchBecomesOneState() async throws {
            let engine = try await service.databases.database(database).engine
            _ = try engine.commit((0..<10).map { try set($0, ["n": .integer(Int64($0))]) })
            let sent = Atomic(0)
            let large = try DocumentPath(parsing: "large/l")
            let text = Value.string(Text(String(repeating: "a", count: 1_000_000)))
            let first = [
                try set(8, ["n": .integer(-1)]), try set(7, ["n": .integer(5)]),
                Write(try DocumentPath(parsing: "c/d9"), .delete),
            ]
            let last = [try set(5, ["n": .integer(50)])]
            let stream = Conversation(service, database) {
                // Behind the third first state.
                guard sent.add(1, ordering: .relaxed).newValue == 3 else { return }
                for index in 0..<20 {
                    let more = index == 0 ? first : index == 19 ? last : []
                    let fields: Fields = ["n": .integer(Int64(index)), "text": text]
                    do { _ = try engine.commit([.set(large, fields)] + more) } catch { Issue.record(error) }
                }
            }
            stream.add(1, collection: "c", orderedBy: "n", limit: 3)
            try #require(try await stream.first() == "ADD1 doc d0 doc d1 doc d2 CUR1 ∎")
            stream.add(2, collection: "c", equal: ("n", ProtoValue(5)))
            try #require(try await stream.first() == "ADD2 doc d5 CUR2 ∎")
            stream.add(3, documents: ["c/d9", "c/none"])
            try #require(try await stream.first() == "ADD3 doc d9 del none CUR3 ∎")
            let present = try await stream.state()
            #expect(present == "doc d8 doc d2 −1 doc d7 doc d5 −2 del d9 ∎")
        }
    }
#endif
