// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import TestSupport
internal import Testing

@Suite struct MatchingTests {
    /// V-37, column by column: which documents a filter finds. `missing` has no field v.
    @Test(arguments: [
        (Filter.field("v", .equal, 2), ["equal", "equalDouble"]),
        (.field("v", .notEqual, 2), ["nan", "other", "smaller"]),
        (.field("v", .lessThan, 2), ["smaller"]),
        (.field("v", .lessThanOrEqual, 2), ["smaller", "equal", "equalDouble"]),
        (.field("v", .greaterThan, .double(-.infinity)), ["smaller", "equal", "equalDouble"]),
        (.field("v", .in, [2, nil, .double(.nan)]), ["equal", "equalDouble"]),
        (.field("v", .notIn, [2]), ["nan", "smaller", "other"]),
        (.field("v", .notIn, [2, .double(.nan)]), ["nan", "smaller", "other"]),
        (.field("v", .notIn, [2, nil]), []),
        (.unary("v", .isNull), ["null"]),
        (.unary("v", .isNotNull), ["nan", "smaller", "equal", "equalDouble", "other"]),
        (.unary("v", .isNaN), ["nan"]),
        (.unary("v", .isNotNaN), ["smaller", "equal", "equalDouble", "other"]),
        (.field("v", .equal, nil), []), (.field("v", .equal, .double(.nan)), []),
        (.field("v", .notEqual, nil), []), (.field("v", .lessThan, .double(.nan)), []),
        (.field("v", .lessThanOrEqual, nil), []),
    ])
    func truthTable(filter: Filter, expected: [String]) throws {
        let evaluator = NaiveEvaluator([
            "c/missing": [:], "c/null": ["v": nil], "c/nan": ["v": .double(.nan)], "c/smaller": ["v": 1],
            "c/equal": ["v": 2], "c/equalDouble": ["v": 2.0], "c/other": ["v": "2"],
        ])
        let rows = try evaluator.rows(of: Query.collection("c").with { $0.filter = filter })
        #expect(rows.map(\.path.id.string).sorted() == expected.sorted())
    }

    /// V-34, V-35.
    @Test func membership() throws {
        let evaluator = NaiveEvaluator([
            "c/a": ["v": [1, 1.0, nil]], "c/b": ["v": ["x", ["k": 1]]], "c/c": ["v": 1], "c/d": ["v": [.double(.nan)]],
        ])
        func found(_ fieldOperator: FieldOperator, _ operand: Value) throws -> [String] {
            let query = Query.collection("c").with { $0.filter = .field("v", fieldOperator, operand) }
            return try evaluator.rows(of: query).map(\.path.id.string)
        }
        #expect(try found(.arrayContains, 1) == ["a"])
        #expect(try found(.arrayContains, ["k": 1.0]) == ["b"])
        #expect(try found(.arrayContains, nil) == [])
        #expect(try found(.arrayContains, .double(.nan)) == [])
        #expect(try found(.arrayContains, [1]) == [])
        #expect(try found(.arrayContainsAny, [1, "x", .double(.nan)]) == ["a", "b"])
        #expect(try found(.equal, [1, 1, nil]) == ["a"])
    }

    /// names in the order of V-24.
    @Test func scopes() throws {
        let evaluator = NaiveEvaluator([
            "c/b": [:], "c/__id7__": [:], "c/__id-5__": [:], "c/b/c/x": [:], "d/z/c/y": [:], "e/q": [:],
        ])
        func found(_ selector: CollectionSelector, _ parent: DocumentPath? = nil) throws -> [String] {
            try evaluator.rows(of: Query(parent: parent, from: selector)).map(\.path.description)
        }
        let root = ["c/__id-5__", "c/__id7__", "c/b"]
        #expect(try found(CollectionSelector(collectionID: "c")) == root)
        #expect(try found(CollectionSelector(collectionID: "c"), "c/b") == ["c/b/c/x"])
        let group = CollectionSelector(collectionID: "c", allDescendants: true)
        #expect(try found(group) == root + ["c/b/c/x", "d/z/c/y"])
        #expect(try found(group, "d/z") == ["d/z/c/y"])
        #expect(try found(CollectionSelector(collectionID: nil)) == root + ["e/q"])
        let all = try found(CollectionSelector(collectionID: nil, allDescendants: true))
        #expect(all == root + ["c/b/c/x", "d/z/c/y", "e/q"])
    }

    ///
    @Test func projections() throws {
        let evaluator = NaiveEvaluator(["c/a": ["m": ["x": 1, "y": 2], "n": 3, "s": "t"]])
        func fields(_ paths: [FieldPath]?) throws -> Value {
            .map(try evaluator.rows(of: Query.collection("c").with { $0.projection = paths })[0].fields)
        }
        func expect(_ found: Value, _ expected: Value) { #expect(NaiveOrder.compare(found, expected) == 0, "\(found)") }
        expect(try fields(["m.y", "n", .documentName]), ["m": ["y": 2], "n": 3])
        expect(try fields(["m.x", "m"]), ["m": ["x": 1, "y": 2]])
        expect(try fields(["absent", "s.x", "m.absent"]), [:])
        expect(try fields([]), [:])
        expect(try fields(nil), ["m": ["x": 1, "y": 2], "n": 3, "s": "t"])
    }

    ///
    @Test func nearestNeighbours() throws {
        let evaluator = NaiveEvaluator([
            "c/a": ["v": .vector([1, 0])], "c/b": ["v": .vector([0, 2])], "c/c": ["v": .vector([0, 1])],
            "c/d": ["v": .vector([1, 0, 0])], "c/e": ["v": 1], "c/zero": ["v": .vector([0, 0])],
        ])
        func found(_ measure: FindNearest.Measure, threshold: Double? = nil, filter: Filter? = nil) throws -> [String] {
            let search = FindNearest(path: "v", vector: [0, 1], measure: measure, limit: 3, threshold: threshold)
            let query = Query.collection("c").with {
                $0.nearest = search
                $0.filter = filter
            }
            return try evaluator.rows(of: query).map(\.path.id.string)
        }
        #expect(try found(.euclidean) == ["c", "b", "zero"])
        #expect(try found(.euclidean, threshold: 1) == ["c", "b", "zero"])
        #expect(try found(.dotProduct) == ["b", "c", "a"])
        #expect(try found(.dotProduct, threshold: 1) == ["b", "c"])
        #expect(throws: NaiveFailure.cosineOfZeroVector) { try found(.cosine) }
        let withoutZero = Filter.field("v", .notEqual, .vector([0, 0]))
        #expect(try found(.cosine, filter: withoutZero) == ["b", "c", "a"])
    }
}
