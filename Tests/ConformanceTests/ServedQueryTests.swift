// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreServer
    import Foundation
    import IndexCatalog
    import QueryPlanner
    import TestSupport
    import Testing

    /// What clients of the server receive for queries.
    @Suite(.serialized) struct ServedQueryTests {
        private static let database = DatabaseID(project: "hearth")

        /// A strict server refuses the queries that `hearth check` reports, in the same words.
        @Test func aStrictServerDecidesAsCheckDoes() throws {
            var random = SeededGenerator.printingSeed()
            let client = try ServedHearth(.strict).client
            var counts: [String: Int] = [:]
            // A debug build takes 8 ms for a query.
            for _ in 0..<(Rounds.share == 1 ? 100 : 2) {
                let generator = QueryGenerator(DocumentGenerator().documents(20, &random))
                let requests = (0..<200).map { _ in request(generator, &random) }
                let indexes = IndexConfigurationGenerator().configuration(for: requests.map(\.query), &random)
                let catalog = IndexCatalog(indexes)
                let (status, answer) = try client.send(
                    "PUT", "emulator/v1/\(Self.database.resourceName):indexes",
                    Data(ConfigurationWriter.text(indexes).utf8))
                try #require(status == 200, "\(String(decoding: answer, as: UTF8.self))")
                for request in requests {
                    let expected = decision(request, catalog)
                    let found = try client.run(request, in: Self.database)
                    counts[expected?.status ?? "OK", default: 0] += 1
                    let scenario = Scenario(indexes: indexes, request: request)
                    try #require(
                        agrees(found, expected),
                        "seed \(random.seed): \(scenario)\nfound \(found), not \(String(describing: expected))")
                }
            }
            print("a strict server's decisions: \(counts)")
        }

        /// The status and message of a refusal; nil if the query is served.
        private func decision(_ request: QueryRequest, _ catalog: IndexCatalog) -> (status: String, message: String)? {
            // As it comes over the wire.
            let sent = request.with { query in
                let parent = query.parent
                query = query.sent
                query.parent = parent
            }
            do throws(PlanningError) {
                _ = try Planner.plan(sent, catalog: catalog, database: Self.database)
                return nil
            } catch {
                switch error {
                case .invalid(let error): return ("INVALID_ARGUMENT", error.message)
                case .missingIndex(let error): return ("FAILED_PRECONDITION", error.message(in: Self.database))
                case .hint(let error): return ("INVALID_ARGUMENT", error.message)
                }
            }
        }

        private func agrees(_ found: Answer, _ expected: (status: String, message: String)?) -> Bool {
            guard case .refused(let status, let message) = found else { return expected == nil }
            return status == expected?.status && message.hasPrefix(expected?.message ?? "-")
        }

        /// Over the wire a permissive server gives what the engine gives.
        @Test func aPermissiveServerAnswersAsTheEngineDoes() throws {
            var random = SeededGenerator.printingSeed()
            let client = try ServedHearth(.permissive).client
            for _ in 0..<Rounds.of(50) {
                let offered = DocumentGenerator().documents(random.int(1..<250), &random)
                let unwritable = try client.replaceDocuments(offered, in: Self.database)
                #expect(unwritable.isEmpty)
                let database = try TemporaryDatabase(documents: offered)
                let generator = QueryGenerator(offered)
                for _ in 0..<40 {
                    let scenario = Scenario(documents: offered, request: request(generator, &random))
                    let expected = try Answer(database.engine, scenario.request)
                    let found = try client.run(scenario.request, in: Self.database)
                    guard let difference = scenario.difference(found, expected) else { continue }
                    Issue.record("seed \(random.seed): \(difference)\n\(scenario.request)")
                    return
                }
            }
        }

        private func request(_ generator: QueryGenerator, _ random: inout SeededGenerator) -> QueryRequest {
            switch random.int(0..<20) {
            case 0: .documents(generator.nearestQuery(&random))
            case 1..<5: .aggregation(generator.aggregationQuery(&random))
            default: .documents(generator.anyQuery(&random))
            }
        }
    }
#endif
