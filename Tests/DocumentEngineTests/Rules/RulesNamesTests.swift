// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// Long values, and names as orders, filters and scopes.
@Suite struct RulesNamesTests {
    @Test("V-22 values that agree in their first 1,500 bytes still match and sort exactly")
    func longValues() throws {
        let beginning = String(repeating: "x", count: 1_600)
        let database = try RuleDatabase(values: [
            "d": .string(Text(beginning + "a")), "c": .string(Text(beginning + "b")), "b": .string(Text(beginning)),
            "a": .string(Text(beginning + "c")),
        ])
        #expect(try database.names(#"c.orderBy("v")"#) == "b d c a")
        #expect(try database.names("c.where(\"v\",\">\",\"\(beginning)a\")") == "c a")
        #expect(try database.names("c.where(\"v\",\"!=\",\"\(beginning)b\")") == "b d a")
        #expect(
            try database.refusal("c.where(\"v\",\"==\",\"\(beginning)a\")")
                == "value for v is too large to be used in a query")
    }

    @Test("V-23 names sort by collection and ID in turn")
    func pathsInOrder() throws {
        let database = try RuleDatabase(["c/b": [:], "c/a/c/z": [:], "c/a": [:], "c/a!": [:], "b/z/c/a": [:]])
        #expect(try database.paths(.collectionGroup("c")) == "b/z/c/a c/a c/a/c/z c/a! c/b")
    }

    @Test("V-24 numeric IDs come first, as numbers; the rest sort by bytes")
    func numericIDs() throws {
        let database = try RuleDatabase([
            "c/a": [:], "c/__id12__": [:], "c/B": [:], "c/__id7__": [:], "c/__id-5__": [:], "c/12": [:], "c/😀": [:],
            "c/\u{FF30}": [:],
        ])
        #expect(try database.names("c") == "__id-5__ __id7__ __id12__ 12 B a \u{FF30} 😀")
    }

    static let documents: [DocumentPath: Fields] = [
        "c/a": ["n": 3], "c/b": ["n": 2], "c/d": ["n": 1], "c/b/c/e": ["n": 5], "o/x/c/f": ["n": 4], "o/x": [:],
    ]

    @Test("Q-2 a selector reads one collection, or a group at any depth")
    func selectors() throws {
        let database = try RuleDatabase(Self.documents)
        #expect(try database.names("c") == "a b d")
        #expect(try database.paths(.collectionGroup("c")) == "c/a c/b c/b/c/e c/d o/x/c/f")
        #expect(try database.paths(.collection("c").with { $0.parent = "c/b" }) == "c/b/c/e")
        #expect(try database.names(#"collectionGroup("c").orderBy("n")"#) == "d b a f e")
    }

    @Test("Q-40 every comparison of names, and no array operator")
    func nameFilters() throws {
        let database = try RuleDatabase(Self.documents)
        #expect(try database.names(#"c.where("__name__","==","b")"#) == "b")
        #expect(try database.names(#"c.where("__name__","in",["d","a","zz"])"#) == "a d")
        #expect(try database.names(#"c.where("__name__",">","a").where("__name__","<=","d")"#) == "b d")
        #expect(try database.names(#"c.where("__name__","!=","b")"#) == "a d")
        #expect(try database.names(#"c.where("__name__","not-in",["a","b"])"#) == "d")
        let wrong = Query.collection("c").with { $0.filter = .field(.documentName, .equal, "b") }
        #expect(try database.refusal(.documents(wrong)) == "__key__ filter value must be a Key")
        let array = Query.collection("c").with { $0.filter = .field(.documentName, .arrayContains, "b") }
        #expect(try database.refusal(.documents(array)) == "the name __key__ is reserved")
    }

    @Test("Q-41 a plain ID names a document of the collection, a path one of the group")
    func nameOperands() throws {
        let database = try RuleDatabase(Self.documents)
        #expect(try database.names(#"collectionGroup("c").where("__name__",">=","c/b/c/e")"#) == "e d f")
        #expect(throws: QueryTextError.self) { try database.names(#"c.where("__name__","==","a/b/c")"#) }
        #expect(throws: QueryTextError.self) { try database.names(#"collectionGroup("c").where("__name__","==","a")"#) }
    }

    @Test("Q-42 a name cannot be compared with == beside an inequality, unless names are compared so too")
    func nameEqualityAndInequality() throws {
        let database = try RuleDatabase(Self.documents)
        #expect(
            try database.refusal(#"c.where("__name__","==","b").where("n",">",1)"#)
                == "Equality on key is not allowed if there are other inequality fields and key does not appear in "
                + "inequalities.")
        #expect(try database.names(#"c.where("__name__","==","b").where("__name__",">","a").where("n",">",1)"#) == "b")
    }

    @Test("Q-43 an inequality on names stays last in the order")
    func nameInequalityWithOthers() throws {
        let database = try RuleDatabase([
            "c/doc1": ["key": "c", "sort": 1], "c/doc2": ["key": "b", "sort": 2], "c/doc3": ["key": "b", "sort": 1],
            "c/doc5": ["key": "b", "sort": 1], "c/doc0": ["key": "a", "sort": 9],
        ])
        #expect(
            try database.names(#"c.where("sort",">=",1).where("key","!=","a").where("__name__","<","doc5")"#)
                == "doc3 doc2 doc1")
    }

    @Test("Q-44 without a collection ID names may be asked for, ascending, and nothing else")
    func kindless() throws {
        let database = try RuleDatabase(Self.documents)
        let children = Query(from: CollectionSelector(collectionID: nil))
        #expect(try database.paths(children) == "c/a c/b c/d o/x")
        let all = Query(from: CollectionSelector(collectionID: nil, allDescendants: true))
        #expect(try database.paths(all) == "c/a c/b c/b/c/e c/d o/x o/x/c/f")
        #expect(try database.paths(all.with { $0.parent = "o/x" }) == "o/x/c/f")
        #expect(
            try database.refusal(.documents(all.with { $0.filter = .field("n", .equal, 1) }))
                == "kind is required for filter: n")
        for order in [Order("n"), Order(.documentName, .descending)] {
            #expect(
                try database.refusal(.documents(all.with { $0.orders = [order] }))
                    == "kind is required for all orders except __key__ ascending")
        }
    }

    @Test("Q-49 a group under a parent has the parent's descendants only")
    func groupsUnderAParent() throws {
        let database = try RuleDatabase(Self.documents)
        #expect(try database.paths(.collectionGroup("c").with { $0.parent = "c/b" }) == "c/b/c/e")
        #expect(try database.paths(.collectionGroup("c").with { $0.parent = "c/nobody" }) == "")
    }

    @Test("Q-50 Q-51 a projection keeps the named fields and no others, an empty one none")
    func projections() throws {
        let database = try RuleDatabase(["c/a": ["m": ["x": 1, "y": 2], "n": 3, "s": "t"]])
        func fields(_ paths: [FieldPath]?) throws -> Fields {
            try database.documents(.collection("c").with { $0.projection = paths })[0].fields
        }
        #expect(try fields(["m.y", "n", .documentName]) == ["m": ["y": 2], "n": 3])
        #expect(try fields(["m.x", "m"]) == ["m": ["x": 1, "y": 2]])
        #expect(try fields(["absent", "s.x"]) == [:])
        #expect(try fields([.documentName]) == [:])
        #expect(try fields([]) == [:])
        #expect(try fields(nil) == ["m": ["x": 1, "y": 2], "n": 3, "s": "t"])
    }
}
