// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// A random database and the requests to it while its indexes and documents change. Everything follows from the seed.
struct FuzzRound {
    private let seed: UInt64
    private var random: SeededGenerator
    private let database: TemporaryDatabase
    private let generator: DocumentGenerator
    private let documents: [DocumentPath: Fields]
    private let indexes: IndexConfiguration
    private let requests: [QueryRequest]
    private var subject: FuzzSubject
    private var history: [FuzzStep] = []
    private let tally: FuzzTally
    /// Whether pages are read by Hearth, in every second round, or by LMDB.
    private let readsPages: Bool

    init(seed: UInt64, _ tally: FuzzTally) throws {
        var random = SeededGenerator(seed: seed)
        generator = DocumentGenerator(values: ValueGenerator(longShare: random.pick([0, 0.08, 0.4])))
        documents = generator.documents(random.int(0..<random.pick([4, 60, 60, 150])), &random)
        requests = FuzzRound.requests(QueryGenerator(documents, values: generator.values), &random)
        indexes = IndexConfigurationGenerator().configuration(for: requests.map(\.query), &random)
        readsPages = seed % 2 == 0
        database = try TemporaryDatabase(
            indexes: indexes, documents: documents, usesPlanCache: seed % 4 < 2, readsPages: readsPages)
        subject = FuzzSubject(database.engine, documents, tally)
        self.seed = seed
        self.random = random
        self.tally = tally
    }

    private static func requests(_ generator: QueryGenerator, _ random: inout SeededGenerator) -> [QueryRequest] {
        var requests: [QueryRequest] = []
        for _ in 0..<24 { requests.append(.documents(generator.query(&random))) }
        for _ in 0..<8 { requests.append(.documents(generator.equalityQuery(&random))) }
        for _ in 0..<8 { requests.append(.aggregation(generator.aggregationQuery(&random))) }
        for _ in 0..<4 {
            var query = generator.nearestQuery(&random)
            // Distances by cosine are rounded, so a threshold that equals one of them is no test.
            if let nearest = query.nearest, nearest.measure == .cosine, let threshold = nearest.threshold {
                query.nearest = FindNearest(
                    path: nearest.path, vector: nearest.vector, measure: .cosine, limit: nearest.limit,
                    distanceField: nearest.distanceField, threshold: threshold + 0.05)
            }
            let count = AggregationQuery(query, [Aggregation(alias: nil, .count(upTo: nil))])
            requests.append(random.chance(0.2) ? .aggregation(count) : .documents(query))
        }
        return requests
    }

    /// - Returns: false if there was a failure, which is recorded.
    mutating func run() throws -> Bool {
        guard check(.answers, requests), check(.executions, requests), checkShapes(some(6, &random)) else {
            return false
        }
        for _ in 0..<2 {
            guard apply(.indexes(try changedIndexes())), check(.answers, requests), check(.executions, requests),
                check(.hints, requests)
            else { return false }
        }
        for _ in 0..<2 {
            let writes = ChangeGenerator(documents: generator).writes(subject.documents, &random)
            guard apply(.writes(writes)), check(.answers, requests) else { return false }
        }
        // Repeated if indexes serve it.
        let chosen = some(12, &random)
        return check(.suggestions, chosen) && check(.executions, requests) && checkShapes(chosen)
            && check(.integrity, requests.prefix(1))
    }

    private func some(_ count: Int, _ random: inout SeededGenerator) -> [QueryRequest] {
        Array(requests.shuffled(using: &random).prefix(count))
    }

    private mutating func checkShapes(_ requests: [QueryRequest]) -> Bool {
        [FuzzProperty.reversal, .slices, .pages, .pagesByValues].allSatisfy { check($0, requests) }
    }

    /// Removes a few composites and overrides, and adds a few.
    private mutating func changedIndexes() throws -> IndexConfiguration {
        let old = try subject.configuration
        let more = IndexConfigurationGenerator().configuration(
            for: Array(requests.map(\.query).shuffled(using: &random).prefix(6)), &random)
        func some<Item: Hashable>(_ items: [Item], _ more: [Item], _ random: inout SeededGenerator) -> [Item] {
            let kept = items.filter { _ in random.chance(0.7) }
            return kept + more.filter { !kept.contains($0) }
        }
        let overrides = some(old.fieldOverrides, [], &random)
        return IndexConfiguration(
            indexes: some(old.indexes, more.indexes, &random),
            fieldOverrides: overrides
                + more.fieldOverrides.filter { new in
                    !overrides.contains { $0.collectionGroup == new.collectionGroup && $0.path == new.path }
                })
    }

    private mutating func apply(_ step: FuzzStep) -> Bool {
        history.append(step)
        do {
            try subject.apply(step)
            return true
        } catch {
            report(.integrity, requests[0], choices: 0, "\(error)")
            return false
        }
    }

    private mutating func check(_ property: FuzzProperty, _ requests: some Sequence<QueryRequest>) -> Bool {
        for request in requests {
            let choices = random.next()
            var random = SeededGenerator(seed: choices)
            let failure: String?
            do { failure = try property.failure(subject, request, &random) } catch { failure = "\(error)" }
            if let failure {
                report(property, request, choices: choices, failure)
                return false
            }
            // Suggested indexes stay, and later requests depend on them.
            if property.name == FuzzProperty.suggestions.name, let indexes = try? subject.configuration {
                history.append(.indexes(indexes))
            }
        }
        return true
    }

    private func report(_ property: FuzzProperty, _ request: QueryRequest, choices: UInt64, _ failure: String) {
        database.verifiesAtEnd = false
        let whole = FuzzCase(
            documents: documents, indexes: indexes, history: history, request: request, property: property,
            choices: choices, readsPages: readsPages)
        var short = whole
        short.history = []
        short.documents = subject.documents
        if let indexes = try? subject.configuration { short.indexes = indexes }
        let smallest = whole.smallest(withoutHistory: short)
        let reason = smallest.failure() ?? "does not repeat in a new database: \(failure)"
        Issue.record(
            """
            \(property.name): \(reason)
            HEARTH_SEED=\(seed) repeats the round; the smallest case that fails:
            \(smallest)
            """)
    }
}
