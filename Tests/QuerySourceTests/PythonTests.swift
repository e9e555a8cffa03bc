// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

@Suite struct PythonTests {
    static let cases: [SourceCase] = [
        SourceCase(
            "async methods",
            """
            class Words:
                def __init__(self):
                    self.collection = db.collection("words")

                async def first(self, text):
                    try:
                        return self.collection.where("text", "==", text).get()
                    except Exception as e:
                        print(e)

                async def second(self, audio):
                    async with lock:
                        return self.collection.where("audio", "==", audio).get()

                async def third(self, level):
                    async for x in self.collection.where("level", "==", level).stream():
                        print(x)
            """,
            [
                "7 words.where(\"text\",\"==\",?)", "13 words.where(\"audio\",\"==\",?)",
                "16 words.where(\"level\",\"==\",?)",
            ]),
        SourceCase(
            "steps and branches",
            """
            db = firestore.Client()

            def cities(state, limit=None, desc=True):
                query = db.collection("cities").where(filter=FieldFilter("state", "==", state))
                if limit:
                    query = query.limit(limit)
                else:
                    query = query.order_by("population", direction=firestore.Query.DESCENDING)
                return [doc.to_dict() for doc in query.stream()]
            """,
            [
                "4 cities.where(\"state\",\"==\",?).limit(?)",
                "4 cities.where(\"state\",\"==\",?).orderBy(\"population\",\"desc\")",
            ]),
        SourceCase(
            "positional filters, over lines",
            """
            docs = (
                db.collection("cities")
                .where("state", "in", ["CA", "NY"])
                .where("population", ">=", 1_000)
                .order_by("population")
                .get()
            )
            """,
            ["2 cities.where(\"state\",\"in\",[\"CA\",\"NY\"]).where(\"population\",\">=\",?).orderBy(\"population\")"]),
        SourceCase(
            "classes",
            """
            class Rooms:
                NAME = "rooms"

                def __init__(self, client):
                    self.client = client
                    self.rooms = client.collection(self.NAME)

                def open(self, floor):
                    '''Don't "read" this.'''
                    q = self.rooms.where("open", "==", True)
                    for key in ["a"]:
                        q = q.where(key, "==", 1)
                    return q.order_by("floor").stream()

                async def count(self, uid: str) -> int:
                    result = await self.client.collection(f"users/{uid}/rooms").where(filter=FieldFilter("lit", "!=", None)).count().get()
                    return result
            """,
            [
                "10 rooms.where(\"open\",\"==\",true).orderBy(\"floor\")",
                "10 unresolved: the field of a filter is 'key', which this file does not define",
                "16 collection(\"users/?/rooms\").where(\"lit\",\"!=\",null).count()",
            ]),
        SourceCase(
            "composite filters, groups, sums, vectors",
            """
            f = Or(filters=[FieldFilter("a", "==", 1), And(filters=[FieldFilter("b", ">", 2), FieldFilter("c", "array_contains", "x")])])
            db.collection_group("landmarks").where(filter=f).get()
            db.collection("n").where(filter=BaseCompositeFilter(operator="AND", filters=[FieldFilter("a", "==", 1)])).sum("k").get()
            db.collection("v").find_nearest(vector_field="e", query_vector=Vector([1.0, 2.0]), distance_measure=DistanceMeasure.EUCLIDEAN, limit=5).get()
            """,
            [
                "2 collectionGroup(\"landmarks\").where(or(where(\"a\",\"==\",1),and(where(\"b\",\">\",2),where(\"c\",\"array-contains\",\"x\"))))",
                "3 n.where(\"a\",\"==\",1).aggregate(sum(\"k\"))", "4 v.findNearest(\"e\",?)",
            ]),
        SourceCase(
            "composite filters by their operator",
            """
            parts = [FieldFilter("a", "==", 1), FieldFilter("b", ">", 2)]
            db.collection("c").where(filter=BaseCompositeFilter("AND", parts)).stream()
            db.collection("d").where(filter=BaseCompositeFilter("OR", parts)).stream()
            db.collection("e").where(filter=BaseCompositeFilter(StructuredQuery.CompositeFilter.Operator.AND, parts)).stream()
            db.collection("f").where(filter=BaseCompositeFilter(filters=parts, operator=StructuredQuery.CompositeFilter.Operator.OR)).stream()
            db.collection("g").where(filter=BaseCompositeFilter(op, parts)).stream()
            """,
            [
                "2 c.where(and(where(\"a\",\"==\",1),where(\"b\",\">\",2)))",
                "3 d.where(or(where(\"a\",\"==\",1),where(\"b\",\">\",2)))",
                "4 e.where(and(where(\"a\",\"==\",1),where(\"b\",\">\",2)))",
                "5 f.where(or(where(\"a\",\"==\",1),where(\"b\",\">\",2)))",
                "6 unresolved: the operator of a filter is 'op', which this file does not define",
            ]),
        SourceCase(
            "early return",
            """
            def find(db, name):
                q = db.collection("a").where("b", "==", name)
                if not name:
                    q = q.limit(1)
                    return q.get()
                return q.order_by("c").get()
            """, ["2 a.where(\"b\",\"==\",?).limit(1)", "2 a.where(\"b\",\"==\",?).orderBy(\"c\")"]),
        SourceCase(
            "a helper with arguments",
            """
            def _col(name):
                return firestore.client().collection(name)

            def users(): return _col("users").where("a", "==", 1).stream()
            """, ["4 users.where(\"a\",\"==\",1)"]),
        SourceCase(
            "a helper method with arguments",
            """
            class Store:
                def _col(self, name, group=None):
                    return db.collection(name)

                @classmethod
                def _open(cls, name):
                    return db.collection(name).where("open", "==", True)

                def users(self):
                    return self._col("users").where("a", "==", 1).stream()

                def rooms(self):
                    return self._open("rooms").order_by("at").stream()
            """, ["10 users.where(\"a\",\"==\",1)", "13 rooms.where(\"open\",\"==\",true).orderBy(\"at\")"]),
        SourceCase(
            "a local variable with the name of a global one",
            """
            users = db.collection("users")

            def pending(uid):
                users = db.collection("orders").where("uid", "==", uid)
                return users.order_by("created").get()

            def active():
                return users.where("active", "==", True).order_by("name").get()

            def late():
                global rooms
                rooms = db.collection("rooms")

            def open_rooms():
                return rooms.where("open", "==", True).order_by("name").get()
            """,
            [
                "4 orders.where(\"uid\",\"==\",?).orderBy(\"created\")",
                "8 users.where(\"active\",\"==\",true).orderBy(\"name\")",
                "15 rooms.where(\"open\",\"==\",true).orderBy(\"name\")",
            ]),
        SourceCase(
            "cases of match",
            """
            def find(sort):
                match = re.match(p, sort)
                q = db.collection("a")
                match sort:
                    case "old":
                        q = q.order_by("created")
                    case "new": q = q.order_by("created", direction="DESCENDING")
                return q.get()

            def either(sort):
                match sort:
                    case "b":
                        q = db.collection("b").order_by("c")
                    case _:
                        q = db.collection("d").order_by("e")
                return q.where("f", "==", 1).get()
            """,
            [
                "6 a", "6 a.orderBy(\"created\")", "6 a.orderBy(\"created\",\"desc\")",
                "13 b.orderBy(\"c\").where(\"f\",\"==\",1)", "13 d.orderBy(\"e\").where(\"f\",\"==\",1)",
            ]),
        SourceCase(
            "quotes in raw strings",
            #"""
            names = re.findall(r'from\s+[\'"]([^\'"]+)', text)
            def load():
                return db.collection(r'a').where('b', '==', r"\"").order_by('c').get()
            """#, ["3 a.where(\"b\",\"==\",\"\\\\\\\"\").orderBy(\"c\")"]),
        SourceCase(
            "what is no query", "import firestore\nsession.query(User).where(User.a == 1).limit(3)\ndf.where(df > 1)",
            []),
    ]

    @Test(arguments: cases) func sitesOfCases(_ one: SourceCase) {
        expect(one.source, "app/main.py", one.sites)
    }
}
