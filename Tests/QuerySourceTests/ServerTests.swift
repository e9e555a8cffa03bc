// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Go, C# and PHP.
@Suite struct ServerTests {
    static let go: [SourceCase] = [
        SourceCase(
            "chain",
            """
            func list(ctx context.Context, client *firestore.Client, state string) error {
                const name = "cities"
                q := client.Collection(name).Where("state", "==", state).OrderBy("population", firestore.Desc)
                if state == "CA" {
                    q = q.Limit(3)
                }
                iter := q.Documents(ctx)
                defer iter.Stop()
                for {
                    doc, err := iter.Next()
                    if err != nil { return err }
                    fmt.Println(doc.Data()['a'], `raw "text"`)
                }
            }
            """,
            [
                "3 cities.where(\"state\",\"==\",?).orderBy(\"population\",\"desc\")",
                "3 cities.where(\"state\",\"==\",?).orderBy(\"population\",\"desc\").limit(3)",
            ]),
        SourceCase(
            "filters as values, groups, aggregations",
            """
            type Repo struct { client *firestore.Client }

            func (r *Repo) rooms() *firestore.CollectionRef { return r.client.Collection("rooms") }

            func (r *Repo) find(ctx context.Context) {
                or := firestore.OrFilter{Filters: []firestore.EntityFilter{
                    firestore.PropertyFilter{Path: "a", Operator: "==", Value: 1},
                    firestore.PropertyFilter{Path: "b", Operator: ">", Value: 2},
                }}
                r.client.CollectionGroup("landmarks").WhereEntity(or).Documents(ctx).GetAll()
                r.client.Collection("n").Where("k", "in", []string{"x", "y"}).NewAggregationQuery().WithCount("all").WithSum("s", "sum").Get(ctx)
                r.client.Collection("a").WherePath(firestore.FieldPath{"b", "c d"}, "array-contains", 1).OrderBy(firestore.DocumentID, firestore.Asc).Snapshots(ctx)
            }
            """,
            [
                "10 collectionGroup(\"landmarks\").where(or(where(\"a\",\"==\",1),where(\"b\",\">\",2)))",
                "11 n.where(\"k\",\"in\",[\"x\",\"y\"]).aggregate(count(),sum(\"s\"))",
                "12 a.where(\"b.`c d`\",\"array-contains\",1).orderBy(documentId())",
            ]),
    ]

    static let goMethods: [SourceCase] = [
        SourceCase(
            "methods of the file",
            """
            import "cloud.google.com/go/firestore"
            func (s *Store) items(uid string) *firestore.CollectionRef {
                return s.client.Collection("users").Doc(uid).Collection("items")
            }
            func (store Store) load(ctx context.Context, uid string) {
                store.items(uid).Where("a", "==", 1).Documents(ctx)
                q := store.items(uid).Query
                q = q.Where("b", "==", 1)
                q.Documents(ctx)
                other.items(uid).Where("c", "==", 1).Documents(ctx)
            }
            """,
            [
                "6 collection(\"users/?/items\").where(\"a\",\"==\",1)",
                "8 collection(\"users/?/items\").where(\"b\",\"==\",1)",
                "10 unresolved: its collection is what 'items' gives",
            ])
    ]

    static let cSharp: [SourceCase] = [
        SourceCase(
            "properties, names and a switch as a value",
            """
            public class Cities
            {
                public CollectionReference All { get; } = Db.Collection("cities");
                public CollectionReference Late { get; private set; }
                public Cities(FirestoreDb db) { Late = db.Collection(nameof(Names.late)); }
                public async Task List(string kind)
                {
                    Query q = All.WhereEqualTo(nameof(City.State), "CA");
                    q = kind switch
                    {
                        "new" => q.OrderByDescending("At"),
                        "old" => q.OrderBy("At"),
                        _ => q,
                    };
                    await q.GetSnapshotAsync();
                    var other = kind switch { "a" => Late.WhereEqualTo("x", 1), _ => Late.WhereEqualTo("y", 1) };
                    await other.Limit(3).GetSnapshotAsync();
                }
            }
            """,
            [
                "8 cities.where(\"State\",\"==\",\"CA\")", "8 cities.where(\"State\",\"==\",\"CA\").orderBy(\"At\")",
                "8 cities.where(\"State\",\"==\",\"CA\").orderBy(\"At\",\"desc\")",
                "16 late.where(\"x\",\"==\",1).limit(3)", "16 late.where(\"y\",\"==\",1).limit(3)",
            ]),
        SourceCase(
            "a field that the constructor sets",
            """
            class Store {
                private readonly Query _query;
                public async Task Load() { await _query.OrderBy("b2").GetSnapshotAsync(); }
                public Store(FirestoreDb db) { _query = db.Collection("a").WhereEqualTo("b", 1); }
                public object Linq(List<User> users) { return users.OrderBy(u => u.Name).Limit(3).Get(); }
            }
            """, ["3 a.where(\"b\",\"==\",1).orderBy(\"b2\")"]),
        SourceCase(
            "class",
            """
            public class Cities
            {
                private CollectionReference All => _db.Collection("cities");
                [HttpGet]
                public async Task<IActionResult> List(string state)
                {
                    Query query = All.WhereEqualTo("State", state).OrderByDescending("Population").Limit(3);
                    QuerySnapshot snapshot = await query.GetSnapshotAsync();
                    foreach (DocumentSnapshot document in snapshot.Documents)
                    {
                        Console.WriteLine($"{document.Id} isn't {document.ToDictionary()["a"]}", @"c:\\x");
                    }
                    var n = await All.Where(Filter.Or(Filter.EqualTo("a", 1), Filter.GreaterThan("b", 2))).Count().GetSnapshotAsync();
                    return Ok();
                }
                public Task<QuerySnapshot> Landmarks() => _db.CollectionGroup("landmarks").WhereIn("type", new[] { "a", "b" }).WhereArrayContains("tags", "x").GetSnapshotAsync();
            }
            """,
            [
                "7 cities.where(\"State\",\"==\",?).orderBy(\"Population\",\"desc\").limit(3)",
                "13 cities.where(or(where(\"a\",\"==\",1),where(\"b\",\">\",2))).count()",
                "16 collectionGroup(\"landmarks\").where(\"type\",\"in\",[\"a\",\"b\"]).where(\"tags\",\"array-contains\",\"x\")",
            ]),
    ]

    static let php: [SourceCase] = [
        SourceCase(
            "qualified names",
            #"""
            <?php
            $db = new \Google\Cloud\Firestore\FirestoreClient();
            $db->collection('a')->orderBy('b', \Google\Cloud\Firestore\Query::DIR_DESCENDING)->documents();
            $db->collection('c')->orderBy('d', Firestore\Query::DIR_ASCENDING)->documents();
            $db->collection('e')->where(\Google\Cloud\Firestore\Filter::field('f', '=', 1))->documents();
            """#,
            [#"3 a.orderBy("b","desc")"#, #"4 c.orderBy("d")"#, #"5 e.where("f","==",1)"#]),
        SourceCase(
            "fields with a value",
            """
            <?php
            class Store {
                protected $a = "a";
                private ?string $b = 'b';
                public static $c = 'c';
                var $d = "d";
                function load() {
                    $this->db->collection($this->a)->where('x', '=', 1)->documents();
                    $this->db->collection($this->b)->where('x', '=', 1)->documents();
                    $this->db->collection(self::$c)->where('x', '=', 1)->documents();
                    $this->db->collection(Store::$c)->where('x', '=', 2)->documents();
                    $this->db->collection($this->d)->where('x', '=', 1)->documents();
                    $this->db->collection($a)->where('x', '=', 1)->documents();
                }
            }
            """,
            [
                "8 a.where(\"x\",\"==\",1)", "9 b.where(\"x\",\"==\",1)", "10 c.where(\"x\",\"==\",1)",
                "11 c.where(\"x\",\"==\",2)", "12 d.where(\"x\",\"==\",1)",
                "13 unresolved: its collection is '$a', which this file does not define",
            ]),
        SourceCase(
            "the end of a part in a string",
            """
            <?php
            $a = '<?xml version="1.0"?>'; $b = "\\" ?>"; // it's `
            $text = <<<XML
            <?xml version="1.0"?> that's it
              XML;
            $db->collection('a')->where('b', '=', 1)->orderBy('c')->documents(); # it's ?>
            <p>$db->collection('a')->where('d', '=', 1)->orderBy('e')->documents();</p>
            """, ["6 a.where(\"b\",\"==\",1).orderBy(\"c\")"]),
        SourceCase(
            "the end of a part in a comment",
            """
            <?php
            /**
             *  <?php f(); ?>
             */
            $db->collection('a')->where('b', '=', 1)->orderBy('c')->documents();
            /**
             */ ?>
            $db->collection('a')->where('d', '=', 1)->orderBy('e')->documents();
            """, ["5 a.where(\"b\",\"==\",1).orderBy(\"c\")"]),
        SourceCase(
            "a local variable with the name of a global one",
            """
            <?php
            $users = $db->collection('users');
            function pending($db, $uid) {
                $users = $db->collection('orders')->where('uid', '=', $uid);
                return $users->orderBy('created')->documents();
            }
            function active() {
                global $users;
                return $users->where('active', '=', true)->orderBy('name')->documents();
            }
            """,
            [
                "4 orders.where(\"uid\",\"==\",?).orderBy(\"created\")",
                "9 users.where(\"active\",\"==\",true).orderBy(\"name\")",
            ]),
        SourceCase(
            "chain",
            """
            <html><p>it's</p>
            <?php
            use Google\\Cloud\\Firestore\\FirestoreClient;
            function cities(FirestoreClient $db, string $state, bool $all) {
                $citiesRef = $db->collection('cities');
                $query = $citiesRef->where('state', '=', $state)->orderBy('population', 'DESC');
                if (!$all) {
                    $query = $query->limit(3);
                }
                foreach ($query->documents() as $document) { printf("it's {$document->id()} $state" . PHP_EOL); }
                $db->collectionGroup('landmarks')->where(Filter::or([Filter::field('a', '=', 1), Filter::field('b', '>', 2)]))->documents();
                $db->collection("users/$state/posts")->where('tags', 'array-contains', 'x')->count();
            }
            ?>
            <p>don't</p>
            """,
            [
                "6 cities.where(\"state\",\"==\",?).orderBy(\"population\",\"desc\")",
                "6 cities.where(\"state\",\"==\",?).orderBy(\"population\",\"desc\").limit(3)",
                "11 collectionGroup(\"landmarks\").where(or(where(\"a\",\"==\",1),where(\"b\",\">\",2)))",
                "12 collection(\"users/?/posts\").where(\"tags\",\"array-contains\",\"x\").count()",
            ]),
    ]

    @Test(arguments: go + goMethods) func sitesOfGo(_ one: SourceCase) { expect(one.source, "main.go", one.sites) }
    @Test(arguments: cSharp) func sitesOfCSharp(_ one: SourceCase) { expect(one.source, "App.cs", one.sites) }
    @Test(arguments: php) func sitesOfPhp(_ one: SourceCase) { expect(one.source, "app.php", one.sites) }
}
