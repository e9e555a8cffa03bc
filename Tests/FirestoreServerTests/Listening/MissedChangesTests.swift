// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
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
    }
#endif
