// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// How languages declare what queries are built of, and lines that are for the compiler.
@Suite struct DeclarationTests {
    @Test func conditionalLinesOfSwift() {
        expect(
            """
            #if canImport(FirebaseFirestore)
            import FirebaseFirestore
            #endif
            final class Store {
                func load() async throws {
                    #if DEBUG
                    print("x")
                    #endif
                    db.collection("a").whereField("b", isEqualTo: 1).getDocuments { _, _ in }
                    #if targetEnvironment(simulator) // here, too
                    db.collection("c").whereField("d", isEqualTo: 1).getDocuments { _, _ in }
                    #elseif os(iOS)
                    db.collection("e").whereField("f", isEqualTo: 1).getDocuments { _, _ in }
                    #else
                    db.collection("g").whereField("h", isEqualTo: 1).getDocuments { _, _ in }
                    #endif
                    let found = try await db.collection("i")
                        #if DEBUG
                        .limit(to: 3)
                        #endif
                        .getDocuments()
                }
            }
            """, "Store.swift",
            [
                "9 a.where(\"b\",\"==\",1)", "11 c.where(\"d\",\"==\",1)", "13 e.where(\"f\",\"==\",1)",
                "15 g.where(\"h\",\"==\",1)", "17 i", "17 i.limit(3)",
            ])
    }

    /// What stands behind a way that returns is read, and only one of the ways runs.
    @Test func waysOfConditionalLines() {
        expect(
            """
            import FirebaseFirestore
            func first() async throws -> [City] {
            #if DEBUG
              return City.samples
            #endif
              return try await db.collection("a").order(by: "z").getDocuments()
            }
            func second() {
              #if targetEnvironment(simulator)
              return
              #else
              db.collection("b").order(by: "z").getDocuments { _, _ in }
              #endif
            }
            func third() {
              #if DEBUG // here, too
              #else
              #endif
              #if DEBUG
              #if os(iOS)
              let name = "c"
              #else
              let name = "d"
              #endif
              #else
              let name = "e"
              #endif
              db.collection(name).getDocuments { _, _ in }
            }
            func fourth() {
              var query = db.collection("f").limit(to: 1)
              #if DEBUG
              query = query.order(by: "x")
              #else
              query = query.order(by: "y")
              #endif
              query.getDocuments { _, _ in }
            }
            """, "Store.swift",
            [
                "6 a.orderBy(\"z\")", "12 b.orderBy(\"z\")", "28 c", "28 d", "28 e",
                "31 f.limit(1).orderBy(\"x\")", "31 f.limit(1).orderBy(\"y\")",
            ])
    }

    @Test func valuesInConditionalLines() {
        expect(
            """
            import FirebaseFirestore
            enum Names: String {
                #if DEBUG
                case users = "du"
                #else
                case users = "u"
                #endif
                case posts
            }
            enum Paths {
                #if DEBUG
                static let rooms = "dr"
                #elseif os(iOS)
                #if FULL
                static let rooms = "ir"
                #endif
                #else
                static let rooms = "r"
                static let more = "m"
                #endif
            }
            #if DEBUG
            let top = "dt"
            #else
            let top = "t"
            #endif
            class Store {
                #if DEBUG
                private let name = "da", other = "do"
                #else
                private let name = "a", other = "o"
                #endif
                let col = Firestore.firestore()
                    #if DEBUG
                    .collection("dc")
                    #else
                    .collection("c")
                    #endif
                func load() {
                    db.collection(Names.users.rawValue).order(by: "x").getDocuments { _, _ in }
                    db.collection(Names.posts.rawValue).order(by: Paths.more).getDocuments { _, _ in }
                    db.collection(Paths.rooms).order(by: "x").getDocuments { _, _ in }
                    db.collection(top).order(by: "x").getDocuments { _, _ in }
                    db.collection(name).order(by: other).getDocuments { _, _ in }
                    col.order(by: "x").getDocuments { _, _ in }
                }
            }
            """, "Store.swift",
            [
                "40 du.orderBy(\"x\")", "40 u.orderBy(\"x\")", "41 posts.orderBy(\"m\")", "42 dr.orderBy(\"x\")",
                "42 ir.orderBy(\"x\")", "42 r.orderBy(\"x\")", "43 dt.orderBy(\"x\")", "43 t.orderBy(\"x\")",
                "44 a.orderBy(\"o\")", "44 da.orderBy(\"do\")", "45 c.orderBy(\"x\")", "45 dc.orderBy(\"x\")",
            ])
    }

    /// Members that make no query are read as before, and nothing is lost in them.
    @Test func otherMembersInConditionalLines() {
        expect(
            """
            struct Page: View {
                var body: some View {
                    List(users) { Text($0.name) }
                        #if os(iOS)
                        .onAppear { db.collection("a").order(by: "x").getDocuments { _, _ in } }
                        #else
                        .onTap { db.collection("b").order(by: "x").getDocuments { _, _ in } }
                        #endif
                        .task { db.collection("c").order(by: "x").getDocuments { _, _ in } }
                }
            }
            """, "Page.swift", ["5 a.orderBy(\"x\")", "7 b.orderBy(\"x\")", "9 c.orderBy(\"x\")"])
    }

    @Test func propertiesWithoutAValueOfSwift() {
        expect(
            """
            import FirebaseFirestore
            class Page: UIViewController {
                private var listener: ListenerRegistration?
                private let a = Firestore.firestore().collection("a")
                @IBOutlet weak var label: UILabel!

                // The second.
                let b = Firestore.firestore().collection("b")
                var done: (() -> Void)?
                private lazy var c = Firestore.firestore().collection("c")
                var names: [String]?
                var box: Box<Int>
                @objc var d: Query? = Firestore.firestore().collection("d")
                func load() {
                    var error: Error?
                    let e = Firestore.firestore().collection("e")
                    a.whereField("x", isEqualTo: 1).getDocuments { _, _ in }
                    b.whereField("x", isEqualTo: 1).getDocuments { _, _ in }
                    c.whereField("x", isEqualTo: 1).getDocuments { _, _ in }
                    d?.whereField("x", isEqualTo: 1).getDocuments { _, _ in }
                    e.whereField("x", isEqualTo: 1).getDocuments { _, _ in }
                }
                func show() { listener?.show(self) }
            }
            """, "Page.swift",
            [
                "17 a.where(\"x\",\"==\",1)", "18 b.where(\"x\",\"==\",1)", "19 c.where(\"x\",\"==\",1)",
                "20 d.where(\"x\",\"==\",1)", "21 e.where(\"x\",\"==\",1)",
            ])
    }

    @Test func propertiesWithoutAValueOfKotlin() {
        expect(
            """
            import com.google.firebase.firestore.*
            class Page : Fragment() {
                private lateinit var adapter: Adapter<Item>
                private val a = Firebase.firestore.collection("a")
                var listener: ListenerRegistration?
                val b = Firebase.firestore.collection("b")
                var done: ((Int) -> Unit)?
                private val c = Firebase.firestore.collection("c")
                fun load() {
                    a.whereEqualTo("x", 1).get()
                    b.whereEqualTo("x", 1).get()
                    c.whereEqualTo("x", 1).get()
                }
            }
            """, "Page.kt",
            ["10 a.where(\"x\",\"==\",1)", "11 b.where(\"x\",\"==\",1)", "12 c.where(\"x\",\"==\",1)"])
    }

    @Test func casesOfSwiftThatAreTexts() {
        expect(
            """
            import FirebaseFirestore
            enum Names: String, CaseIterable {
                case users, posts = "p"
                case rooms
                enum Kind { case open }
                var path: String { switch self { case .users: return "u"; default: return "v" } }
            }
            func load() {
                db.collection(Names.users.rawValue).whereField(Names.rooms.rawValue, isEqualTo: 1).getDocuments { _, _ in }
                db.collection(Names.posts.rawValue).whereField("x", isEqualTo: 1).getDocuments { _, _ in }
            }
            """, "Store.swift",
            ["9 users.where(\"rooms\",\"==\",1)", "10 p.where(\"x\",\"==\",1)"])
    }

    @Test func casesOfKotlinWithMembers() {
        expect(
            """
            import com.google.firebase.firestore.*
            enum class Names(val path: String, val order: String = "") {
                USERS("u", "name"),
                @Deprecated("no") POSTS(path = "p") { override fun go() = 1 },
                rooms;

                fun go() = 0
            }
            fun load() {
                db.collection(Names.USERS.path).orderBy(Names.USERS.order).get()
                db.collection(Names.POSTS.path).whereEqualTo("x", 1).get()
                db.collection(Names.rooms.name).whereEqualTo("x", 1).get()
            }
            """, "Store.kt",
            ["10 u.orderBy(\"name\")", "11 p.where(\"x\",\"==\",1)", "12 rooms.where(\"x\",\"==\",1)"])
    }

    @Test func gettersWithoutATypeOfKotlin() {
        expect(
            """
            import com.google.firebase.firestore.*
            class Store {
                val users get() = db.collection("u")
                fun load() { users.whereEqualTo("a", 1).get() }
            }
            """, "Store.kt", ["4 u.where(\"a\",\"==\",1)"])
    }

    @Test func propertiesOfPython() {
        expect(
            """
            from google.cloud import firestore
            class Store:
                @property
                def users(self):
                    return db.collection("u")
                @users.setter
                def users(self, value):
                    raise AttributeError()
                @functools.cached_property
                def rooms(self): return db.collection("r")
                def load(self):
                    self.users.where("a", "==", 1).get()
                    self.rooms.where("a", "==", 1).get()
            """, "store.py", ["12 u.where(\"a\",\"==\",1)", "13 r.where(\"a\",\"==\",1)"])
    }

    @Test func variablesWithATypeOfGo() {
        expect(
            """
            import "cloud.google.com/go/firestore"
            func find() {
                var q firestore.Query = client.Collection("a").Where("b", "==", 1)
                var (
                    r firestore.Query = client.Collection("c").Where("d", "==", 1)
                )
                *p = 1
                q.OrderBy("e", firestore.Asc).Documents(ctx)
                r.OrderBy("e", firestore.Desc).Documents(ctx)
            }
            """, "find.go",
            [
                "3 a.where(\"b\",\"==\",1).orderBy(\"e\")", "5 c.where(\"d\",\"==\",1).orderBy(\"e\",\"desc\")",
            ])
    }

    @Test func namesOfOtherFilesOfJavaScript() {
        expect(
            """
            const { USERS, rooms: ROOMS } = require('./names');
            const { POSTS } = require('./names').all;
            const { getFirestore } = require('firebase-admin/firestore');
            const db = getFirestore();
            db.collection(USERS).where('a', '==', 1).get();
            db.collection(ROOMS).where('a', '==', 1).get();
            db.collection(POSTS).where('a', '==', 1).get();
            """, "names.js",
            [
                "5 unresolved: its collection is 'USERS', which this file does not define",
                "6 unresolved: its collection is 'ROOMS', which this file does not define",
                "7 unresolved: its collection is 'POSTS', which this file does not define",
            ])
    }
}
