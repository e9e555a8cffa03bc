// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import JSONText
import QueryPlanner
import TestSupport
import Testing

/// The shape of queries, their complete order, limits and offsets.
@Suite struct RulesOrderTests {
    static let documents: [DocumentPath: Fields] = [
        "c/doc1": ["key": "a", "sort": 0, "v": 5], "c/doc2": ["key": "aa", "sort": 4, "v": 4],
        "c/doc3": ["key": "c", "sort": 3, "v": 3], "c/doc4": ["key": "b", "sort": 2, "v": 2],
        "c/doc5": ["key": "b", "sort": 2, "v": 1], "c/doc6": ["key": "b", "sort": 0, "v": 0],
    ]
    private let database: RuleDatabase

    init() throws {
        database = try RuleDatabase(Self.documents)
    }

    @Test("Q-1 filter, order and transaction, then offset, then limit, then projection of what is left")
    func stages() throws {
        #expect(
            try database.names(#"c.where("v",">",0).orderBy("v").startAfter(1).offset(1).limit(2).select("key")"#)
                == "doc3 doc2")
    }

    @Test("Q-3 operators by name or number, and a missing direction is ascending")
    func wireForm() throws {
        func names(_ clauses: String) throws -> String {
            let text = #"{"parent":"","structuredQuery":{"from":[{"collectionId":"c"}],\#(clauses)}}"#
            let request = try QueryJSON.read(try JSONParser.parse(text), database: database.engine.database)
            return try database.names(request.query)
        }
        #expect(try names(#""orderBy":[{"field":{"fieldPath":"v"}}],"limit":2"#) == "doc6 doc5")
        #expect(
            try names(#""orderBy":[{"field":{"fieldPath":"v"},"direction":"DIRECTION_UNSPECIFIED"}],"limit":1"#)
                == "doc6")
        for name in [#""EQUAL""#, "5"] {
            let filter = #"{"field":{"fieldPath":"v"},"op":\#(name),"value":{"integerValue":"3"}}"#
            #expect(try names(#""where":{"fieldFilter":\#(filter)}"#) == "doc3")
        }
    }

    /// An inequality orders by its field and leaves out documents without it; an equality does neither.
    @Test("Q-4 which operators are inequalities")
    func inequalities() throws {
        let database = try RuleDatabase(["c/a": ["v": 2, "w": 1], "c/b": ["v": 1, "w": 1], "c/c": ["w": 1]])
        let either = { (filter: Filter) in
            Query.collection("c").with { $0.filter = .or([filter, .field("w", .equal, 1)]) }
        }
        for comparison in [FieldOperator.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual] {
            #expect(try database.names(either(.field("v", comparison, 9))) == "b a", "\(comparison)")
        }
        #expect(try database.names(.collection("c").with { $0.filter = .field("v", .notIn, [9]) }) == "b a")
        for test in [UnaryOperator.isNotNull, .isNotNaN] {
            #expect(try database.names(either(.unary("v", test))) == "b a", "\(test)")
        }
        for filter in [
            Filter.field("v", .equal, 2), .field("v", .in, [2]), .unary("v", .isNull), .unary("v", .isNaN),
            .field("v", .arrayContains, 2), .field("v", .arrayContainsAny, [2]),
        ] {
            #expect(try database.names(either(filter)) == "a b c", "\(filter)")
        }
    }

    @Test("Q-5 Q-6 explicit orders, then inequality fields by name, then the document's name, in the last direction")
    func impliedOrders() throws {
        #expect(try database.names(#"c.where("sort",">",1)"#) == "doc4 doc5 doc3 doc2")
        #expect(try database.names(#"c.where("sort",">",1).orderBy("sort","desc")"#) == "doc2 doc3 doc5 doc4")
        // key, sort, name, in either written order
        #expect(try database.names(#"c.where("sort",">",1).where("key","!=","a")"#) == "doc2 doc4 doc5 doc3")
        #expect(try database.names(#"c.where("key","!=","a").where("sort",">",1)"#) == "doc2 doc4 doc5 doc3")
        // sort desc, key desc, name desc
        #expect(
            try database.names(#"c.where("key",">=","a").where("v","<",9).orderBy("sort","desc")"#)
                == "doc2 doc3 doc4 doc5 doc6 doc1")
        #expect(try database.names(#"c.where("sort",">=",0).orderBy("key","desc")"#) == "doc3 doc5 doc4 doc6 doc2 doc1")
        #expect(try database.names("c") == "doc1 doc2 doc3 doc4 doc5 doc6")
    }

    @Test("Q-7 implied orders compare segment by segment")
    func orderOfPaths() throws {
        let fields: (Int64, Int64) -> Fields = { inner, dotted in
            ["a": ["b": .integer(inner)], "a.b": .integer(dotted), "a!": 1]
        }
        let database = try RuleDatabase(["c/x": fields(1, 2), "c/y": fields(2, 1), "c/z": fields(1, 1)])
        // a.b inside a map sorts before a name that only starts with a.
        let query = Query.collection("c").with {
            $0.filter = .and([.field(FieldPath(name: "a.b"), .greaterThan, 0), .field("a.b", .greaterThan, 0)])
        }
        #expect(try database.names(query) == "z x y")
        let other = Query.collection("c").with {
            $0.filter = .and([.field(FieldPath(name: "a!"), .greaterThan, 0), .field("a.b", .greaterThan, 0)])
        }
        #expect(try database.names(other) == "x z y")
    }

    @Test("Q-8 Q-9 every field of the order must be there, also where another branch of an OR finds the document")
    func missingFields() throws {
        let database = try RuleDatabase([
            "c/doc1": ["a": 1, "b": 0], "c/doc2": ["b": 1], "c/doc3": ["a": 3, "b": 2], "c/doc4": ["a": nil, "b": 1],
        ])
        #expect(try database.names(#"c.where(or(where("a",">",1),where("b","==",1)))"#) == "doc4 doc3")
        #expect(try database.names(#"c.where(or(where("a","==",1),where("b","==",1)))"#) == "doc1 doc2 doc4")
        #expect(try database.names(#"c.where(or(where("a","==",1),where("b","==",1))).orderBy("a")"#) == "doc4 doc1")
        #expect(try database.names(#"c.orderBy("a")"#) == "doc4 doc1 doc3")
    }

    @Test("Q-10 an equality field may be ordered by, without another index")
    func orderByEquality() throws {
        #expect(try database.names(#"c.where("key","==","b").orderBy("key")"#) == "doc4 doc5 doc6")
        #expect(try database.names(#"c.where("v","in",[1,3]).orderBy("v","desc")"#) == "doc3 doc5")
        #expect(try database.missingIndexes(#"c.where("key","==","b").orderBy("key")"#) == 0)
        #expect(try database.missingIndexes(#"c.where("v","in",[1,3]).orderBy("v","desc")"#) == 0)
    }

    @Test("Q-11 Q-45 Q-46 no field twice, none after the name, written or implied")
    func invalidOrders() throws {
        #expect(
            try database.refusal(#"c.orderBy("v").orderBy("v","desc")"#)
                == "order by clause cannot contain duplicate fields v")
        let afterName = "order by clause cannot contain more fields after the key"
        #expect(try database.refusal(#"c.orderBy("__name__").orderBy("v")"#) == afterName)
        #expect(try database.refusal(#"c.where("key","!=",42).orderBy("__name__")"#) == afterName)
    }

    @Test("Q-12 Q-63 several inequality fields, with another field ordered first")
    func severalInequalities() throws {
        #expect(
            try database.names(#"c.where("key",">","a").where("sort","<",4).orderBy("v")"#) == "doc6 doc5 doc4 doc3")
    }

    @Test("Q-14 a limit of zero gives nothing, a negative one is refused")
    func limits() throws {
        #expect(try database.names("c.limit(0)") == "")
        #expect(try database.names("c.limit(99)") == "doc1 doc2 doc3 doc4 doc5 doc6")
        #expect(try database.refusal(.documents(.collection("c").with { $0.limit = -1 })) == "limit is negative")
    }

    @Test("Q-15 an offset skips rows after ordering and transaction, before the limit")
    func offsets() throws {
        #expect(try database.names(#"c.orderBy("v").startAt(1).offset(2).limit(2)"#) == "doc3 doc2")
        #expect(try database.names("c.offset(9)") == "")
        #expect(try database.refusal(.documents(.collection("c").with { $0.offset = -1 })) == "offset is negative")
    }

    @Test("Q-16 the last rows come in the query's own order, and need an order")
    func limitToLast() throws {
        #expect(try database.names(#"c.orderBy("v").limitToLast(2)"#) == "doc2 doc1")
        #expect(try database.names(#"c.orderBy("v","desc").limitToLast(2)"#) == "doc5 doc6")
        #expect(try database.names(#"c.orderBy("v").endBefore(4).limitToLast(2)"#) == "doc4 doc3")
        #expect(try database.names(#"c.orderBy("v").startAfter(3).limitToLast(9)"#) == "doc2 doc1")
        #expect(
            try database.refusal("c.limitToLast(2)")
                == "limit(toLast:) queries require specifying at least one OrderBy() clause.")
    }
}
