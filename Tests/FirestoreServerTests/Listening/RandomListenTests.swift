// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import QueryPlanner
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Random targets, some of which resume, under random commits, clears and returns to snapshots: what every client shows at every boundary is what a
    /// read gives, whether commits are routed or wake every stream.
    @Suite struct RandomListenTests {
        @Test(arguments: [true, false]) func everyBoundaryIsARead(isRouted: Bool) async throws {
            var random = SeededGenerator.printingSeed()
            var boundaries = 0
            for _ in 0..<Rounds.of(100) {
                let round = try await Round(isRouted, &random)
                for _ in 0..<100 { try await round.step(&random) }
                boundaries += try await round.end("seed \(random.seed)")
            }
            #expect(boundaries > 100, "seed \(random.seed)")
        }

        /// Targets begin while commits come from another task: none of them is missed, and no boundary shows half of one.
        @Test(arguments: [true, false]) func targetsThatBeginBesideCommits(isRouted: Bool) async throws {
            var random = SeededGenerator.printingSeed()
            for _ in 0..<Rounds.of(50) {
                let round = try await Round(isRouted, &random)
                let writer = Task { [writes = round.writes, generator = random] in
                    var random = generator
                    for _ in 0..<200 { try await writes.commit(&random) }
                }
                for _ in 0..<40 {
                    try round.listen(&random)
                    try await Task.sleep(for: .microseconds(random.int(0..<500)))
                }
                try await writer.value
                _ = try await round.end("seed \(random.seed)")
                // Other numbers than the writer's.
                random = SeededGenerator(seed: random.next())
            }
        }
    }

    /// Commits of a few documents out of some.
    private struct RandomWrites: Sendable {
        let database: ServedDatabase
        let documents: [DocumentPath]

        func commit(_ random: inout SeededGenerator) async throws {
            let writes = (0..<random.int(1..<4)).map { _ in
                let path = random.pick(documents)
                return random.chance(0.3)
                    ? Write(path, .delete) : .set(path, DocumentGenerator().fields(&random))
            }
            _ = try await database.commit(writes)
        }
    }

    private final class Round {
        private let service: FirestoreService
        private let database: ServedDatabase
        let writes: RandomWrites
        private let queries: QueryGenerator
        private var clients: [ListeningClient]
        private var snapshot: Timestamp?
        private var left: [ListeningClient] = []

        init(_ isRouted: Bool, _ random: inout SeededGenerator) async throws {
            var options = ServerOptions()
            options.mode = .permissive
            options.routesCommits = isRouted
            service = FirestoreService(try DatabaseRegistry(options, IndexSource(), RulesSource()))
            database = try await service.databases.database(ValueGenerator().database)
            let generated = DocumentGenerator().documents(30, &random)
            writes = RandomWrites(
                database: database, documents: generated.keys.sorted { $0.description < $1.description })
            queries = QueryGenerator(generated)
            clients = (0..<4).map { [service, database] _ in ListeningClient(service, database) }
            for path in writes.documents { _ = try await database.commit([.set(path, generated[path]!)]) }
            for _ in 0..<4 { try listen(&random) }
        }

        func step(_ random: inout SeededGenerator) async throws {
            switch random.int(0..<40) {
            case 0..<6: try listen(&random)
            case 6..<8:
                let client = random.pick(clients)
                if !client.targets.isEmpty { client.remove(random.pick(client.targets)) }
            case 8: snapshot = try database.readTime()
            case 9 where random.chance(0.3):
                try database.engine.clear()
                snapshot = nil
            case 10:
                if let snapshot { try database.engine.restore(to: snapshot) }
            case 11:
                let index = random.int(0..<clients.count)
                clients[index].leave()
                left.append(clients[index])
                clients[index] = ListeningClient(service, database, resuming: random.chance(0.7) ? clients[index] : nil)
            case 12: try await settle()
            case 13..<16: try await Task.sleep(for: .microseconds(random.int(0..<1_000)))
            default: try await writes.commit(&random)
            }
        }

        func listen(_ random: inout SeededGenerator) throws {
            let client = random.pick(clients)
            if random.chance(0.2) {
                try client.listen(to: .documents(Set((0..<3).map { _ in random.pick(writes.documents) })))
            } else {
                var query = queries.query(&random)
                // The protocol has none: clients reverse the order.
                query.limitToLast = false
                // JSON cannot say every value.
                try? client.listen(to: .query(query))
            }
        }

        private func settle() async throws {
            for client in clients { try await wait(for: "a client to settle") { try client.isSettled() } }
        }

        /// Returns how many boundaries there were.
        func end(_ comment: String) async throws -> Int {
            try await settle()
            for client in clients { client.leave() }
            let all = clients + left
            for client in all {
                try await wait(for: "the end of a stream") { client.isEnded }
                #expect(client.findings.isEmpty, "\(comment): \(client.findings.first ?? "")")
            }
            try await wait(for: "the streams to leave the router") {
                database.router.withStreams { $0.count == 0 && $0.isIndexEmpty }
            }
            return all.reduce(0) { $0 + $1.boundaries }
        }
    }
#endif
