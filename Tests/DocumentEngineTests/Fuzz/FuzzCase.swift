// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

/// One check of one property with its whole history, so that it can be repeated in a new database.
struct FuzzCase {
    var documents: [DocumentPath: Fields]
    var indexes: IndexConfiguration
    /// The changes since then.
    var history: [FuzzStep]
    var request: QueryRequest
    let property: FuzzProperty
    /// The seed of the property's random choices.
    let choices: UInt64
    let readsPages: Bool

    /// The failure in a new database, or nil.
    func failure() -> String? {
        do {
            let database = try TemporaryDatabase(indexes: indexes, documents: documents, readsPages: readsPages)
            // Some of these cases are about a damaged database.
            database.verifiesAtEnd = false
            var subject = FuzzSubject(database.engine, documents, FuzzTally())
            for step in history { try subject.apply(step) }
            var random = SeededGenerator(seed: choices)
            return try property.failure(subject, request, &random)
        } catch {
            return "\(error)"
        }
    }

    /// The smallest failing case found from this one. Drops an irrelevant history at once.
    func smallest(withoutHistory short: FuzzCase) -> FuzzCase {
        let start = short.failure() != nil ? short : self
        let isAboutValidity = start.failure()?.contains(FuzzExpectation.invalid) ?? false
        return Shrinker.smallest(from: start, candidates: { $0.simpler }) { candidate in
            // Dropping a clause may leave a query that is rightly refused.
            candidate.failure().map { isAboutValidity || !$0.contains(FuzzExpectation.invalid) } ?? false
        }
    }

    private var simpler: [FuzzCase] {
        func with(_ change: (inout FuzzCase) -> Void) -> FuzzCase {
            var copy = self
            change(&copy)
            return copy
        }
        return Shrinker.array(history).map { steps in with { $0.history = steps } }
            + history.indices.flatMap { place in
                history[place].simpler.map { step in with { $0.history[place] = step } }
            }
            + Shrinker.array(indexes.indexes).map { list in with { $0.indexes.indexes = list } }
            + Shrinker.array(indexes.fieldOverrides).map { list in with { $0.indexes.fieldOverrides = list } }
            + request.simpler.map { request in with { $0.request = request } }
            + Shrinker.documents(documents).map { documents in with { $0.documents = documents } }
    }
}

extension FuzzStep {
    fileprivate var simpler: [FuzzStep] {
        switch self {
        case .writes(let writes): Shrinker.array(writes).map { .writes($0) }
        case .indexes(let configuration):
            Shrinker.array(configuration.indexes).map {
                .indexes(IndexConfiguration(indexes: $0, fieldOverrides: configuration.fieldOverrides))
            }
        }
    }
}

extension QueryRequest {
    fileprivate var simpler: [QueryRequest] {
        switch self {
        case .documents(let query): Shrinker.query(query).map { .documents($0) }
        case .aggregation(let aggregation):
            Shrinker.query(aggregation.query).map { .aggregation(AggregationQuery($0, aggregation.aggregations)) }
                + Shrinker.array(aggregation.aggregations).filter { !$0.isEmpty }.map {
                    .aggregation(AggregationQuery(aggregation.query, $0))
                }
        }
    }
}
