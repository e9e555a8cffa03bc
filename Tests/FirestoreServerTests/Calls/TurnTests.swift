// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Testing

    @testable import FirestoreServer

    /// When an attempt gives its turn back that never commits. Turns end by themselves after a second.
    @Suite struct TurnTests {
        private let service: FirestoreService
        private let path: DocumentPath

        init() throws {
            service = FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource()))
            path = try DocumentPath(parsing: "c/a")
        }

        private func database() async throws -> ServedDatabase {
            try await service.databases.database(try ResourceName.database(Names.database))
        }

        /// The ID of an attempt that was aborted.
        private func aborted(in database: ServedDatabase) async throws -> [UInt8] {
            let id = try await service.begin(.readWrite(retrying: nil), in: database)
            database.transactions.note(try database.transactions.end(id).attempt, aborted: Footprint(documents: [path]))
            return id
        }

        private func isTaken(in database: ServedDatabase) -> Bool {
            database.turns.mustYield([Write(path, .delete)], by: nil)
        }

        @Test func attemptsThatCannotBegin() async throws {
            let database = try await database()
            let id = try await aborted(in: database)
            for _ in 0..<100_000 {
                _ = try database.transactions.begin(
                    .readOnly(.minimum), database.transactions.attempt(retrying: nil).attempt)
            }
            await #expect(throws: RequestError(.resourceExhausted, "Too many transactions are open.")) {
                try await service.begin(.readWrite(retrying: id), in: database)
            }
            #expect(!isTaken(in: database))
        }

        /// The database was cleared or restored.
        @Test func attemptsThatAreForgotten() async throws {
            let database = try await database()
            let id = try await aborted(in: database)
            _ = try await service.begin(.readWrite(retrying: id), in: database)
            database.forgetTransactions()
            #expect(database.transactions.count == 0)
            #expect(!isTaken(in: database))
        }
    }
#endif
