// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// Compares Hearth in permissive mode with the official emulator, which also answers without indexes: same names in the
/// same order, same fields, same aggregates, same status.
extension EmulatorTests {
    private static let queriesPerDatabase = 60
    private static let database = DatabaseID(project: "hearth")

    @Test func queriesGiveWhatTheEmulatorGives() throws {
        guard let client = try EmulatorTests.client() else { return }
        var random = EmulatorTests.generator()
        var tally = Tally()
        while tally.count < Self.queryCount, tally.failures < 5 {
            try compareDatabase(client, &random, &tally)
        }
        print("compared \(tally.count) queries with the official emulator: \(tally)")
    }

    private func compareDatabase(
        _ client: EmulatorClient, _ random: inout SeededGenerator, _ tally: inout Tally
    ) throws {
        let offered = DocumentGenerator().documents(random.int(1..<60), &random)
        let unwritable = try client.replaceDocuments(offered, in: Self.database)
        for (path, message) in unwritable {
            tally.unwritable[message, default: 0] += 1
            #expect(
                KnownDifference.isKnownRefusal(ofDocument: message), "\(path): \(String(describing: offered[path]))")
        }
        let documents = offered.filter { unwritable[$0.key] == nil }
        let generator = QueryGenerator(documents)
        let requests = (0..<Self.queriesPerDatabase).map { _ in request(generator, &random) }
        let indexes = IndexConfigurationGenerator().configuration(for: requests.map(\.query), &random)
        let database = try TemporaryDatabase(indexes: indexes, documents: documents)
        for request in requests {
            let scenario = Scenario(documents: documents, indexes: indexes, request: request)
            let (hearth, emulator) = (try Answer(database.engine, request), try client.run(request, in: Self.database))
            tally.count += 1
            guard scenario.difference(hearth, emulator) != nil else {
                if case .refused = hearth { tally.refused += 1 }
                continue
            }
            if let known = KnownDifference.explaining(scenario, hearth, emulator) {
                tally.known[known.description, default: 0] += 1
                continue
            }
            tally.failures += 1
            try report(scenario, client, seed: random.seed)
            _ = try client.replaceDocuments(documents, in: Self.database)
        }
    }

    private func request(_ generator: QueryGenerator, _ random: inout SeededGenerator) -> QueryRequest {
        switch random.int(0..<20) {
        case 0: .documents(generator.nearestQuery(&random))
        case 1..<5: .aggregation(generator.aggregationQuery(&random))
        default: .documents(generator.anyQuery(&random))
        }
    }

    /// Finds the smallest scenario that differs and reports it.
    private func report(_ scenario: Scenario, _ client: EmulatorClient, seed: UInt64) throws {
        func unexplained(_ scenario: Scenario) throws -> String? {
            let database = try TemporaryDatabase(indexes: scenario.indexes, documents: scenario.documents)
            _ = try client.replaceDocuments(scenario.documents, in: Self.database)
            let hearth = try Answer(database.engine, scenario.request)
            let emulator = try client.run(scenario.request, in: Self.database)
            guard KnownDifference.explaining(scenario, hearth, emulator) == nil else { return nil }
            return scenario.difference(hearth, emulator)
        }
        let smallest = try Shrinker.smallest(from: scenario, candidates: \.simpler) { try unexplained($0) != nil }
        Issue.record("seed \(seed): \(try unexplained(smallest) ?? "the failure does not repeat")\n\(smallest)")
    }
}
