// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// Advice against every set of indexes that there is, over few fields, tried with the planner itself.
@Suite struct AdvisorMinimalityTests {
    private static let database = RandomQueries.database
    private static let (a, b, t) = (FieldPath(name: "a"), FieldPath(name: "b"), FieldPath(name: "t"))

    /// Queries with bound fields, a membership, ranges and orders over the given fields.
    private static func query(_ generator: inout SeededGenerator, paths: [FieldPath], isGroup: Bool) -> Query {
        var query = Query(from: CollectionSelector(collectionID: "k", allDescendants: isGroup))
        var filters: [Filter] = []
        for path in paths where generator.chance(0.6) {
            let isArray = path == t
            filters.append(
                .field(path, isArray ? .arrayContains : generator.chance(0.75) ? .equal : .greaterThan, .integer(1)))
        }
        if !filters.isEmpty { query.filter = generator.chance(0.8) ? .and(filters) : .or(filters) }
        for path in paths.filter({ $0 != t }).shuffled(using: &generator) where generator.chance(0.4) {
            query.orders.append(Order(path, generator.chance(0.7) ? .ascending : .descending))
        }
        return query
    }

    private static func queries(
        _ generator: inout SeededGenerator, count: Int, paths: [FieldPath], groups: Double
    ) -> [QueryRequest] {
        var result: [QueryRequest] = []
        while result.count < count {
            let isGroup = generator.chance(groups)
            let query = query(&generator, paths: paths, isGroup: isGroup)
            if (try? QueryValidator.validate(query, database: database)) != nil { result.append(.documents(query)) }
        }
        return result
    }

    private static func serves(_ configuration: IndexConfiguration, _ requests: [QueryRequest]) -> Bool {
        let catalog = IndexCatalog(configuration)
        return requests.allSatisfy { (try? Planner.plan($0, catalog: catalog, database: database)) != nil }
    }

    /// Every index on up to `length` fields.
    private static func universe(_ paths: [FieldPath], length: Int, scopes: [QueryScope]) -> [IndexDefinition] {
        let fields = paths.flatMap { path in
            path == t
                ? [IndexField(path, .contains)]
                : [IndexField(path, .order(.ascending)), IndexField(path, .order(.descending))]
        }
        var lists: [[IndexField]] = [[]]
        var last = lists
        for _ in 0..<length {
            last = last.flatMap { list in fields.map { list + [$0] } }
            lists += last
        }
        var result: [IndexDefinition] = []
        for scope in scopes {
            for list in lists where list.count != 1 || list[0].mode != .contains {
                for direction in [Direction.ascending, .descending] {
                    result.append(
                        IndexDefinition(
                            collectionGroup: "k", scope: scope, fields: list, nameDirection: direction))
                }
            }
        }
        return result.filter { $0.equivalentAutomatic == nil }
    }

    private static func overrides(_ paths: [FieldPath]) -> [[FieldOverride]] {
        let modes: [[SingleFieldIndex.Mode]] = [[.ascending], [.descending], [.ascending, .descending]]
        var sets: [[FieldOverride]] = [[]]
        for path in paths {
            for set in sets {
                for added in modes.map({ $0.map { SingleFieldIndex($0, .collectionGroup) } }) {
                    let indexes = SingleFieldIndex.automatic.union(added)
                    sets.append(set + [FieldOverride(collectionGroup: "k", path: path, indexes: indexes)])
                }
            }
        }
        return sets
    }

    private struct Cost: Comparable {
        let numbers: [Int]
        let texts: [String]

        init(_ configuration: IndexConfiguration) {
            let added = configuration.fieldOverrides.flatMap { override in
                override.indexes.subtracting(SingleFieldIndex.automatic).map { (override.path!, $0) }
            }
            numbers = [
                configuration.indexes.count, configuration.fieldOverrides.count,
                configuration.indexes.reduce(0) { $0 + $1.fields.count } + added.count,
            ]
            texts =
                (configuration.indexes.map { "k \($0.scope.wireName) \($0.properties)" }
                + added.map { "k \($1.scope.wireName) \($1.properties(of: $0))" }).sorted()
        }

        static func < (left: Cost, right: Cost) -> Bool {
            if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
            return left.texts.lexicographicallyPrecedes(right.texts)
        }
    }

    /// In production's form of an index the array field stands first; text order only compares such indexes.
    private static func isUsual(_ definition: IndexDefinition) -> Bool {
        !definition.fields.dropFirst().contains { $0.mode == .contains }
    }

    /// A configuration of at most as many composites as the advice, and cheaper.
    private static func cheaper(
        than advice: IndexConfiguration, for requests: [QueryRequest], in universe: [IndexDefinition],
        overrides: [[FieldOverride]]
    ) -> IndexConfiguration? {
        let cost = Cost(advice)
        var found: IndexConfiguration?
        func visit(_ indexes: [IndexDefinition], from start: Int) {
            guard found == nil else { return }
            for set in overrides {
                let candidate = IndexConfiguration(indexes: indexes, fieldOverrides: set)
                if Cost(candidate) < cost, serves(candidate, requests) { return found = candidate }
            }
            guard indexes.count < min(2, advice.indexes.count) else { return }
            for next in universe[start...].indices { visit(indexes + [universe[next]], from: next + 1) }
        }
        visit([], from: 0)
        return found
    }

    @Test func nothingSmallerServesInCollections() throws {
        var generator = SeededGenerator.printingSeed()
        let universe = Self.universe([Self.a, Self.b, Self.t], length: 3, scopes: [.collection]).filter(Self.isUsual)
        var sizes: [Int: Int] = [:]
        for _ in 0..<Rounds.of(10) {
            let requests = Self.queries(&generator, count: 3, paths: [Self.a, Self.b, Self.t], groups: 0)
            try compare(requests, universe, [[]], &sizes)
        }
        print("nothingSmallerServesInCollections: cases by number of composites: \(sizes)")
    }

    @Test func nothingSmallerServesWithGroups() throws {
        var generator = SeededGenerator.printingSeed()
        let universe = Self.universe([Self.a, Self.b], length: 2, scopes: [.collection, .collectionGroup])
        var sizes: [Int: Int] = [:]
        for _ in 0..<Rounds.of(10) {
            let requests = Self.queries(&generator, count: 3, paths: [Self.a, Self.b], groups: 0.6)
            try compare(requests, universe, Self.overrides([Self.a, Self.b]), &sizes)
        }
        print("nothingSmallerServesWithGroups: cases by number of composites: \(sizes)")
    }

    private func compare(
        _ requests: [QueryRequest], _ universe: [IndexDefinition], _ overrides: [[FieldOverride]],
        _ sizes: inout [Int: Int]
    ) throws {
        var advisor = IndexAdvisor()
        for request in requests { try advisor.add(request, database: Self.database) }
        let advice = advisor.smallestConfiguration()
        #expect(advice.isExact)
        #expect(Self.serves(advice.configuration, requests), "\(advice.configuration) for \(requests)")
        let cheaper = Self.cheaper(
            than: advice.configuration, for: requests, in: universe, overrides: overrides)
        #expect(cheaper == nil, "\(String(describing: cheaper)) instead of \(advice.configuration) for \(requests)")
        sizes[advice.configuration.indexes.count, default: 0] += 1
    }
}
