// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

@Suite struct SwiftTests {
    static let cases: [SourceCase] = [
        SourceCase(
            "variables without a value",
            """
            class Store {
                var first: Query?
                let second: Query
                private var third: Query? { didSet { reload() } }
                func load() {
                    first?.order(by: "b2").getDocuments { _, _ in }
                    second.order(by: "d2").getDocuments { _, _ in }
                    third?.order(by: "f2").getDocuments { _, _ in }
                }
                init(x: Bool) {
                    first = db.collection("a").whereField("b", isEqualTo: 1)
                    let query: Query
                    if x { query = db.collection("c").whereField("d", isEqualTo: 1) } else { query = db.collection("e") }
                    second = query
                    third = db.collection("f").whereField("g", isEqualTo: 1)
                }
            }
            """,
            [
                "6 a.where(\"b\",\"==\",1).orderBy(\"b2\")", "7 c.where(\"d\",\"==\",1).orderBy(\"d2\")",
                "7 e.orderBy(\"d2\")", "8 f.where(\"g\",\"==\",1).orderBy(\"f2\")",
            ]),
        SourceCase(
            "chain",
            """
            let query = Firestore.firestore().collection("cities")
                .whereField("state", isEqualTo: "CA")
                .whereField("population", isGreaterThan: minimum)
                .order(by: "population", descending: true)
                .limit(to: 3)
            query.getDocuments { snapshot, error in print(snapshot?.documents ?? []) }
            """,
            [
                "1 cities.where(\"state\",\"==\",\"CA\").where(\"population\",\">\",?).orderBy(\"population\",\"desc\").limit(3)"
            ]),
        SourceCase(
            "properties, steps and listeners",
            """
            final class Store: ObservableObject {
                private let db = Firestore.firestore()
                private var users: CollectionReference { db.collection("users") }
                func listen(_ team: String?, uid: String) {
                    var query: Query = users.document(uid).collection("tasks")
                    if let team {
                        query = query.whereField("team", isEqualTo: team)
                    }
                    listener = query.order(by: "due").addSnapshotListener { [weak self] snapshot, _ in
                        guard let snapshot else { return }
                        self?.tasks = snapshot.documents.compactMap { try? $0.data(as: Task.self) }
                    }
                }
            }
            """,
            [
                "7 collection(\"users/?/tasks\").orderBy(\"due\")",
                "7 collection(\"users/?/tasks\").where(\"team\",\"==\",?).orderBy(\"due\")",
            ]),
        SourceCase(
            "filters, groups and aggregations",
            #"""
            let path = "users/\(uid)/posts"
            let a = try await db.collection(path).whereFilter(Filter.orFilter([
                Filter.whereField("a", isEqualTo: 1),
                Filter.andFilter([Filter.whereField("b", isGreaterThan: 2), Filter.whereField("c", in: ["x", "y"])]),
            ])).getDocuments()
            let n = try await db.collectionGroup("landmarks").whereField("tags", arrayContains: "sea").count.getAggregation(source: .server)
            let s = db.collection("sums").aggregate([AggregateField.sum("n"), AggregateField.average("n")])
            let names = db.collection("a").whereField(FieldPath.documentID(), in: ids).limit(toLast: 2)
            """#,
            [
                "2 collection(\"users/?/posts\").where(or(where(\"a\",\"==\",1),and(where(\"b\",\">\",2),where(\"c\",\"in\",[\"x\",\"y\"]))))",
                "6 collectionGroup(\"landmarks\").where(\"tags\",\"array-contains\",\"sea\")",
                "7 sums.aggregate(sum(\"n\"),average(\"n\"))",
                "8 a.where(documentId(),\"in\",?).limitToLast(2)",
            ]),
        SourceCase(
            "cursors and directions",
            """
            enum Names { static let rooms = "rooms" }
            func page(after last: DocumentSnapshot?, down: Bool) -> Query {
                let query = Firestore.firestore().collection(Names.rooms).order(by: "name", descending: down)
                guard let last else { return query }
                return query.start(afterDocument: last)
            }
            """,
            [
                "3 rooms.orderBy(\"name\")", "3 rooms.orderBy(\"name\",\"desc\")",
            ]),
        SourceCase(
            "the property wrapper",
            """
            struct List: View {
                @FirestoreQuery(collectionPath: "fruits", predicates: [.whereField("fresh", isEqualTo: true), .order(by: "name")])
                private var fruits: [Fruit]
            }
            """, ["2 fruits.where(\"fresh\",\"==\",true).orderBy(\"name\")"]),
        SourceCase(
            "the predicates of the property wrapper",
            """
            struct List: View {
                @FirestoreQuery(collectionPath: "c", predicates: [.where("fav", isEqualTo: true), .order(by: "name", descending: true), .limit(to: 3)])
                var fruits: [Fruit]
                @FirestoreQuery(collectionPath: "d", predicates: [.isEqualTo("a", 1), .orderBy("b", true), .limitTo(3)]) var others: [Fruit]
            }
            """,
            [
                "2 c.where(\"fav\",\"==\",true).orderBy(\"name\",\"desc\").limit(3)",
                "4 d.where(\"a\",\"==\",1).orderBy(\"b\",\"desc\").limit(3)",
            ]),
        SourceCase(
            "an optional collection",
            """
            import FirebaseFirestore
            class Store {
                var col: CollectionReference? {
                    guard let u = uid else { return nil }
                    return db.collection("users").document(u).collection("notes")
                }
                func listen() {
                    guard let col = col else { return }
                    l = col.order(by: "t").addSnapshotListener { _, _ in }
                }
                func load() {
                    col?.whereField("a", isEqualTo: 1).order(by: "t").getDocuments { _, _ in }
                    if let c = self.col { c.whereField("b", isEqualTo: 1).getDocuments { _, _ in } }
                }
            }
            """,
            [
                "9 collection(\"users/?/notes\").orderBy(\"t\")",
                "12 collection(\"users/?/notes\").where(\"a\",\"==\",1).orderBy(\"t\")",
                "13 collection(\"users/?/notes\").where(\"b\",\"==\",1)",
            ]),
        SourceCase(
            "a function of the file",
            """
            private func tasks(of team: String) -> CollectionReference { Firestore.firestore().collection("teams").document(team).collection("tasks") }
            func open(_ team: String) async throws { _ = try await tasks(of: team).whereField("open", isEqualTo: true).getDocuments() }
            """, ["2 collection(\"teams/?/tasks\").where(\"open\",\"==\",true)"]),
        SourceCase(
            "a query from elsewhere",
            "import FirebaseFirestore\nfunc f(_ query: Query) { query.whereField(\"a\", isEqualTo: 1).getDocuments() }",
            ["2 unresolved: its collection is the parameter 'query'"]),
        SourceCase(
            "an extension's call", "db.collection(\"a\").whereField(\"b\", isEqualTo: 1).active().getDocuments()",
            [
                "1 unresolved: 'active' is no call of a library for Firestore"
            ]),
    ]

    @Test(arguments: cases) func sitesOfCases(_ one: SourceCase) {
        expect(one.source, "Sources/App.swift", one.sites)
    }
}
