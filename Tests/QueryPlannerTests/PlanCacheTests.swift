// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import TestSupport
internal import Testing

@testable internal import QueryPlanner

/// A plan from a warm cache is the plan from a cold one.
@Suite struct PlanCacheTests {
    private static let database = RandomQueries.database

    /// Requests that differ in values only, one after another through one cache, beside plans made without a cache.
    @Test func theCacheChangesNoPlan() throws {
        var hits = 0
        var (plans, refusals) = (0, 0)
        try TestSupport.check(count: Rounds.of(5_000)) { generator in
            var random = RandomQueries(generator)
            defer { generator = random.generator }
            let first = random.request()
            let others = (0..<3).map { _ in first.withOtherValues(&random) }
            return (requests: [first] + others, catalog: random.catalog(for: first))
        } failure: { requests, catalog in
            let cache = PlanCache()
            for request in requests {
                let isHit = cache.prepared(for: request.query, request.aggregations) != nil
                let cold = description(of: request, catalog, nil)
                let warm = description(of: request, catalog, cache)
                guard cold == warm else { return "\(request)\nwithout the cache \(cold)\nwith it \(warm)" }
                guard isHit else { continue }
                hits += 1
                if cold.hasPrefix("▿ QueryPlanner.PlanningError") { refusals += 1 } else { plans += 1 }
            }
            return nil
        }
        print("\(hits) requests met a prepared query: \(plans) had a plan, \(refusals) were refused for their values")
        #expect(plans > Rounds.of(2_000))
        #expect(refusals > Rounds.of(100))
    }

    /// What is read without a plan is what the plan would read, and all that it says.
    @Test func aScanAloneSaysWhatThePlanSays() throws {
        var (scans, merges) = (0, 0)
        try TestSupport.check(count: Rounds.of(5_000)) { generator in
            var random = RandomQueries(generator)
            defer { generator = random.generator }
            let query = random.generator.chance(0.3) ? random.listQuery() : random.query()
            let other = query.withOtherValues(&random)
            return (query: query, other: other, catalog: random.catalog(for: .documents(query)))
        } failure: { query, other, catalog in
            let cache = PlanCache()
            _ = try? Planner.plan(query, catalog: catalog, database: PlanCacheTests.database, cache: cache)
            let whole = description(of: .documents(other), catalog, nil)
            let access: QueryAccess
            do {
                access = try Planner.access(other, catalog: catalog, database: PlanCacheTests.database, cache: cache)
            } catch {
                return PlanDescription.dumped(error) == whole ? nil : "\(other) throws \(error)"
            }
            switch access {
            case .plan(let plan): return PlanDescription.text { plan } == whole ? nil : "\(other) has another plan"
            case .scan(let scan):
                scans += 1
                let plan = try Planner.plan(other, catalog: catalog, database: PlanCacheTests.database)
                return self.difference(of: scan, plan, other).map { "\(other) \($0)" }
            case .scans(let scan, let prefixes):
                merges += 1
                let plan = try Planner.plan(other, catalog: catalog, database: PlanCacheTests.database)
                return self.difference(of: scan, prefixes, plan).map { "\(other) \($0)" }
            }
        }
        print("\(scans) queries were read by a scan alone, \(merges) by several")
        #expect(scans > Rounds.of(250), "only \(scans) queries were read by a scan alone")
        #expect(merges > Rounds.of(50), "only \(merges) queries were read by several scans alone")
    }

    private func difference(of scan: IndexScan, _ prefixes: [[UInt8]], _ plan: QueryPlan) -> String? {
        var distinct: [[UInt8]] = []
        for prefix in prefixes where !distinct.contains(prefix) { distinct.append(prefix) }
        let scans = distinct.map { prefix in
            IndexScan(
                index: scan.index, scope: scan.scope, prefix: prefix, prefixCount: scan.prefixCount,
                suffix: scan.suffix, ranges: scan.ranges, backwards: scan.backwards,
                productionScanCount: scan.productionScanCount)
        }
        guard distinct.count == plan.disjuncts.count else { return "is read by another number of scans" }
        for (scan, disjunct) in zip(scans, plan.disjuncts) {
            guard case .index(let planned) = disjunct.access,
                PlanDescription.dumped(scan) == PlanDescription.dumped(planned)
            else { return "is read by other scans" }
            let order = disjunct.sortKey.indices.map { SortKeyPart.suffix($0) }
            if disjunct.sortKey != order || planned.suffix.count != order.count { return "is merged in another order" }
            if planned.suffix.contains(where: { $0.allowed != nil }) { return "needs a filter" }
        }
        let execution = plan.execution
        let isPlanned = execution.strategies.allSatisfy { if case .planned = $0 { true } else { false } }
        let isPlain =
            isPlanned && execution.union == .merge && plan.query.offset == 0 && !plan.query.reversesRows
            && plan.hinted == nil
        return isPlain ? nil : "needs more than scans"
    }

    private func difference(of scan: IndexScan, _ plan: QueryPlan, _ query: Query) -> String? {
        guard case .index(let planned)? = plan.disjuncts.first?.access,
            PlanDescription.dumped(scan) == PlanDescription.dumped(planned)
        else { return "is read by another scan" }
        let saysMore =
            plan.disjuncts.count > 1 || plan.query.offset > 0 || plan.query.reversesRows || plan.hinted != nil
            || query.projection != nil || planned.suffix.contains { $0.allowed != nil }
        return saysMore ? "needs more than a scan" : nil
    }

    private func description(of request: QueryRequest, _ catalog: IndexCatalog, _ cache: PlanCache?) -> String {
        PlanDescription.text {
            try Planner.plan(request, catalog: catalog, database: PlanCacheTests.database, cache: cache)
        }
    }

    /// Every check of a value is made again, in production's order among the others.
    @Test func valuesAreCheckedForEachQuery() {
        let cache = PlanCache()
        let long = Value.string(Text(String(repeating: "a", count: 1_501)))
        let path = ResourcePath(segments: ["k", "x"])
        let name = Value.reference(Reference(database: PlanCacheTests.database, path: path))
        let foreign = Value.reference(Reference(database: DatabaseID(project: "other"), path: path))
        let many = Value.array((0..<31).map { .integer($0) })
        let query = Query(
            from: CollectionSelector(collectionID: "k"),
            filter: .and([.field("a", .in, .array([.integer(1)])), .field(.documentName, .greaterThan, name)]),
            orders: [Order(.documentName)], limit: 1)
        func expect(_ change: (inout Query) -> Void, _ wanted: String?) {
            var other = query
            change(&other)
            let cold = message(of: other, nil)
            #expect(cold == message(of: other, cache))
            #expect(wanted.map { cold?.contains($0) ?? false } ?? (cold == nil), "\(cold ?? "served")")
        }
        func message(of query: Query, _ cache: PlanCache?) -> String? {
            do {
                _ = try Planner.plan(
                    query, catalog: IndexCatalog(IndexConfiguration()), database: PlanCacheTests.database, cache: cache)
                return nil
            } catch {
                return "\(error)"
            }
        }
        func filter(_ list: Value, _ bound: Value) -> Filter {
            .and([.field("a", .in, list), .field(.documentName, .greaterThan, bound)])
        }
        expect({ _ in }, nil)
        expect({ $0.limit = -1 }, "limit is negative")
        expect({ $0.offset = -1 }, "offset is negative")
        expect({ $0.filter = filter(.integer(1), name) }, "requires an ArrayValue")
        expect({ $0.filter = filter(.array([]), name) }, "requires an non-empty ArrayValue")
        expect({ $0.filter = filter(many, name) }, "supports up to 30 comparison values")
        expect({ $0.filter = filter(.array([long]), name) }, "too large to be used in a query")
        expect({ $0.filter = filter(many, .integer(1)) }, "filter value must be a Key")
        expect({ $0.filter = filter(many, foreign) }, "attempting to access database")
        expect({ $0.start = Cursor([.integer(1)], before: true) }, "is not a document reference")
        expect({ $0.start = Cursor([name, name], before: true) }, "too many values")
        expect({ $0.end = Cursor([foreign], before: true) }, "in a different database")
        expect({ $0.limit = 0 }, nil)
        expect({ $0.filter = filter(.array([.null, .double(.nan)]), name) }, nil)
        #expect(cache.count == 1)
    }

    /// The length of lists decides how many disjuncts there are, and the numbers of a vector search are values.
    @Test func sizesAndVectorsAreCheckedForEachQuery() {
        let cache = PlanCache()
        let numbers = { (count: Int) in Value.array((0..<Int64(count)).map { .integer($0) }) }
        func product(_ count: Int) -> Query {
            Query(
                from: CollectionSelector(collectionID: "k"),
                filter: .and([.field("a", .in, numbers(count)), .field("b", .in, numbers(count))]))
        }
        func nearest(_ vector: [Double], _ limit: Int) -> Query {
            var query = Query(from: CollectionSelector(collectionID: "k"))
            query.nearest = FindNearest(path: "v", vector: vector, measure: .euclidean, limit: limit)
            return query
        }
        var catalog = IndexCatalog(IndexConfiguration())
        for query in [product(2), nearest([1], 1)] {
            _ = try? QueryRequest.documents(query).plan(adding: &catalog, PlanCacheTests.database)
        }
        func message(_ query: Query, _ cache: PlanCache?) -> String? {
            do {
                _ = try Planner.plan(query, catalog: catalog, database: PlanCacheTests.database, cache: cache)
                return nil
            } catch {
                return "\(error)"
            }
        }
        func expect(_ query: Query, _ wanted: String?) {
            let warm = message(query, cache)
            #expect(warm == message(query, nil))
            #expect(wanted.map { warm?.contains($0) ?? false } ?? (warm == nil), "\(warm ?? "served")")
        }
        expect(product(2), nil)
        expect(product(6), "Too many disjunctions after normalization")
        expect(nearest([1], 1), nil)
        expect(nearest([1], 1_001), "no more than 1000")
        #expect(cache.count == 2)
    }

    /// Queries below different parents share what is prepared and read their own collections.
    @Test func parentsAreValues() throws {
        let cache = PlanCache()
        for id in ["x", "y"] as [Text] {
            let query = Query(
                parent: DocumentPath(ResourcePath(segments: ["users", id])),
                from: CollectionSelector(collectionID: "k"),
                filter: .field("a", .equal, .integer(1)))
            let plan = try Planner.plan(
                query, catalog: IndexCatalog(IndexConfiguration()), database: PlanCacheTests.database, cache: cache)
            guard case .index(let scan) = plan.disjuncts[0].access else {
                Issue.record("\(plan.disjuncts)")
                return
            }
            #expect(scan.scope == .collection(CollectionPath(ResourcePath(segments: ["users", id, "k"]))))
        }
        #expect(cache.count == 1)
    }

    @Test func aFullCacheForgets() throws {
        let cache = PlanCache()
        for number in 0...PlanCache.capacity {
            let query = Query(
                from: CollectionSelector(collectionID: "k"),
                filter: .field(FieldPath(name: Text("f\(number)")), .equal, .integer(1)))
            _ = try Planner.plan(
                query, catalog: IndexCatalog(IndexConfiguration()), database: PlanCacheTests.database, cache: cache)
        }
        #expect(cache.count == 1)
    }

    /// A query is looked up before its depth is checked.
    @Test func aDeepFilterIsLookedUpSafely() {
        let cache = PlanCache()
        var query = Query(from: CollectionSelector(collectionID: "k"), filter: .field("a", .equal, .integer(1)))
        _ = try? Planner.plan(
            query, catalog: IndexCatalog(IndexConfiguration()), database: PlanCacheTests.database, cache: cache)
        var filter = Filter.field("a", .equal, .integer(1))
        for _ in 0..<10_000 { filter = .and([filter]) }
        query.filter = filter
        #expect(cache.prepared(for: query, nil) == nil)
        // Taken apart here, for the release of a deep filter is recursive.
        while case .and(let inner) = filter { (query.filter, filter) = (nil, inner[0]) }
    }
}

extension RandomQueries {
    /// A request of either kind, often invalid.
    fileprivate mutating func request() -> QueryRequest {
        var query = query()
        if generator.chance(0.5) { (query.start, query.end) = (nil, nil) }
        if generator.chance(0.05) { query.hint = try? IndexHint(generator.pick(["(a ASC)", "(a ASC, b ASC)"])) }
        if generator.chance(0.05) {
            (query.start, query.end, query.limit, query.offset, query.limitToLast) = (nil, nil, nil, 0, false)
            query.nearest = FindNearest(
                path: generator.pick(RandomQueries.fields), vector: [1], measure: .euclidean, limit: 10)
        }
        guard generator.chance(0.15) else { return .documents(query) }
        let summed = generator.pick(RandomQueries.fields)
        return .aggregation(
            AggregationQuery(
                query, [Aggregation(alias: "n", .count(upTo: nil)), Aggregation(alias: nil, .sum(summed))]))
    }

    /// Random indexes, mostly with those that the request needs.
    fileprivate mutating func catalog(for request: QueryRequest) -> IndexCatalog {
        var catalog = catalog()
        if generator.chance(0.7) { _ = try? request.plan(adding: &catalog, RandomQueries.database) }
        return catalog
    }
}

extension QueryRequest {
    fileprivate func withOtherValues(_ random: inout RandomQueries) -> QueryRequest {
        switch self {
        case .documents(let query): .documents(query.withOtherValues(&random))
        case .aggregation(let request):
            .aggregation(AggregationQuery(request.query.withOtherValues(&random), request.aggregations))
        }
    }
}

extension Query {
    fileprivate func withOtherValues(_ random: inout RandomQueries) -> Query {
        var other = self
        other.filter = filter?.withOtherValues(&random)
        if parent != nil { other.parent = random.documentPath() }
        if limit != nil { other.limit = random.generator.int(-1..<6) }
        if nearest == nil, random.generator.chance(0.3) { other.offset = random.generator.int(0..<3) }
        if nearest == nil, random.generator.chance(0.3) { other.start = random.cursor(orders) }
        if nearest == nil, random.generator.chance(0.3) { other.end = random.cursor(orders) }
        return other
    }
}

extension Filter {
    fileprivate func withOtherValues(_ random: inout RandomQueries) -> Filter {
        switch self {
        case .field(let path, let op, _) where random.generator.chance(0.8):
            .field(path, op, random.generator.chance(0.03) ? random.value() : random.operand(of: path, op))
        case .field, .unary: self
        case .and(let filters): .and(filters.map { $0.withOtherValues(&random) })
        case .or(let filters): .or(filters.map { $0.withOtherValues(&random) })
        }
    }
}
