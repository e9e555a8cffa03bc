// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// What a filter can match.
@Suite struct RulesMatchingTests {
    /// One document of each kind; `missing` has no field v.
    static let documents: [DocumentPath: Fields] = [
        "c/missing": [:], "c/null": ["v": nil], "c/nan": ["v": .double(.nan)], "c/one": ["v": 1], "c/two": ["v": 2],
        "c/zwei": ["v": 2.0], "c/text": ["v": "2"], "c/list": ["v": [2]], "c/map": ["v": ["k": 2]],
        "c/time": ["v": .timestamp(.minimum)],
    ]
    private let database: RuleDatabase

    init() throws {
        database = try RuleDatabase(Self.documents)
    }

    private func names(_ filter: Filter) throws -> String {
        try database.names(.collection("c").with { $0.filter = filter })
    }

    @Test("V-27 ranges find values of the operand's type only")
    func ranges() throws {
        #expect(try names(.field("v", .greaterThan, 1)) == "two zwei")
        #expect(try names(.field("v", .lessThanOrEqual, 2)) == "one two zwei")
        #expect(try names(.field("v", .greaterThanOrEqual, "")) == "text")
        #expect(try names(.field("v", .lessThan, [3])) == "list")
        #expect(try names(.field("v", .greaterThan, [:])) == "map")
        #expect(try names(.field("v", .lessThan, .timestamp(.maximum))) == "time")
        #expect(try names(.field("v", .greaterThan, false)) == "")
    }

    @Test("V-28 equality finds the operand's type only, arrays and maps as wholes")
    func equality() throws {
        #expect(try names(.field("v", .equal, 2)) == "two zwei")
        #expect(try names(.field("v", .equal, "2")) == "text")
        #expect(try names(.field("v", .equal, [2.0])) == "list")
        #expect(try names(.field("v", .equal, [2, 3])) == "")
        #expect(try names(.field("v", .equal, ["k": 2])) == "map")
    }

    @Test("V-29 not-equal finds what is present, not null and different, of any type, NaN included")
    func notEqual() throws {
        #expect(try names(.field("v", .notEqual, 2)) == "nan one time text list map")
        #expect(try names(.field("v", .notEqual, "2")) == "nan one two zwei time list map")
    }

    @Test("V-30 not-in finds what is present, not null and none of the operands; a null operand leaves nothing")
    func notIn() throws {
        #expect(try names(.field("v", .notIn, [2, "2"])) == "nan one time list map")
        #expect(try names(.field("v", .notIn, [2, .double(.nan)])) == "nan one time text list map")
        #expect(try names(.field("v", .notIn, [2, nil])) == "")
    }

    /// Not-equal with NaN excludes nothing, as the backend answered in 2020 and in 2026.
    @Test("V-31 equality with null or NaN finds nothing, not-equal with null neither")
    func nullAndNaNOperands() throws {
        #expect(try names(.field("v", .equal, nil)) == "")
        #expect(try names(.field("v", .equal, .double(.nan))) == "")
        #expect(try names(.field("v", .notEqual, nil)) == "")
        #expect(try names(.field("v", .notEqual, .double(.nan))) == "nan one two zwei time text list map")
        #expect(try database.names(#"c.where("v","==",null)"#) == "null")
        #expect(try database.names(#"c.where("v","==",NaN)"#) == "nan")
        #expect(try database.names(#"c.where("v","!=",NaN)"#) == "one two zwei time text list map")
    }

    @Test("V-32 tests for null and NaN never find a missing field")
    func unaryTests() throws {
        #expect(try names(.unary("v", .isNull)) == "null")
        #expect(try names(.unary("v", .isNotNull)) == "nan one two zwei time text list map")
        #expect(try names(.unary("v", .isNaN)) == "nan")
        #expect(try names(.unary("v", .isNotNaN)) == "one two zwei time text list map")
    }

    @Test("V-33 in finds equals of its candidates; null and NaN among them find nothing, an array is one candidate")
    func inList() throws {
        #expect(try names(.field("v", .in, [2, nil, .double(.nan), "2"])) == "text two zwei")
        #expect(try names(.field("v", .in, [[2]])) == "list")
        #expect(try names(.field("v", .in, [nil])) == "")
        #expect(try names(.field("v", .in, [1, 1, 1.0])) == "one")
    }

    static let arrays: [DocumentPath: Fields] = [
        "c/a": ["v": [1, 1.0, nil]], "c/b": ["v": ["x", ["k": 1]]], "c/c": ["v": 1], "c/d": ["v": [.double(.nan)]],
        "c/e": ["v": []],
    ]

    @Test("V-34 array-contains finds arrays with an equal element, once; null, NaN and arrays find nothing")
    func arrayContains() throws {
        let database = try RuleDatabase(Self.arrays)
        func names(_ operand: Value) throws -> String {
            try database.names(.collection("c").with { $0.filter = .field("v", .arrayContains, operand) })
        }
        #expect(try names(1) == "a")
        #expect(try names(["k": 1.0]) == "b")
        #expect(try names(nil) == "")
        #expect(try names(.double(.nan)) == "")
        #expect(try names([1]) == "")
    }

    @Test("V-35 array-contains-any finds each document once; null and NaN among its candidates find nothing")
    func arrayContainsAny() throws {
        let database = try RuleDatabase(Self.arrays)
        func names(_ operands: Value) throws -> String {
            try database.names(.collection("c").with { $0.filter = .field("v", .arrayContainsAny, operands) })
        }
        #expect(try names([1, "x", ["k": 1], 1.0]) == "a b")
        #expect(try names([nil, .double(.nan)]) == "")
    }

    @Test("V-36 ranges with NaN or null find nothing, and no range finds NaN")
    func rangesAndNaN() throws {
        #expect(try names(.field("v", .lessThan, .double(.nan))) == "")
        #expect(try names(.field("v", .greaterThanOrEqual, .double(.nan))) == "")
        #expect(try names(.field("v", .lessThanOrEqual, nil)) == "")
        #expect(try names(.field("v", .greaterThan, .double(-.infinity))) == "one two zwei")
        #expect(try names(.field("v", .lessThan, 2)) == "one")
    }

    /// Row by row: which operators, in the columns of the rule's table, find a stored value.
    @Test(
        "V-37 the truth table",
        arguments: [
            ("missing", ""), ("null", "isNull"), ("nan", "!= notIn isNotNull isNaN"),
            ("two", "== in isNotNull isNotNaN"), ("one", "!= < notIn isNotNull isNotNaN"),
            ("text", "!= notIn isNotNull isNotNaN"),
        ])
    func truthTable(row: (name: String, expected: String)) throws {
        let columns: [(String, Filter)] = [
            ("==", .field("v", .equal, 2)), ("!=", .field("v", .notEqual, 2)), ("<", .field("v", .lessThan, 2)),
            ("in", .field("v", .in, [2])), ("notIn", .field("v", .notIn, [2])), ("isNull", .unary("v", .isNull)),
            ("isNotNull", .unary("v", .isNotNull)), ("isNaN", .unary("v", .isNaN)),
            ("isNotNaN", .unary("v", .isNotNaN)),
        ]
        let found = try columns.filter { try names($0.1).split(separator: " ").contains(Substring(row.name)) }
        #expect(found.map(\.0).joined(separator: " ") == row.expected)
    }
}
