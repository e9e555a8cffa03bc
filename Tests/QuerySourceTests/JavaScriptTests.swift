// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

@Suite struct JavaScriptTests {
    static let cases: [SourceCase] = [
        SourceCase(
            "modular",
            """
            import { collection, query, where, orderBy, limit, getDocs } from 'firebase/firestore';
            const ref = collection(db, 'users');
            export async function adults(age) {
              const q = query(ref, where('age', '>=', age), orderBy('age', 'desc'), limit(10));
              return getDocs(q);
            }
            """, ["4 users.where(\"age\",\">=\",?).orderBy(\"age\",\"desc\").limit(10)"]),
        SourceCase(
            "a parameter that takes all arguments",
            """
            function find(ref, ...parts) { return getDocs(query(ref, ...parts)); }
            function among(...ids) { return getDocs(query(collection(db, 'a'), where('id', 'in', ids), orderBy('n'))); }
            find(collection(db, 'users'), where('a', '==', 1), orderBy('b'));
            among('x', 'y');
            """,
            [
                "1 users.where(\"a\",\"==\",1).orderBy(\"b\")",
                "2 a.where(\"id\",\"in\",?).orderBy(\"n\")",
                "2 a.where(\"id\",\"in\",[\"x\",\"y\"]).orderBy(\"n\")",
            ]),
        SourceCase(
            "chain over lines",
            """
            const snapshot = await admin.firestore()
              .collection("cities")
              .where("state", "==", 'CA')
              .where("capital", "==", true)
              .orderBy("population", "desc")
              .get();
            """,
            ["1 cities.where(\"state\",\"==\",\"CA\").where(\"capital\",\"==\",true).orderBy(\"population\",\"desc\")"]),
        SourceCase(
            "a condition gives two queries",
            """
            async function list(state) {
              let q = db.collection('cities');
              if (state) q = q.where('state', '==', state);
              q = q.orderBy('name');
              return (await q.get()).docs;
            }
            """, ["3 cities.orderBy(\"name\")", "3 cities.where(\"state\",\"==\",?).orderBy(\"name\")"]),
        SourceCase(
            "the same condition twice",
            """
            let q = db.collection('cities').where('a', '==', 1);
            if (sorted) q = q.orderBy('b');
            if (sorted) { q = q.limit(3); }
            q.get();
            """, ["1 cities.where(\"a\",\"==\",1)", "1 cities.where(\"a\",\"==\",1).orderBy(\"b\").limit(3)"]),
        SourceCase(
            "if and else",
            """
            let q = query(collection(db, 'a'));
            if (x) { q = query(q, where('b', '==', 1)); } else { q = query(q, orderBy('c')); }
            onSnapshot(q, (s) => { show(s.docs.map((d) => d.data())); });
            """, ["1 a.orderBy(\"c\")", "1 a.where(\"b\",\"==\",1)"]),
        SourceCase(
            "a list of constraints",
            """
            const constraints = [where('a', '==', a), orderBy('z')];
            if (tags.length) constraints.push(where('tags', 'array-contains-any', tags));
            const q = query(collection(db, 'things'), ...constraints);
            getDocs(q);
            """,
            [
                "3 things.where(\"a\",\"==\",?).orderBy(\"z\")",
                "3 things.where(\"a\",\"==\",?).orderBy(\"z\").where(\"tags\",\"array-contains-any\",?)",
            ]),
        SourceCase(
            "a direction that is not known",
            "db.collection('a').orderBy('b', descending ? 'desc' : 'asc').limit(n).get()\n"
                + "db.collection('a').orderBy('b', direction).get()",
            [
                "1 a.orderBy(\"b\").limit(?)", "1 a.orderBy(\"b\",\"desc\").limit(?)", "2 a.orderBy(\"b\")",
                "2 a.orderBy(\"b\",\"desc\")",
            ]),
        SourceCase(
            "conditional steps that are expressions",
            """
            const cs = [];
            a && cs.push(where('a', '==', 1));
            b && cs.push(where('b', '==', 1));
            getDocs(query(collection(db, 'n'), ...cs, orderBy('c')));
            let q = db.collection('m');
            desc ? (q = q.where('a', '==', 1)) : (q = q.where('b', '==', 1));
            q.orderBy('c').get();
            """,
            [
                "4 n.orderBy(\"c\")", "4 n.where(\"a\",\"==\",1).orderBy(\"c\")",
                "4 n.where(\"a\",\"==\",1).where(\"b\",\"==\",1).orderBy(\"c\")",
                "4 n.where(\"b\",\"==\",1).orderBy(\"c\")", "6 m.where(\"a\",\"==\",1).orderBy(\"c\")",
                "6 m.where(\"b\",\"==\",1).orderBy(\"c\")",
            ]),
        SourceCase(
            "conditions that exclude each other",
            """
            let q = db.collection('a');
            if (sort === 'old') q = q.orderBy('created');
            if (sort === 'new') q = q.orderBy('created', 'desc');
            if ('old' !== sort) q = q.limit(1);
            q.get();
            """,
            ["2 a.limit(1)", "2 a.orderBy(\"created\")", "2 a.orderBy(\"created\",\"desc\").limit(1)"]),
        SourceCase(
            "a condition whose variable is assigned in between",
            """
            let q = db.collection('a');
            if (sort) q = q.where('b', '==', 1);
            sort = other();
            if (sort) q = q.orderBy('c');
            q.get();
            """,
            [
                "2 a", "2 a.orderBy(\"c\")", "2 a.where(\"b\",\"==\",1)",
                "2 a.where(\"b\",\"==\",1).orderBy(\"c\")",
            ]),
        SourceCase(
            "only the first of two conditions is negated",
            """
            let q = db.collection('a');
            if (!x && y) q = q.where('b', '==', 1);
            if (x && y) q = q.orderBy('c');
            q.get();
            """,
            [
                "2 a", "2 a.orderBy(\"c\")", "2 a.where(\"b\",\"==\",1)",
                "2 a.where(\"b\",\"==\",1).orderBy(\"c\")",
            ]),
        SourceCase(
            "orders and limits of something unknown",
            """
            import firestore from '@react-native-firebase/firestore';
            let q = someQuery();
            q = q.orderBy('c');
            show(await q.get());
            function list(ref) { return ref.orderBy('b').limit(10).get(); }
            const names = _(users).orderBy(['name'], ['asc']).limit(3).value();
            const other = _(users).orderBy(['name'], ['asc']).get();
            const first = lines.limit(3).map(parse).get();
            const page = rows.orderBy('a').limit(3);
            """,
            [
                "3 unresolved: its collection is what 'someQuery' gives",
                "5 unresolved: its collection is the parameter 'ref'",
            ]),
        SourceCase(
            "a variable without a value",
            """
            let q, other;
            function load() { return q.orderBy('b').get(); }
            if (x) q = db.collection('a').where('c', '==', 1);
            load();
            """, ["2 a.where(\"c\",\"==\",1).orderBy(\"b\")"]),
        SourceCase(
            "queries in lists and as defaults",
            """
            const queries = [];
            queries.push(db.collection('S').where('a', '==', 1).orderBy('b'));
            await Promise.all(queries.map((q) => q.get()));
            const used = [];
            used.push(db.collection('U').where('a', '==', 1));
            function list(q = db.collection('D').where('a', '==', 1)) { return q.where('b', '==', 2).orderBy('c').get(); }
            function give(q = db.collection('E').where('a', '==', 1).orderBy('b')) { return run(q); }
            """,
            [
                "2 S.where(\"a\",\"==\",1).orderBy(\"b\")", "5 U.where(\"a\",\"==\",1)",
                "6 D.where(\"a\",\"==\",1).where(\"b\",\"==\",2).orderBy(\"c\")",
                "7 E.where(\"a\",\"==\",1).orderBy(\"b\")",
            ]),
        SourceCase(
            "template literals and constants",
            """
            const USERS = 'users';
            const PATHS = { posts: 'posts' };
            getDocs(query(collection(db, `${USERS}/${uid}/${PATHS.posts}`), where('on', '==', true)));
            getDocs(query(collection(db, USERS, uid, 'likes'), where('on', '==', true)));
            """,
            [
                "3 collection(\"users/?/posts\").where(\"on\",\"==\",true)",
                "4 collection(\"users/?/likes\").where(\"on\",\"==\",true)",
            ]),
        SourceCase(
            "a helper that gives a collection",
            """
            const posts = (uid) => collection(doc(db, 'users', uid), 'posts').withConverter(converter);
            function byTag(uid, tag) { return query(posts(uid), where('tag', '==', tag)); }
            """, ["2 collection(\"users/?/posts\").where(\"tag\",\"==\",?)"]),
        SourceCase(
            "a collection from a parameter",
            """
            export function recent(ref) { return ref.where('open', '==', true).orderBy('at').get(); }
            """, ["1 unresolved: its collection is the parameter 'ref'"]),
        SourceCase(
            "a parameter that every call of the file gives",
            """
            function recent(ref) { return ref.where('open', '==', true).get(); }
            recent(db.collection('a'));
            recent(db.collection('b'));
            """, ["1 a.where(\"open\",\"==\",true)", "1 b.where(\"open\",\"==\",true)"]),
        SourceCase(
            "a field that is computed",
            "import 'firebase/firestore';\ndb.collection('a').where(`${f}.x`, '==', 1).where(field, '==', 2).get()",
            ["2 unresolved: the field of a filter is a computed text, '?.x'"]),
        SourceCase(
            "a collection that is computed",
            "db.collection(`logs_${year}`).where('a', '==', 1).get()",
            ["1 unresolved: its collection is a computed name, 'logs_?'"]),
        SourceCase(
            "or, and, groups, counts",
            """
            getCountFromServer(query(collectionGroup(db, 'landmarks'), or(where('a', '==', 1), and(where('b', '>', 2), where('c', '==', 3)))));
            db.collectionGroup('x').where(Filter.or(Filter.where('a', '==', 1), Filter.where('b', 'in', list))).count().get();
            getAggregateFromServer(q0(), { total: sum('n'), mean: average('n') });
            function q0() { return query(collection(db, 's'), where('k', '==', k)); }
            """,
            [
                "1 collectionGroup(\"landmarks\").where(or(where(\"a\",\"==\",1),and(where(\"b\",\">\",2),where(\"c\",\"==\",3))))",
                "2 collectionGroup(\"x\").where(or(where(\"a\",\"==\",1),where(\"b\",\"in\",?))).count()",
                "3 s.where(\"k\",\"==\",?).aggregate(sum(\"n\"),average(\"n\"))",
            ]),
        SourceCase(
            "the name of the document, cursors",
            "db.collection('a').where(documentId(), 'in', ids).orderBy('__name__').startAfter(last).get()",
            ["1 a.where(documentId(),\"in\",?).orderBy(documentId()).startAfter(?)"]),
        SourceCase(
            "vectors",
            """
            db.collection('a').findNearest('e', [1, 2, 3], { limit: 3, distanceMeasure: 'COSINE' }).get();
            db.collection('a').findNearest({ vectorField: 'e', queryVector: FieldValue.vector([1, 2]), limit: 1 }).get();
            db.collection('a').findNearest('e', v, { limit: 3 }).get();
            """,
            [
                "1 a.findNearest(\"e\",[1,2,3])", "2 a.findNearest(\"e\",?)",
                "3 unresolved: the length of a query vector is not known",
            ]),
        SourceCase(
            "a class with fields",
            """
            class Rooms {
              private readonly rooms = firestore().collection<Room>('rooms');
              constructor() { this.open = this.rooms.where('open', '==', true); }
              async list(floor: number): Promise<Room[]> { return map(await this.open.orderBy('floor').get()); }
              get lit(): Query { return this.rooms.where('lit', '==', true) }
            }
            """, ["4 rooms.where(\"open\",\"==\",true).orderBy(\"floor\")", "5 rooms.where(\"lit\",\"==\",true)"]),
        SourceCase(
            "AngularFire",
            "this.items = afs.collection<Item>('items', ref => ref.where('size', '==', s).orderBy('at')).valueChanges();",
            ["1 items.where(\"size\",\"==\",?).orderBy(\"at\")"]),
        SourceCase(
            "hooks and markup",
            """
            export function List({ team }: Props) {
              const q = useMemo(() => query(collection(db, 'tasks'), where('team', '==', team)), [team]);
              const [tasks] = useCollection(q);
              return <ul title="don't">{tasks.docs.map((t) => <li key={t.id}>it's {t.id}</li>)}</ul>;
            }
            """, ["2 tasks.where(\"team\",\"==\",?)"]),
        SourceCase(
            "comments that help",
            """
            export function list(ref) {
              // hearth: collection=users
              const a = ref.where('a', '==', 1).get();
              // hearth: ignore
              db.collection('x').where('b', '==', 1).get();
            }
            """, ["3 users.where(\"a\",\"==\",1)", "5 silenced x.where(\"b\",\"==\",1)"]),
        SourceCase(
            "comments after text of several lines",
            """
            const text = `a ${
              b
            } c`, other = `${ `x ${
              y }` }`;
            export function list(ref) {
              // hearth: collection=users
              const a = ref.where('a', '==', 1).get();
              // hearth: ignore
              db.collection('x').where('b', '==', 1).get();
            }
            """, ["7 users.where(\"a\",\"==\",1)", "9 silenced x.where(\"b\",\"==\",1)"]),
        SourceCase(
            "filters for something unknown",
            """
            import { where, orderBy } from 'firebase/firestore';
            export class Page {
              list(id) { return this.service.valueChanges([where('team', '==', id), orderBy('age')]); }
              one(id) { const query = [where('id', '==', id)]; return load(query); }
              all() { return load([]); }
              // hearth: collection=users
              old(id) { return this.service.valueChanges([where('team', '==', id), orderBy('age')]); }
            }
            """,
            [
                "3 unresolved: its collection is what 'valueChanges' reads",
                "4 unresolved: its collection is what 'load' gives",
                "7 users.where(\"team\",\"==\",?).orderBy(\"age\")",
            ]),
        SourceCase(
            "functions by other names",
            "import { where as w, query as ask, limit } from 'firebase/firestore';\n"
                + "getDocs(ask(collection(db, 'a'), w('b', '==', 1)));", ["2 a.where(\"b\",\"==\",1)"]),
        SourceCase(
            "what is no query",
            """
            db.collection('users').doc(id).get();
            db.collection('users').add({ a: 1 });
            users.find({}).where('a').equals(1);
            const s = [1, 2].filter((x) => x > 1).map(String);
            knex('users').where('a', '=', 1);
            import 'firestore';
            """, []),
        SourceCase(
            "a closure that may not run",
            """
            let q = db.collection('a').where('x', '>', 1);
            teams.forEach((team) => { q = q.where('team', '==', team); });
            q.get();
            """, ["1 a.where(\"x\",\">\",1)", "1 a.where(\"x\",\">\",1).where(\"team\",\"==\",?)"]),
        SourceCase("a whole collection", "db.collection('users').get();", ["1 users"]),
        SourceCase(
            "more ways than are followed",
            "let q = db.collection('a').where('x', '==', 1);\n"
                + (0..<7).map { "if (c\($0)) q = q.where('f\($0)', '==', 1);\n" }.joined() + "q.limit(1).get();", []),
    ]

    @Test(arguments: cases.dropLast()) func sitesOfCases(_ one: SourceCase) {
        expect(one.source, "src/app.tsx", one.sites)
    }

    /// Filters that no query was seen to take are listed, once for each function that makes them.
    @Test func filtersForOtherFiles() {
        let source = """
            import { where, orderBy } from 'firebase/firestore';
            export const byOrg = (org) => [where('org', '==', org), where('isOpen', '==', true)];
            const mine = [where('owner', '==', me)];
            const all = query(collection(db, 'tasks'), ...mine);
            export function constraints(mode) {
              const open = where('isOpen', '==', true);
              switch (mode) {
                case 'a': return [open, where('a', '==', 1)];
                default: return [open, orderBy('b')];
              }
            }
            """
        let unused = "unresolved: its collection is not known: no query was found that takes these filters"
        expect(source, "a.ts", ["2 \(unused)", "4 tasks.where(\"owner\",\"==\",?)", "6 \(unused)"])
    }

    @Test func aFilterThatDependsOnACondition() {
        let source = """
            import { where, query } from 'firebase/firestore';
            getDocs(query(collection(db, 'tasks'), types && where('type', 'in', types), orderBy('due')));
            """
        expect(
            source, "a.ts",
            ["2 tasks.orderBy(\"due\")", "2 tasks.where(\"type\",\"in\",?).orderBy(\"due\")"])
    }

    @Test func theFunctionOfAngularFireInAVariable() {
        let end = "this.afs.collection('comments', f).valueChanges();"
        let order = "ref => ref.orderBy('pinned', 'desc').orderBy('date')"
        let found = "comments.orderBy(\"pinned\",\"desc\").orderBy(\"date\")"
        expect("const f = \(order);\n\(end)", "a.ts", ["1 \(found)"])
        expect(
            "const f: QueryFn = (ref: Query): Query => { return ref.where('a', '==', 1); };\n\(end)", "a.ts",
            ["1 comments.where(\"a\",\"==\",1)"])
        expect(
            "function f(ref) { return ref.orderBy('pinned', 'desc').orderBy('date'); }\nfunction g() {\n\(end)\n}",
            "a.ts", ["1 \(found)"])
        expect(
            "class A { f = \(order);\nload() { return this.afs.collectionGroup('comments', this.f).get(); } }", "a.ts",
            ["1 collectionGroup(\"comments\").orderBy(\"pinned\",\"desc\").orderBy(\"date\")"])
        expect(
            "import { b as f } from './b';\n\(end)", "a.ts",
            ["2 unresolved: a part of it is 'b', which this file does not define"])
        // No path comes first: it is the library's function with a name that this file does not define.
        expect(
            """
            import * as store from 'firebase/firestore';
            import { USERS } from './names';
            // hearth: collection=users
            store.getDocs(store.query(store.collection(db, USERS), store.where('a', '==', 1)));
            """, "a.ts", ["4 users.where(\"a\",\"==\",1)"])
    }

    @Test func functionsBehindAReturn() {
        let source = """
            function service() {
              return { load, count: 1 };
              function load() { return db.collection('a').where('b', '==', 1).orderBy('c').get(); }
              db.collection('a').orderBy('d').orderBy('e').get();
            }
            """
        expect(source, "a.js", ["3 a.where(\"b\",\"==\",1).orderBy(\"c\")"])
    }

    @Test func combinationsHaveABound() {
        let found = sites(JavaScriptTests.cases[JavaScriptTests.cases.count - 1].source, "a.js")
        #expect(found.count == 33)
        #expect(found.last == "1 unresolved: it can be built in more than 32 ways, of which some are checked")
        let filters = (0..<7).map { ".where(\"f\($0)\",\"==\",1)" }
        for filter in ["", filters.joined()] + filters {
            #expect(found.contains("1 a.where(\"x\",\"==\",1)\(filter).limit(1)"), "\(filter)")
        }
    }

    /// The same where conditions stand in a list, or among the arguments of the query.
    @Test func combinationsOfConstraintsHaveABound() {
        let conditions = (0..<7).map { "c\($0) ? where('f\($0)', '==', 1) : null" }.joined(separator: ", ")
        let spreads = (0..<7).map { "...(c\($0) ? [where('f\($0)', '==', 1)] : [])" }.joined(separator: ", ")
        let filters = (0..<7).map { ".where(\"f\($0)\",\"==\",1)" }
        for parts in [conditions, "...[\(conditions)].filter(Boolean)", spreads] {
            let found = sites("getDocs(query(collection(db, 'a'), \(parts)));", "a.js")
            #expect(found.count == 33)
            for filter in ["", filters.joined()] + filters {
                #expect(found.contains("1 a\(filter)"), "\(parts) \(filter)")
            }
        }
    }

    @Test func scriptPartsOfVueAndSvelte() {
        let source = """
            <template><p v-if="a < b">it's {{ db.collection('no').where('a', '==', 1).get() }}</p></template>
            <script setup lang="ts">
            const q = query(collection(db, 'tasks'), where('done', '==', false));
            </script>
            """
        for path in ["a.vue", "a.svelte"] { expect(source, path, ["3 tasks.where(\"done\",\"==\",false)"]) }
    }

    @Test func namesMayBeMapped() {
        let source = "import 'firestore';\nexport const f = (circlesQuery) => circlesQuery.where('a', '==', 1).get();"
        #expect(sites(source, "a.js", collections: ["circlesQuery": "circles"]) == ["2 circles.where(\"a\",\"==\",1)"])
        #expect(
            sites(source, "a.js", collections: ["circlesQuery": "group:circles"])
                == ["2 collectionGroup(\"circles\").where(\"a\",\"==\",1)"])
    }
}
