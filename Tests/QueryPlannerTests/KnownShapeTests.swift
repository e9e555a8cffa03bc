// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import TestSupport
internal import Testing

@testable internal import QueryPlanner

/// Queries of a shape that was planned before, beside plans made from the beginning.
@Suite struct KnownShapeTests {
    @Test func aKnownShapeGivesTheSamePlan() throws {
        var known = 0
        try TestSupport.check(count: 10_000) { generator in
            var random = RandomQueries(generator)
            var query = random.query()
            // Most random queries are of rarer forms.
            if random.generator.chance(0.7) { (query.start, query.end, query.offset) = (nil, nil, 0) }
            let other = withOtherValues(query, &random)
            let catalog = random.catalog()
            generator = random.generator
            return (query, other, catalog)
        } failure: { query, other, catalog in
            let cache = AdmissionCache()
            let first = plan(query, catalog, cache)
            if cache.shape(of: other) != nil { known += 1 }
            let isRight =
                first == plan(query, catalog, nil) && plan(other, catalog, cache) == plan(other, catalog, nil)
            return isRight ? nil : "\(query) before \(other) gives \(plan(other, catalog, cache))"
        }
        #expect(known > 200, "only \(known) shapes were known")
    }

    @Test func valuesAreCheckedEachTime() {
        let catalog = IndexCatalog(IndexConfiguration())
        let cache = AdmissionCache()
        var query = Query(from: CollectionSelector(collectionID: "k"), limit: 1)
        for (text, limit) in [("a", 1), (String(repeating: "a", count: 1_501), 1), ("a", -1), ("a", 0), ("b", 2)] {
            query.filter = .field(FieldPath(name: "a"), .equal, .string(Text(text)))
            query.limit = limit
            #expect(plan(query, catalog, cache) == plan(query, catalog, nil))
            #expect(cache.shape(of: query) != nil)
        }
    }

    /// All that a plan says, or why there is none.
    private func plan(_ query: Query, _ catalog: IndexCatalog, _ cache: AdmissionCache?) -> String {
        var text = ""
        do {
            dump(
                try Planner.plan(query, catalog: catalog, database: RandomQueries.database, cache: cache), to: &text)
        } catch {
            dump(error, to: &text)
        }
        return text
    }

    private func withOtherValues(_ query: Query, _ random: inout RandomQueries) -> Query {
        var other = query
        other.filter = query.filter.map { withOtherValues($0, &random) }
        if random.generator.chance(0.5) { other.limit = random.generator.int(0..<5) }
        return other
    }

    private func withOtherValues(_ filter: Filter, _ random: inout RandomQueries) -> Filter {
        switch filter {
        case .field(let path, let op, _) where random.generator.chance(0.9): .field(path, op, random.value())
        case .field, .unary: filter
        case .and(let filters): .and(filters.map { withOtherValues($0, &random) })
        case .or(let filters): .or(filters.map { withOtherValues($0, &random) })
        }
    }
}
