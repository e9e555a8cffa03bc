// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

@Suite struct RulesCursorTests {
    static let documents: [DocumentPath: Fields] = [
        "c/a": ["x": 1, "y": 1], "c/b": ["x": 1, "y": 2], "c/d": ["x": 2, "y": 1], "c/e": ["x": 2, "y": 2],
        "c/f": ["x": "s", "y": 1], "c/g": ["x": nil, "y": 1], "c/b/c/z": ["x": 2, "y": 1],
    ]
    private let database: RuleDatabase

    init() throws {
        database = try RuleDatabase(Self.documents)
    }

    @Test("Q-17 the four kinds of cursor")
    func kinds() throws {
        #expect(try database.names(#"c.orderBy("x").startAt(2)"#) == "d e f")
        #expect(try database.names(#"c.orderBy("x").startAfter(2)"#) == "f")
        #expect(try database.names(#"c.orderBy("x").endAt(2)"#) == "g a b d e")
        #expect(try database.names(#"c.orderBy("x").endBefore(2)"#) == "g a b")
        #expect(try database.names(#"c.orderBy("x","desc").startAfter(2).endAt(1)"#) == "b a")
    }

    @Test("Q-18 fewer values than orders stand for every row that begins with them, none for every row")
    func prefixes() throws {
        let orders = #"c.orderBy("x").orderBy("y","desc")"#
        #expect(try database.names(orders + ".startAt(1)") == "b a e d f")
        #expect(try database.names(orders + ".startAfter(1)") == "e d f")
        #expect(try database.names(orders + ".startAt(1,1).endAt(2,2)") == "a e")
        #expect(try database.names(orders + ".startAfter(1,2).endBefore(2,1)") == "a e")
        let open = Query.collection("c").with {
            $0.orders = [Order("x")]
            $0.start = Cursor([], before: true)
            $0.end = Cursor([], before: false)
        }
        #expect(try database.names(open) == "g a b d e f")
    }

    @Test("Q-19 values for explicit orders only")
    func arity() throws {
        let tooMany = "Cursor has too many values."
        #expect(try database.refusal(#"c.orderBy("x").startAt(1,"a")"#) == tooMany)
        #expect(try database.refusal(#"c.where("x",">",1).startAt(1)"#) == tooMany)
    }

    @Test("Q-20 a value of another type stands before or after all of the field's")
    func otherTypes() throws {
        #expect(try database.names(#"c.orderBy("y").startAt("s")"#) == "")
        #expect(try database.names(#"c.orderBy("y").startAt(null).limit(2)"#) == "a d")
        #expect(try database.names(#"c.orderBy("x").startAfter(true)"#) == "a b d e f")
        #expect(try database.names(#"c.orderBy("x").endBefore("")"#) == "g a b d e")
    }

    @Test("Q-21 Q-22 a place among names is a reference to any document of the database")
    func names() throws {
        #expect(try database.names(#"c.orderBy("__name__").startAfter("b").endAt("e")"#) == "d e")
        let references: [(Text, String)] = [
            ("c/bb", "d e f g"), ("b/z", "a b d e f g"), ("d/a", ""), ("c/b/c/z", "d e f g"),
        ]
        for (path, expected) in references {
            let segments = path.string.split(separator: "/").map { Text(String($0)) }
            let reference = Reference(database: database.engine.database, path: ResourcePath(segments: segments))
            let query = Query.collection("c").with {
                $0.orders = [Order(.documentName)]
                $0.start = Cursor([.reference(reference)], before: true)
            }
            #expect(try database.names(query) == expected, "\(path)")
        }
        let text = Query.collection("c").with {
            $0.orders = [Order(.documentName)]
            $0.start = Cursor(["b"], before: true)
        }
        #expect(try database.refusal(.documents(text)) == "Cursor __key__ value is not a document reference.")
    }

    @Test("Q-23 a document's whole place, its name last, tells it from its equals")
    func wholePlaces() throws {
        let end = Query.collection("c").with {
            $0.filter = .field("x", .lessThanOrEqual, 3)
            $0.orders = [Order("x"), Order(.documentName)]
        }
        func place(_ id: Text) -> Cursor {
            let reference = Reference(database: database.engine.database, path: ResourcePath(segments: ["c", id]))
            return Cursor([2, .reference(reference)], before: false)
        }
        #expect(try database.names(end.with { $0.start = place("d") }) == "e")
        #expect(try database.names(end.with { $0.end = place("d") }) == "a b d")
        #expect(try database.names(end.with { $0.end = Cursor([7], before: true) }) == "a b d e")
    }

    @Test("Q-25 transaction never widen a filter")
    func cursorsAndFilters() throws {
        #expect(try database.names(#"c.where("x",">=",2).orderBy("x").startAt(1)"#) == "d e")
        #expect(try database.names(#"c.where("x",">=",1).orderBy("x").startAfter(1).endAt(9)"#) == "d e")
        #expect(try database.names(#"c.where("x","==",2).orderBy("x").startAfter(2)"#) == "")
    }
}
