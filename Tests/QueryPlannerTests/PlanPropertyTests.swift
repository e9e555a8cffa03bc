// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// Laws of plans and suggestions over random queries, documents and indexes.
@Suite struct PlanPropertyTests {
    struct Case: CustomStringConvertible {
        var query: Query
        var documents: [DocumentPath: Fields] = [:]
        var catalog = IndexCatalog(IndexConfiguration())
        var extra: IndexDefinition?

        var description: String {
            let filter = query.filter.map { QueryText.text(of: $0) } ?? "no filter"
            return
                "\(filter) \(query), documents \(documents), indexes \(catalog.composites), \(catalog.fieldOverrides)"
        }
    }

    private let database = RandomQueries.database

    private func check(
        count: Int, _ name: String = #function, generate: (inout RandomQueries) -> Case,
        failure: (Case) throws -> String?
    ) throws {
        var valid = 0
        try TestSupport.check(name, count: count) { generator in
            var random = RandomQueries(generator)
            let result = generate(&random)
            generator = random.generator
            return result
        } shrink: {
            shrunk($0)
        } failure: { input in
            guard (try? QueryValidator.validate(input.query, database: database)) != nil else { return nil }
            valid += 1
            return try failure(input)
        }
        print("\(name): \(valid) of \(count) random queries were valid")
        #expect(valid * 5 > count)
    }

    private func shrunk(_ input: Case) -> [Case] {
        var results: [Case] = []
        func add(_ change: (inout Case) -> Void) {
            var copy = input
            change(&copy)
            results.append(copy)
        }
        for path in input.documents.keys { add { $0.documents[path] = nil } }
        if input.query.start != nil { add { $0.query.start = nil } }
        if input.query.end != nil { add { $0.query.end = nil } }
        if input.query.offset > 0 { add { $0.query.offset = 0 } }
        if input.query.limit != nil {
            add {
                $0.query.limit = nil
                $0.query.limitToLast = false
            }
        }
        if !input.query.orders.isEmpty { add { $0.query.orders.removeLast() } }
        switch input.query.filter {
        case .and(let parts)?, .or(let parts)?: for part in parts { add { $0.query.filter = part } }
        case .some: add { $0.query.filter = nil }
        case nil: break
        }
        if !input.catalog.composites.isEmpty {
            add {
                $0.catalog = IndexCatalog(
                    composites: Array($0.catalog.composites.dropLast()), fieldOverrides: $0.catalog.fieldOverrides)
            }
        }
        return results
    }

    /// Suggestions help in at most as many rounds as there are disjuncts, and the plan's bounds give the naive answer.
    @Test func plansGiveTheNaiveAnswer() throws {
        try check(count: Rounds.of(6_000)) { random in
            Case(query: random.query(), documents: random.documents(), catalog: random.catalog())
        } failure: { input in
            var catalog = input.catalog
            let request = QueryRequest.documents(input.query)
            let wanted = try NaiveEvaluator(input.documents).rows(of: input.query).map(\.path)
            guard let (plan, rounds) = try request.plan(adding: &catalog, database) else {
                return "no suggestion helps"
            }
            let disjuncts = try Normalizer.normalize(input.query, database: database).disjuncts.count
            if rounds > max(1, disjuncts), rounds > DisjunctCount.of(input.query.filter) {
                return "\(rounds) rounds for \(disjuncts) disjuncts"
            }
            let found = PlanSimulator(input.documents).result(of: plan)
            return found == wanted ? nil : "found \(found), not \(wanted); \(plan.explanation.text)"
        }
    }

    /// I-46 to I-48, Q-53, Q-58: the rows that an aggregation counts beside a sum, under suggested indexes.
    @Test func aggregationsCountTheNaiveRows() throws {
        try check(count: Rounds.of(3_000)) { random in
            Case(query: random.query(), documents: random.documents(), catalog: random.catalog())
        } failure: { input in
            let query = AggregationQuery(
                input.query,
                [Aggregation(alias: "n", .count(upTo: nil)), Aggregation(alias: nil, .sum(FieldPath(name: "b")))])
            guard (try? Normalizer.normalize(query, database: database)) != nil else { return nil }
            var catalog = input.catalog
            guard let (plan, _) = try QueryRequest.aggregation(query).plan(adding: &catalog, database) else {
                return "no suggestion helps"
            }
            let found = Int64(PlanSimulator(input.documents).result(of: plan).count)
            let wanted = try NaiveEvaluator(input.documents).aggregates(of: query)[0]
            return wanted.agrees(with: .integer(found)) ? nil : "counted \(found), not \(wanted.value)"
        }
    }

    /// the candidates of a vector search, which its prefilters alone decide.
    @Test func vectorSearchesSeeTheNaiveCandidates() throws {
        try check(count: Rounds.of(3_000)) { random in
            var query = random.query()
            (query.start, query.end, query.limit, query.offset, query.limitToLast) = (nil, nil, nil, 0, false)
            query.nearest = FindNearest(
                path: random.generator.pick(RandomQueries.fields), vector: random.generator.pick([[1], [0, 1]]),
                measure: .euclidean, limit: 1_000)
            return Case(query: query, documents: random.documents(), catalog: random.catalog())
        } failure: { input in
            var catalog = input.catalog
            guard let (plan, _) = try QueryRequest.documents(input.query).plan(adding: &catalog, database) else {
                return "no suggestion helps"
            }
            let found = Set(PlanSimulator(input.documents).rows(of: plan))
            let wanted = Set(try NaiveEvaluator(input.documents).rows(of: input.query).map(\.path))
            return found == wanted ? nil : "found \(found), not \(wanted)"
        }
    }

    /// Permissive mode: the matcher and the cursors over whole documents.
    @Test func scanningGivesTheNaiveAnswer() throws {
        try check(count: Rounds.of(4_000)) { random in
            Case(query: random.query(), documents: random.documents())
        } failure: { input in
            let wanted = try NaiveEvaluator(input.documents).rows(of: input.query).map(\.path)
            let plan = try Planner.planByScanning(input.query, catalog: input.catalog, database: database)
            let found = PlanSimulator(input.documents).result(of: plan)
            return found == wanted ? nil : "found \(found), not \(wanted)"
        }
    }

    /// I-36.
    @Test func addingACompositeNeverUnserves() throws {
        try check(count: Rounds.of(5_000)) { random in
            Case(query: random.query(), catalog: random.catalog(), extra: random.definition())
        } failure: { input in
            guard let extra = input.extra, outcome(input, input.catalog) == .served else { return nil }
            let more = IndexCatalog(
                composites: input.catalog.composites + [IndexCatalog.Composite(extra)],
                fieldOverrides: input.catalog.fieldOverrides)
            return outcome(input, more) == .served ? nil : "no longer served with \(extra.properties)"
        }
    }

    /// I-50: with automatic indexes alone and one conjunction, every field of the suggestion is needed.
    @Test func noSmallerIndexThanTheSuggestionServes() throws {
        try check(count: Rounds.of(5_000)) { random in
            Case(query: random.query())
        } failure: { input in
            let empty = IndexCatalog(IndexConfiguration())
            guard try Normalizer.normalize(input.query, database: database).disjuncts.count == 1,
                DisjunctCount.of(input.query.filter) == 1, case .missing(let error, _) = outcome(input, empty),
                error.singleField == nil
            else { return nil }
            let fields = error.definition.fields
            for subset in 0..<(1 << fields.count) - 1 {
                let some = fields.indices.filter { subset >> $0 & 1 == 1 }.map { fields[$0] }
                let definition = IndexDefinition(
                    collectionGroup: error.definition.collectionGroup, scope: error.definition.scope, fields: some,
                    nameDirection: error.definition.nameDirection)
                let catalog = IndexCatalog(composites: [IndexCatalog.Composite(definition)], fieldOverrides: [])
                if outcome(input, catalog) == .served { return "\(definition.properties) serves it too" }
            }
            return nil
        }
    }

    /// Admission sees operators and fields, not operands.
    @Test func admissionDoesNotDependOnValues() throws {
        try check(count: Rounds.of(5_000)) { random in
            Case(query: random.query(), catalog: random.catalog())
        } failure: { input in
            var other = input
            other.query.filter = input.query.filter.map(OperandChange.apply)
            guard (try? QueryValidator.validate(other.query, database: database)) != nil else { return nil }
            let (left, right) = (outcome(input, input.catalog), outcome(other, input.catalog))
            return left == right ? nil : "\(left), but with other values \(right)"
        }
    }

    private func outcome(_ input: Case, _ catalog: IndexCatalog) -> Outcome {
        Outcome(.documents(input.query), catalog, database)
    }
}

/// Q-28, counted by itself.
private enum DisjunctCount {
    static func of(_ filter: Filter?) -> Int {
        switch filter {
        case nil, .unary?: 1
        case .field(_, .in, .array(let elements))?, .field(_, .arrayContainsAny, .array(let elements))?: elements.count
        case .field?: 1
        case .and(let parts)?: parts.reduce(1) { $0 * of($1) }
        case .or(let parts)?: parts.reduce(0) { $0 + of($1) }
        }
    }
}

/// Another value in the place of each, lists of the same length.
private enum OperandChange {
    static func apply(_ filter: Filter) -> Filter {
        switch filter {
        case .and(let parts): .and(parts.map(apply))
        case .or(let parts): .or(parts.map(apply))
        case .unary: filter
        case .field(let path, _, _) where path.isDocumentName: filter
        case .field(let path, let op, .array(let elements)) where [.in, .notIn, .arrayContainsAny].contains(op):
            .field(path, op, .array(elements.indices.map { .string(Text("v\($0)")) }))
        case .field(let path, let op, _): .field(path, op, .integer(7))
        }
    }
}
