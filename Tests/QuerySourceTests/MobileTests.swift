// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Kotlin, Java and Dart.
@Suite struct MobileTests {
    static let kotlin: [SourceCase] = [
        SourceCase(
            "methods of others, and the object of a block",
            """
            import com.google.firebase.firestore.*
            fun a() = db.collection("N").active().orderBy("b").get()
            fun b() { with(db.collection("K")) { whereEqualTo("a", 1).orderBy("b").get() } }
            fun c() { with(db.collection("L")) { orderBy("b").get() } }
            fun d() { db.collection("M").add(user) }
            fun e() { db.collection("O").log() }
            """,
            [
                "2 unresolved: 'active' is no call of a library for Firestore",
                "3 unresolved: its collection is the object of the block around it",
                "4 unresolved: its collection is the object of the block around it",
            ]),
        SourceCase(
            "a field that is set late",
            """
            class Main : Activity() {
                private lateinit var query: Query
                private var other: Query? = null
                fun load() { query.orderBy("b2").get() }
                fun loadOther() { other?.orderBy("d2")?.get() }
                override fun onCreate(state: Bundle?) { query = db.collection("a").whereEqualTo("b", 1) }
                fun set() { other = db.collection("c").whereEqualTo("d", 1) }
            }
            """,
            ["4 a.where(\"b\",\"==\",1).orderBy(\"b2\")", "5 c.where(\"d\",\"==\",1).orderBy(\"d2\")"]),
        SourceCase(
            "chain",
            """
            val query = Firebase.firestore.collection("restaurants")
                .whereEqualTo("category", category)
                .orderBy("rating", Query.Direction.DESCENDING)
                .limit(LIMIT.toLong())
            query.get().addOnSuccessListener { documents -> show(documents) }
            """, ["1 restaurants.where(\"category\",\"==\",?).orderBy(\"rating\",\"desc\").limit(?)"]),
        SourceCase(
            "class, templates, when",
            """
            class Repository @Inject constructor(private val db: FirebaseFirestore) {
                private val users by lazy { db.collection("users") }
                val active: Query get() = users.whereEqualTo("active", true)
                fun tasks(uid: String, sort: Sort): Flow<List<Task>> {
                    var query: Query = db.collection("users/$uid/${TASKS}")
                    query = when (sort) {
                        Sort.NAME -> query.orderBy("name")
                        else -> query.orderBy("due", Query.Direction.ASCENDING)
                    }
                    return query.whereArrayContainsAny("tags", listOf("a", "b")).snapshots().map { it.toObjects() }
                }
                suspend fun count() = active.count().get(AggregateSource.SERVER).await()
                companion object { private const val TASKS = "tasks" }
            }
            """,
            [
                "7 collection(\"users/?/tasks\").orderBy(\"due\").where(\"tags\",\"array-contains-any\",[\"a\",\"b\"])",
                "7 collection(\"users/?/tasks\").orderBy(\"name\").where(\"tags\",\"array-contains-any\",[\"a\",\"b\"])",
                "12 users.where(\"active\",\"==\",true).count()",
            ]),
        SourceCase(
            "filters",
            """
            db.collectionGroup("landmarks").where(Filter.or(Filter.equalTo("a", 1), Filter.and(Filter.greaterThan("b", 2), Filter.inArray("c", list)))).get()
            """,
            [
                "1 collectionGroup(\"landmarks\").where(or(where(\"a\",\"==\",1),and(where(\"b\",\">\",2),where(\"c\",\"in\",?))))"
            ]),
    ]

    static let java: [SourceCase] = [
        SourceCase(
            "fields that are declared without a value",
            """
            class Main extends Activity {
                private FirebaseFirestore mFirestore;
                private Query mQuery, mOther;
                private Query mUnknown;
                void load() {
                    mQuery.orderBy("b2").get();
                    mUnknown.orderBy("b").limit(3).get();
                }
                protected void onCreate(Bundle state) {
                    mFirestore = FirebaseFirestore.getInstance();
                    mQuery = mFirestore.collection("a").whereEqualTo("b", 1);
                }
                void both() {
                    mOther = mFirestore.collection("c").whereEqualTo("d", 1);
                    mOther.orderBy("e").get();
                    mOther = mFirestore.collection("f").whereEqualTo("g", 1);
                    if (x) { mOther = mOther.orderBy("h"); }
                    mOther.get();
                }
                void more() { mQuery = mQuery.whereEqualTo("more", true); }
            }
            """,
            [
                "6 a.where(\"b\",\"==\",1).orderBy(\"b2\")",
                "6 a.where(\"b\",\"==\",1).where(\"more\",\"==\",true).orderBy(\"b2\")",
                "7 unresolved: its collection is 'mUnknown', which this file does not set",
                "14 c.where(\"d\",\"==\",1).orderBy(\"e\")", "16 f.where(\"g\",\"==\",1)",
                "16 f.where(\"g\",\"==\",1).orderBy(\"h\")",
            ]),
        SourceCase(
            "conditions that exclude each other",
            """
            Query q = db.collection("a");
            if (sort.equals("old")) { q = q.orderBy("created"); }
            if ("new".equals(sort)) { q = q.orderBy("edited"); }
            if (mode == Mode.OPEN) { q = q.whereEqualTo("b", 1); }
            if (mode == Mode.SHUT) { q = q.whereEqualTo("c", 1); }
            q.get();
            """,
            [
                "2 a",
                "2 a.orderBy(\"created\")",
                "2 a.orderBy(\"created\").where(\"b\",\"==\",1)",
                "2 a.orderBy(\"created\").where(\"c\",\"==\",1)",
                "2 a.orderBy(\"edited\")",
                "2 a.orderBy(\"edited\").where(\"b\",\"==\",1)",
                "2 a.orderBy(\"edited\").where(\"c\",\"==\",1)",
                "2 a.where(\"b\",\"==\",1)",
                "2 a.where(\"c\",\"==\",1)",
            ]),
        SourceCase(
            "declarations with types",
            """
            public class Cities {
              private final CollectionReference cities = db.collection("cities");
              private static final String STATE = "state";
              public List<QueryDocumentSnapshot> list(Map<String, Integer> m) throws Exception {
                Query query = cities.whereEqualTo(STATE, "CA").orderBy("population", Query.Direction.DESCENDING);
                ApiFuture<QuerySnapshot> future = query.limit(3).get();
                for (DocumentSnapshot d : future.get().getDocuments()) { System.out.println('"' + d.getId()); }
                Query other = db.collectionGroup("landmarks").whereIn("type", Arrays.asList("a", "b")).whereGreaterThan("x", 1.5);
                other.addSnapshotListener((value, error) -> { if (error != null) { return; } });
                return null;
              }
            }
            """,
            [
                "5 cities.where(\"state\",\"==\",\"CA\").orderBy(\"population\",\"desc\").limit(3)",
                "8 collectionGroup(\"landmarks\").where(\"type\",\"in\",[\"a\",\"b\"]).where(\"x\",\">\",1.5)",
            ]),
        SourceCase(
            "steps",
            """
            Query q = db.collection("restaurants");
            if (filters.hasCategory()) {
              q = q.whereEqualTo("category", filters.getCategory());
            }
            if (filters.hasSort()) { q = q.orderBy(Restaurant.FIELD, filters.direction()); }
            adapter.setQuery(q.limit(50));
            """,
            [
                "3 restaurants.limit(50)", "3 restaurants.where(\"category\",\"==\",?).limit(50)",
                "3 unresolved: the field of an order is 'Restaurant.FIELD', which this file does not define",
            ]),
    ]

    static let dart: [SourceCase] = [
        SourceCase(
            "a switch expression on one line",
            """
            Query find(x) {
              final q = switch (x) { 1 => db.collection('a').where('b', isEqualTo: 1).where('c', isEqualTo: 2), _ => db.collection('d').where('e', isEqualTo: 3) };
              return q.orderBy('f');
            }
            """,
            [
                "2 a.where(\"b\",\"==\",1).where(\"c\",\"==\",2).orderBy(\"f\")",
                "2 d.where(\"e\",\"==\",3).orderBy(\"f\")",
            ]),
        SourceCase(
            "fields that are set late",
            """
            class Page {
              late Query first;
              Query? second;
              late final Query<Map<String, dynamic>> third;
              load() { first.orderBy('b2').get(); second!.orderBy('d2').get(); third.orderBy('f2').get(); }
              initState() {
                first = db.collection('a').where('b', isEqualTo: 1);
                second = db.collection('c').where('d', isEqualTo: 1);
                third = db.collection('e').where('f', isEqualTo: 1);
              }
            }
            """,
            [
                "5 a.where(\"b\",\"==\",1).orderBy(\"b2\")", "5 c.where(\"d\",\"==\",1).orderBy(\"d2\")",
                "5 e.where(\"f\",\"==\",1).orderBy(\"f2\")",
            ]),
        SourceCase(
            "a type and its method on two lines",
            """
            import 'package:cloud_firestore/cloud_firestore.dart';
            class Api {
              final CollectionReference homework;
              Api({required this.homework});
              Controller<Model>
              controller(int first) {
                return Controller<Model>(this, first: first);
              }
              Stream<List<Model>> load(int count) {
                return homework.where('done', isEqualTo: false).limit(count).snapshots();
              }
            }
            """, ["10 unresolved: its collection is 'homework', which this file does not set"]),
        SourceCase(
            "labels",
            """
            Stream<QuerySnapshot> adults(int age) => FirebaseFirestore.instance
                .collection('users')
                .where('age', isGreaterThanOrEqualTo: age, isLessThan: 100)
                .where('name', isNull: false)
                .orderBy('age', descending: true)
                .snapshots();
            """,
            [
                "1 users.where(\"age\",\">=\",?).where(\"age\",\"<\",100).where(\"name\",\"!=\",null).orderBy(\"age\",\"desc\")"
            ]),
        SourceCase(
            "class",
            """
            class Repo {
              Repo({required this.db});
              final FirebaseFirestore db;
              static const _posts = 'posts';
              CollectionReference<Post> get posts => db.collection(_posts).withConverter<Post>(fromFirestore: f, toFirestore: t);
              Future<List<Post>> list({String? tag, required String uid}) async {
                Query<Post> query = posts.where('author', isEqualTo: uid);
                if (tag != null) {
                  query = query.where('tags', arrayContains: tag);
                }
                final snapshot = await query.orderBy('at').get();
                final n = await db.collection('users/$uid/likes').where(Filter.or(Filter('a', isEqualTo: 1), Filter('b', whereIn: ids))).count().get();
                return snapshot.docs.map((d) => d.data()).where((p) => p.isOpen).toList();
              }
            }
            """,
            [
                "7 posts.where(\"author\",\"==\",?).orderBy(\"at\")",
                "7 posts.where(\"author\",\"==\",?).where(\"tags\",\"array-contains\",?).orderBy(\"at\")",
                "12 collection(\"users/?/likes\").where(or(where(\"a\",\"==\",1),where(\"b\",\"in\",?))).count()",
            ]),
        SourceCase(
            "widgets",
            """
            Widget build(BuildContext context) {
              return StreamBuilder(
                stream: FirebaseFirestore.instance.collectionGroup('messages').where(FieldPath.documentId, isEqualTo: id).snapshots(),
                builder: (context, snapshot) { return Text('it\\'s ${snapshot.data}'); },
              );
            }
            """, ["3 collectionGroup(\"messages\").where(documentId(),\"==\",?)"]),
    ]

    @Test(arguments: kotlin) func sitesOfKotlin(_ one: SourceCase) { expect(one.source, "App.kt", one.sites) }
    @Test(arguments: java) func sitesOfJava(_ one: SourceCase) { expect(one.source, "App.java", one.sites) }
    @Test(arguments: dart) func sitesOfDart(_ one: SourceCase) { expect(one.source, "app.dart", one.sites) }
}
