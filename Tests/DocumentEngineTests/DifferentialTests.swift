// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// The engine against the naive evaluator, which has no index and shares no code with it.
@Suite struct DifferentialTests {
    struct Scenario: CustomStringConvertible {
        var documents: [DocumentPath: Fields]
        var indexes: IndexConfiguration
        var query: Query

        var description: String {
            "\(query)\nindexes: \(indexes)\ndocuments:\n"
                + documents.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }.joined(separator: "\n")
        }
    }

    #if DEBUG
        static let rounds = 40
    #else
        static let rounds = 400
    #endif
    static let queriesPerDatabase = 60

    @Test func queriesGiveWhatTheNaiveEvaluatorGives() throws {
        var random = SeededGenerator.printingSeed()
        var compared = 0
        for _ in 0..<Self.rounds {
            let documents = DocumentGenerator().documents(random.int(1..<60), &random)
            let generator = QueryGenerator(documents)
            let queries = (0..<Self.queriesPerDatabase).map { _ in generator.query(&random) }
            let indexes = IndexConfigurationGenerator().configuration(for: queries, &random)
            let database = try TemporaryDatabase(indexes: indexes, documents: documents)
            for query in queries {
                let scenario = Scenario(documents: documents, indexes: indexes, query: query)
                compared += 1
                guard try difference(database.engine, scenario) != nil else { continue }
                try fail(scenario, seed: random.seed)
            }
        }
        print("compared \(compared) queries with the naive evaluator")
    }

    /// What differs between the engine's answer and the oracle's, or nil.
    private func difference(_ engine: Engine, _ scenario: Scenario) throws -> String? {
        let expected = try NaiveEvaluator(scenario.documents).rows(of: scenario.query)
        do throws(QueryError) {
            let result = try engine.run(scenario.query, allowScan: true)
            let found = result.documents
            let agree =
                found.map(\.path) == expected.map(\.path)
                && zip(found, expected).allSatisfy { $0.fields.isIdentical(to: $1.fields) }
            return agree
                ? nil
                : "found \(found.map(\.path)), expected \(expected.map(\.path)), by \(result.plan)"
        } catch {
            // Refusing is the validator's business, which recorded answers decide about.
            if case .planning(.invalid) = error { return nil }
            return "\(error)"
        }
    }

    /// Finds the smallest scenario that fails and reports it.
    private func fail(_ scenario: Scenario, seed: UInt64) throws {
        let failure = { (scenario: Scenario) throws -> String? in
            let database = try TemporaryDatabase(indexes: scenario.indexes, documents: scenario.documents)
            return try self.difference(database.engine, scenario)
        }
        let smallest = try Shrinker.smallest(from: scenario, candidates: Self.simpler) { try failure($0) != nil }
        Issue.record("seed \(seed): \(try failure(smallest) ?? "the failure does not repeat")\n\(smallest)")
    }

    private static func simpler(_ scenario: Scenario) -> [Scenario] {
        func with(_ change: (inout Scenario) -> Void) -> Scenario {
            var copy = scenario
            change(&copy)
            return copy
        }
        return Shrinker.array(scenario.indexes.indexes).map { list in with { $0.indexes.indexes = list } }
            + Shrinker.array(scenario.indexes.fieldOverrides).map { list in with { $0.indexes.fieldOverrides = list } }
            + Shrinker.query(scenario.query).map { query in with { $0.query = query } }
            + Shrinker.documents(scenario.documents).map { documents in with { $0.documents = documents } }
    }
}
