// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

@Suite struct GeneratorTests {
    struct Input: CustomStringConvertible {
        var documents: [DocumentPath: Fields]
        var query: Query

        var description: String { "\(query) over \(documents)" }

        static func random(_ random: inout SeededGenerator) -> Input {
            let documents = DocumentGenerator().documents(40, &random)
            return Input(documents: documents, query: QueryGenerator(documents).query(&random))
        }

        var smaller: [Input] {
            Shrinker.query(query).map { Input(documents: documents, query: $0) }
                + Shrinker.documents(documents).map { Input(documents: $0, query: query) }
        }

        func names() throws -> [String] {
            try NaiveEvaluator(documents).rows(of: query).map(\.path.description)
        }
    }

    @Test func sameSeedSameQueries() {
        func run() -> [String] {
            var random = SeededGenerator(seed: 7)
            return (0..<50).map { _ in "\(Input.random(&random).query)" }
        }
        #expect(run() == run())
        #expect(Set(run()).count > 40)
    }

    /// Queries that find nothing test little.
    @Test func manyQueriesFindSomething() throws {
        var random = SeededGenerator.printingSeed()
        var answered = 0
        for _ in 0..<400 where try !Input.random(&random).names().isEmpty { answered += 1 }
        #expect(answered > 120, "\(answered) of 400 queries found documents")
    }

    /// the part that ends at a cursor and the part that starts after it make up the whole, each document
    /// once and in order.
    @Test func cursorsCutResultsInTwo() throws {
        try check(
            count: Rounds.of(2_000),
            generate: { random in
                var input = Input.random(&random)
                while input.query.start == nil { input = Input.random(&random) }
                input.query.end = nil
                input.query.offset = 0
                input.query.limit = nil
                input.query.limitToLast = false
                return input
            }, shrink: \.smaller,
            failure: { input in
                var (whole, head, tail) = (input, input, input)
                guard let cursor = input.query.start else { return nil }
                whole.query.start = nil
                head.query.start = nil
                head.query.end = Cursor(cursor.values, before: cursor.before)
                tail.query.start = Cursor(cursor.values, before: cursor.before)
                let (all, first, rest) = (try whole.names(), try head.names(), try tail.names())
                return first + rest == all ? nil : "\(first) and \(rest) are not \(all)"
            })
    }

    /// the last rows are the first ones of the reversed order, reversed.
    @Test func limitToLastIsTheReversedQueryReversed() throws {
        try check(
            count: Rounds.of(2_000),
            generate: { random in
                var input = Input.random(&random)
                while input.query.orders.isEmpty { input = Input.random(&random) }
                input.query.limit = random.int(0..<10)
                input.query.limitToLast = true
                return input
            }, shrink: \.smaller,
            failure: { input in
                guard input.query.limitToLast, !input.query.orders.isEmpty else { return nil }
                var reversed = input
                reversed.query.limitToLast = false
                reversed.query.orders = input.query.orders.map { Order($0.path, $0.direction.reversed) }
                reversed.query.start = input.query.end.map { Cursor($0.values, before: !$0.before) }
                reversed.query.end = input.query.start.map { Cursor($0.values, before: !$0.before) }
                let (found, expected) = (try input.names(), Array(try reversed.names().reversed()))
                return found == expected ? nil : "\(found) is not \(expected)"
            })
    }

    @Test func generatedDocumentsAreStorable() throws {
        try check(
            count: 200, generate: { DocumentGenerator().documents(10, &$0) }, shrink: Shrinker.documents,
            failure: { documents in
                for (path, fields) in documents where holdsNestedArray(.map(fields)) { return "\(path)" }
                return nil
            })
    }

    /// V-21.
    private func holdsNestedArray(_ value: Value) -> Bool {
        switch value {
        case .array(let elements): elements.contains { $0.typeClass == .array || holdsNestedArray($0) }
        case .map(let fields): fields.contains { $0.name.string.isEmpty || holdsNestedArray($0.value) }
        default: false
        }
    }

    @Test func indexConfigurationsVary() {
        var random = SeededGenerator.printingSeed()
        let documents = DocumentGenerator().documents(20, &random)
        let queries = (0..<5).map { _ in QueryGenerator(documents).query(&random) }
        let generator = IndexConfigurationGenerator()
        let configurations = (0..<50).map { _ in generator.configuration(for: queries, &random) }
        #expect(Set(configurations).count > 40)
        for index in configurations.flatMap(\.indexes) { #expect(index.fields.count >= 2) }
    }

    @Test func aggregationAndVectorQueriesAreAnswered() throws {
        var random = SeededGenerator.printingSeed()
        var neighbours = 0
        // Some sets of documents have hardly a vector in the collection that is searched.
        for _ in 0..<10 {
            let documents = DocumentGenerator().documents(60, &random)
            let generator = QueryGenerator(documents)
            let evaluator = NaiveEvaluator(documents)
            for _ in 0..<20 {
                let query = generator.aggregationQuery(&random)
                let results = try evaluator.aggregates(of: query)
                #expect(results.count == query.aggregations.count)
                for result in results { #expect(result.agrees(with: result.value)) }
                let nearest = generator.nearestQuery(&random)
                neighbours += (try? evaluator.rows(of: nearest).count) ?? 0
            }
        }
        #expect(neighbours > 100)
    }

    @Test func shrinkingFindsTheSmallestFailure() {
        let smallest = Shrinker.smallest(from: Array(0..<100), candidates: Shrinker.array) { numbers in
            numbers.contains(17) && numbers.contains(42)
        }
        #expect(smallest == [17, 42])
    }

    @Test func temporaryDirectoriesGoAway() throws {
        var folder: TemporaryDirectory? = try TemporaryDirectory()
        let url = try #require(folder?.url)
        #expect(try url.checkResourceIsReachable())
        folder = nil
        #expect((try? url.checkResourceIsReachable()) == nil)
    }
}
