// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import TestSupport
internal import Testing

@testable internal import QueryPlanner

/// Compares queries of a shape that was planned before with plans made from scratch.
@Suite struct KnownShapeTests {
    @Test func aKnownShapeGivesTheSamePlan() throws {
        var known = 0
        try TestSupport.check(count: Rounds.of(10_000)) { generator in
            queries(&generator, commonForm: 0.7)
        } failure: { query, other, catalog in
            let cache = AdmissionCache()
            let first = plan(query, catalog, cache)
            if cache.shape(of: other) != nil { known += 1 }
            let isRight =
                first == plan(query, catalog, nil) && plan(other, catalog, cache) == plan(other, catalog, nil)
            return isRight ? nil : "\(query) before \(other) gives \(plan(other, catalog, cache))"
        }
        #expect(known > Rounds.of(200), "only \(known) shapes were known")
    }

    /// A read without a plan reads what the plan would read, and reports the same.
    @Test func aScanAloneSaysWhatThePlanSays() throws {
        var scans = 0
        try TestSupport.check(count: Rounds.of(10_000)) { generator in
            queries(&generator, commonForm: 0.9)
        } failure: { query, other, catalog in
            let cache = AdmissionCache()
            _ = plan(query, catalog, cache)
            let access: QueryAccess
            do {
                access = try Planner.access(other, catalog: catalog, database: RandomQueries.database, cache: cache)
            } catch {
                return plan(other, catalog, nil) == dumped(error) ? nil : "\(other) throws \(error)"
            }
            let whole = try Planner.plan(other, catalog: catalog, database: RandomQueries.database)
            switch access {
            case .plan(let plan): return dumped(plan) == dumped(whole) ? nil : "\(other) has another plan"
            case .scan(let scan):
                scans += 1
                guard case .index(let planned) = whole.disjuncts.first?.access, dumped(scan) == dumped(planned) else {
                    return "\(other) is read by another scan"
                }
                let saysMore =
                    whole.disjuncts.count > 1 || whole.query.offset > 0 || whole.query.limit != other.limit
                    || whole.query.reversesRows || other.projection != nil
                    || planned.suffix.contains { $0.allowed != nil }
                return saysMore ? "\(other) needs more than a scan" : nil
            }
        }
        #expect(scans > Rounds.of(100), "only \(scans) queries were read by a scan alone")
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

    /// A query, one that differs from it in values only, and a catalog.
    ///
    /// - Parameter commonForm: how often the queries have the form that is remembered, which most random queries do not
    ///   have.
    private func queries(
        _ generator: inout SeededGenerator, commonForm: Double
    ) -> (query: Query, other: Query, catalog: IndexCatalog) {
        var random = RandomQueries(generator)
        defer { generator = random.generator }
        var query = random.query()
        if random.generator.chance(commonForm) { (query.start, query.end, query.offset) = (nil, nil, 0) }
        return (query, withOtherValues(query, &random), random.catalog())
    }

    /// Everything in a plan, or why there is none.
    private func plan(_ query: Query, _ catalog: IndexCatalog, _ cache: AdmissionCache?) -> String {
        do {
            return dumped(
                try Planner.plan(query, catalog: catalog, database: RandomQueries.database, cache: cache))
        } catch {
            return dumped(error)
        }
    }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
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
