// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// AND, OR, lists, and their limits.
@Suite struct RulesDisjunctionTests {
    static let documents: [DocumentPath: Fields] = [
        "c/doc1": ["a": 1, "b": 0, "l": [1, 2]], "c/doc2": ["a": 2, "b": 1, "l": [2]],
        "c/doc3": ["a": 3, "b": 2, "l": [3]], "c/doc4": ["a": 1, "b": 3], "c/doc5": ["a": 1, "b": 1],
    ]
    private let database: RuleDatabase

    init() throws {
        database = try RuleDatabase(Self.documents)
    }

    private func list(_ count: Int) -> String { "[" + (1...count).map(String.init).joined(separator: ",") + "]" }

    @Test("Q-26 several where are ANDed; AND and OR nest")
    func nesting() throws {
        #expect(try database.names(#"c.where("a","==",1).where("b",">",0)"#) == "doc5 doc4")
        #expect(
            try database.names(#"c.where("a","==",1).where(or(where("b","==",0),where("b","==",3)))"#) == "doc1 doc4")
        #expect(
            try database.names(
                #"c.where(or(and(where("a","==",1),where("b","==",0)),and(where("a","==",3),or(where("b","==",2),where("b","==",9)))))"#
            ) == "doc1 doc3")
    }

    @Test("Q-27 an empty AND filters nothing, an empty OR is refused, one child is the child")
    func emptyComposites() throws {
        func query(_ filter: Filter) -> Query { .collection("c").with { $0.filter = filter } }
        #expect(try database.names(query(.and([]))) == "doc1 doc2 doc3 doc4 doc5")
        #expect(
            try database.refusal(.documents(query(.or([])))) == "Composite filter must have at least one sub-filter.")
        #expect(try database.names(query(.or([.and([.field("a", .equal, 2)])]))) == "doc2")
    }

    @Test("Q-28 Q-29 at most 30 disjuncts after normalization")
    func disjunctCount() throws {
        #expect(try database.names(#"c.where("a","in",\#(list(10))).where("b","in",[1,2,9])"#) == "doc2 doc3 doc5")
        #expect(
            try database.refusal(#"c.where("a","in",\#(list(5))).where("b","in",\#(list(10)))"#)
                == "Too many disjunctions after normalization. Result had 50 disjunctions which is more than the maximum "
                + "of 30")
        #expect(
            try database.names(#"c.where(or(where("a","in",\#(list(20))),where("b","in",\#(list(10)))))"#)
                == "doc1 doc2 doc3 doc4 doc5")
        #expect(try database.names(#"c.where("a","in",[3,4]).where("b","<",9)"#) == "doc3")
        #expect(try database.names(#"c.where("a","not-in",\#(list(2))).where("b","<",9)"#) == "doc3")
    }

    @Test("Q-30 list sizes")
    func listSizes() throws {
        #expect(try database.refusal(#"c.where("a","in",\#(list(31)))"#) == "'IN' supports up to 30 comparison values.")
        #expect(
            try database.refusal(#"c.where("a","not-in",\#(list(11)))"#)
                == "'NOT_IN' supports up to 10 comparison values.")
        #expect(
            try database.refusal(#"c.where("l","array-contains-any",\#(list(31)))"#)
                == "'ARRAY_CONTAINS_ANY' supports up to 30 comparison values.")
        #expect(try database.refusal(#"c.where("a","in",[])"#) == "'IN' requires an non-empty ArrayValue.")
        #expect(try database.refusal(#"c.where("a","in",1)"#) == "'IN' requires an ArrayValue.")
    }

    @Test("Q-31 Q-63 one membership filter a disjunct")
    func memberships() throws {
        let refusal = "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
        #expect(try database.refusal(#"c.where("l","array-contains",1).where("l","array-contains",2)"#) == refusal)
        #expect(
            try database.names(#"c.where(or(where("l","array-contains",1),where("l","array-contains-any",[2,3])))"#)
                == "doc1 doc2 doc3")
    }

    @Test("Q-32 Q-33 one negation a query, and not-in beside no disjunction")
    func negations() throws {
        #expect(
            try database.refusal(#"c.where("a","!=",1).where("b","!=",null)"#)
                == "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.")
        let refusal = "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
        #expect(try database.refusal(#"c.where("a","not-in",[1]).where("b","in",[1])"#) == refusal)
        #expect(try database.refusal(#"c.where(or(where("a","not-in",[1]),where("b","==",1)))"#) == refusal)
        #expect(try database.names(#"c.where(or(where("a","!=",1),where("b","==",0)))"#) == "doc1 doc2 doc3")
    }

    @Test("Q-34 at most ten inequality fields")
    func inequalityFields() throws {
        func text(_ count: Int) -> String { "c" + (0..<count).map { ".where(\"f\($0)\",\">\",0)" }.joined() }
        #expect(try database.refusal(text(10)) == nil)
        #expect(
            try database.refusal(text(11))
                == "The query contains 11 distinct inequality fields: [f8, f9, f6, f7, f4, f5, f2, f3, f0, f1, f10]. A "
                + "query may not have more than 10 distinct inequality fields.")
    }

    @Test("Q-35 at most 100 filters, orders and ancestor together")
    func components() throws {
        func query(_ count: Int) -> Query {
            .collection("c").with { query in
                query.filter = .and((0..<count).map { .field(FieldPath(name: Text("e\($0)")), .equal, 1) })
            }
        }
        #expect(try database.refusal(.documents(query(100))) == nil)
        #expect(
            try database.refusal(.documents(query(101)))
                == "The query may not have more than 100 filters + sort orders + ancestor total. Currently there are 101 "
                + "filters, 0 sort orders, and no ancestor filter.")
        #expect(try database.refusal(.documents(query(100).with { $0.parent = "c/doc1" })) != nil)
    }

    @Test("Q-36 Q-64 several comparisons and several lists on one field intersect; a contradiction is empty")
    func intersections() throws {
        #expect(try database.names(#"c.where("a",">",1).where("a","<=",2)"#) == "doc2")
        #expect(try database.names(#"c.where("a",">",5).where("a","<",3)"#) == "")
        #expect(try database.names(#"c.where("a","==",1).where("a","==",2)"#) == "")
        #expect(try database.names(#"c.where("a","in",[1,2,3]).where("a","in",[0,1,4])"#) == "doc1 doc4 doc5")
        #expect(try database.names(#"c.where("a","in",[2,3]).where("l","array-contains-any",[2,9])"#) == "doc2")
    }

    @Test("Q-37 an OR gives each document once, in the query's one order, then offset and limit")
    func unions() throws {
        #expect(try database.names(#"c.where(or(where("a","==",1),where("b","==",1)))"#) == "doc1 doc2 doc4 doc5")
        #expect(
            try database.names(
                #"c.where(or(where("a","==",1),where("b",">",0))).orderBy("b","desc").offset(1).limit(3)"#)
                == "doc3 doc5 doc2")
        #expect(try database.names(#"c.where(or(where("a","==",2),where("b","==",1))).limit(1)"#) == "doc2")
    }

    @Test("Q-39 arrays are operands like others, but no elements of array-contains-any")
    func arrayOperands() throws {
        #expect(try database.names(#"c.where("l","==",[2])"#) == "doc2")
        #expect(try database.names(#"c.where("l","!=",[2])"#) == "doc1 doc3")
        #expect(try database.names(#"c.where("l",">",[1])"#) == "doc1 doc2 doc3")
        #expect(try database.names(#"c.where("l","in",[[2],[1,2]])"#) == "doc1 doc2")
        #expect(try database.names(#"c.where("l","array-contains-any",[[2],3])"#) == "doc3")
    }

    @Test("Q-47 Q-48 the first failure wins, and each is an INVALID_ARGUMENT")
    func firstFailure() throws {
        #expect(
            try database.refusal(#"c.where("a","in",[]).where("a","!=",1).where("b","!=",1)"#)?.contains("non-empty")
                == true)
        do throws(QueryError) {
            _ = try database.engine.run(.collection("c").with { $0.filter = .or([]) })
            Issue.record("an empty OR is answered")
        } catch {
            guard case .planning(.invalid(let error)) = error else { throw error }
            #expect(error.status == .invalidArgument)
        }
    }
}
