// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// The results that Google's own integration tests assert.
@Suite struct WorkedExamplesTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let id: String
        let documents: [DocumentPath: Fields]
        let filter: Filter
        var orders: [Order] = []
        var limit: Int?
        var last = false
        /// The numbers of the documents, in order.
        let expected: [Int]

        var testDescription: String { id }
    }

    static let set1: [DocumentPath: Fields] = [
        "c/doc1": ["a": 1, "b": 0], "c/doc2": ["a": 2, "b": 1], "c/doc3": ["a": 3, "b": 2],
        "c/doc4": ["a": 1, "b": 3], "c/doc5": ["a": 1, "b": 1],
    ]
    static let set2: [DocumentPath: Fields] = [
        "c/doc1": ["a": 1, "b": 0], "c/doc2": ["b": 1], "c/doc3": ["a": 3, "b": 2], "c/doc4": ["a": 1, "b": 3],
        "c/doc5": ["a": 1], "c/doc6": ["a": 2],
    ]
    static let set3: [DocumentPath: Fields] = [
        "c/doc1": ["a": 1, "b": [0]], "c/doc2": ["b": [1]], "c/doc3": ["a": 3, "b": [2, 7], "c": 10],
        "c/doc4": ["a": 1, "b": [3, 7]], "c/doc5": ["a": 1], "c/doc6": ["a": 2, "c": 20],
    ]
    static let set4: [DocumentPath: Fields] = [
        "c/doc1": ["key": "a", "sort": 0, "v": 5], "c/doc2": ["key": "aa", "sort": 4, "v": 4],
        "c/doc3": ["key": "c", "sort": 3, "v": 3], "c/doc4": ["key": "b", "sort": 2, "v": 2],
        "c/doc5": ["key": "b", "sort": 2, "v": 1], "c/doc6": ["key": "b", "sort": 0, "v": 0],
    ]

    static func equal(_ path: FieldPath, _ value: Value) -> Filter { .field(path, .equal, value) }
    static let a1or = Filter.or([equal("a", 1), equal("b", 1)])
    static let a2or = Filter.or([equal("a", 2), equal("b", 1)])
    static let a1orB = Filter.or([equal("a", 1), .field("b", .greaterThan, 0)])
    static let a2or1 = Filter.or([.field("a", .greaterThan, 2), equal("b", 1)])

    static let first: [Example] = [
        Example(id: "A-1", documents: set1, filter: a1or, expected: [1, 2, 4, 5]),
        Example(
            id: "A-2", documents: set1,
            filter: .or([.and([equal("a", 1), equal("b", 0)]), .and([equal("a", 3), equal("b", 2)])]), expected: [1, 3]),
        Example(
            id: "A-3", documents: set1, filter: .and([equal("a", 1), .or([equal("b", 0), equal("b", 3)])]),
            expected: [1, 4]),
        Example(
            id: "A-4", documents: set1,
            filter: .and([.or([equal("a", 2), equal("b", 2)]), .or([equal("a", 3), equal("b", 3)])]), expected: [3]),
        Example(id: "A-5", documents: set1, filter: a2or, limit: 1, expected: [2]),
        Example(id: "A-6", documents: set1, filter: a2or1, expected: [5, 2, 3]),
        Example(id: "A-7", documents: set1, filter: a1orB, limit: 2, expected: [1, 2]),
        Example(
            id: "A-8", documents: set1, filter: a1orB, orders: [Order("b")], limit: 2, last: true, expected: [3, 4]),
        Example(id: "A-9", documents: set1, filter: a2or, orders: [Order("a")], limit: 1, expected: [5]),
        Example(id: "A-10", documents: set1, filter: a2or, orders: [Order("a")], limit: 1, last: true, expected: [2]),
        Example(
            id: "A-11", documents: set1, filter: equal("a", 1), orders: [Order("b", .descending)], limit: 2,
            expected: [4, 5]),
    ]
    static let second: [Example] = [
        Example(id: "A-12", documents: set2, filter: a1or, expected: [1, 2, 4, 5]),
        Example(id: "A-13", documents: set2, filter: a1or, orders: [Order("a")], expected: [1, 4, 5]),
        Example(id: "A-14", documents: set2, filter: a1or, orders: [Order("b")], expected: [1, 2, 4]),
        Example(id: "A-15", documents: set2, filter: a2or1, expected: [3]),
        Example(
            id: "A-16", documents: set2, filter: .or([.field("a", .greaterThan, 1), equal("b", 1)]),
            orders: [Order("a"), Order("b")], expected: [3]),
        Example(
            id: "A-17", documents: set2, filter: .or([equal("a", 2), .field("b", .in, [2, 3])]), expected: [3, 4, 6]),
        Example(
            id: "A-18", documents: set2, filter: .and([.field("a", .in, [2, 3]), .field("b", .in, [0, 2])]),
            expected: [3]),
        Example(
            id: "A-19", documents: set2, filter: .and([.field("a", .in, [1, 2, 3]), .field("a", .in, [0, 1, 4])]),
            expected: [1, 4, 5]),
        Example(
            id: "A-20", documents: set2, filter: .and([.field("a", .in, [2, 3]), .field("a", .in, [0, 1, 4])]),
            expected: []),
        Example(
            id: "A-21", documents: set2, filter: .or([.field("a", .in, [0, 3]), .field("a", .in, [0, 2])]),
            expected: [3, 6]),
    ]
    static let third: [Example] = [
        Example(
            id: "A-22", documents: set3, filter: .or([equal("a", 2), .field("b", .arrayContains, 7)]),
            expected: [3, 4, 6]),
        Example(
            id: "A-23", documents: set3, filter: .and([.field("a", .in, [2, 3]), .field("b", .arrayContains, 7)]),
            expected: [3]),
        Example(
            id: "A-24", documents: set3,
            filter: .and([.field("a", .in, [2, 3]), .field("b", .arrayContainsAny, [0, 7])]), expected: [3]),
        Example(
            id: "A-25", documents: set3,
            filter: .or([
                .and([.field("a", .in, [2, 3]), equal("c", 10)]), .field("b", .arrayContainsAny, [0, 7]),
            ]), expected: [1, 3, 4]),
        Example(
            id: "A-26", documents: set3,
            filter: .and([.field("a", .in, [2, 3]), .or([.field("b", .arrayContains, 7), equal("a", 1)])]),
            expected: [3]),
        Example(id: "A-27", documents: set3, filter: equal("a", 1), orders: [Order("a")], expected: [1, 4, 5]),
        Example(
            id: "A-28", documents: set3, filter: .field("a", .in, [2, 3]), orders: [Order("a")], expected: [6, 3]),
    ]
    static let a29 = Filter.or([
        .and([equal("key", "b"), .field("sort", .lessThanOrEqual, 2)]),
        .and([.field("key", .notEqual, "b"), .field("v", .greaterThan, 4)]),
    ])
    static let a31 = Filter.and([
        .or([
            .and([equal("key", "b"), .field("sort", .lessThanOrEqual, 4)]),
            .and([.field("key", .notEqual, "b"), .field("v", .greaterThanOrEqual, 4)]),
        ]),
        .or([
            .and([.field("key", .greaterThan, "b"), .field("sort", .greaterThanOrEqual, 1)]),
            .and([.field("key", .lessThan, "b"), .field("v", .greaterThan, 0)]),
        ]),
    ])
    static let fourth: [Example] = [
        Example(id: "A-29", documents: set4, filter: a29, expected: [1, 6, 5, 4]),
        Example(
            id: "A-30", documents: set4, filter: a29, orders: [Order("sort", .descending), Order("key")],
            expected: [5, 4, 1, 6]),
        Example(id: "A-31", documents: set4, filter: a31, expected: [1, 2]),
    ]

    @Test(arguments: first + second + third + fourth)
    func naiveEvaluator(example: Example) throws {
        let query = Query.collection("c").with {
            $0.filter = example.filter
            $0.orders = example.orders
            $0.limit = example.limit
            $0.limitToLast = example.last
        }
        let rows = try NaiveEvaluator(example.documents).rows(of: query)
        #expect(rows.map(\.path.description) == example.expected.map { "c/doc\($0)" })
    }

    /// the fixture of the evidence about aggregations.
    @Test func aggregations() throws {
        let evaluator = NaiveEvaluator([
            "c/A": ["x": 10, "y": 100], "c/B": [:], "c/C": ["x": "s", "y": 20], "c/D": ["x": 20.5],
        ])
        func values(_ kinds: Aggregation.Kind..., limit: Int? = nil) throws -> [Value] {
            let query = Query.collection("c").with { $0.limit = limit }
            let aggregations = kinds.map { Aggregation(alias: nil, $0) }
            return try evaluator.aggregates(of: AggregationQuery(query, aggregations)).map(\.value)
        }
        func expect(_ found: [Value], _ expected: [Value]) {
            #expect(NaiveOrder.compare(.array(found), .array(expected)) == 0, "\(found)")
        }
        expect(try values(.count(upTo: nil)), [4])
        expect(try values(.count(upTo: nil), .sum("x")), [3, 30.5])
        expect(try values(.count(upTo: nil), .sum("x"), .average("y")), [2, 10, 60])
        expect(try values(.sum("x"), limit: 2), [30.5])
        expect(try values(.count(upTo: 3)), [3])
        expect(try values(.sum("none"), .average("none")), [0, nil])
    }

    /// only the total of a sum decides whether it is an integer.
    @Test func sumsBeyondInt64() throws {
        let evaluator = NaiveEvaluator(["c/a": ["n": .integer(.max)], "c/b": ["n": 1], "c/c": ["n": -1]])
        let whole = AggregationQuery(.collection("c"), [Aggregation(alias: nil, .sum("n"))])
        #expect(try evaluator.aggregates(of: whole)[0].agrees(with: .integer(.max)))
        let positive = Query.collection("c").with { $0.filter = .field("n", .greaterThan, 0) }
        let two = [Aggregation(alias: nil, .sum("n")), Aggregation(alias: nil, .average("n"))]
        let results = try evaluator.aggregates(of: AggregationQuery(positive, two))
        #expect(results[0].agrees(with: .double(9.223372036854776e18)))
        #expect(!results[0].agrees(with: .integer(.max)))
        #expect(results[1].agrees(with: .double(4.611686018427388e18)))
    }
}
