// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Lists to compare with that are empty at first, or in one case. Production refuses an empty list, and programs know.
@Suite struct EmptyListTests {
    static let lists: [(path: String, source: String)] = [
        (
            "a.ts",
            """
            const ids = user?.friends ?? []; if (ids.length === 0) return [];
            return getDocs(query(collection(db, 'a'), where('b', 'in', ids)));
            """
        ),
        ("a.ts", "getDocs(query(collection(db, 'a'), where('b', 'in', user.friends || [])));"),
        (
            "a.ts",
            """
            class A { ids: string[] = [];
              get() { if (!this.ids.length) return; return db.collection('a').where('b', 'in', this.ids).get(); } }
            """
        ),
        (
            "a.ts",
            """
            class A { private ids = [];
              setIds(ids) { this.ids = ids; }
              get() { return db.collection('a').where('b', 'in', this.ids).get(); } }
            """
        ),
        (
            "a.dart",
            """
            import 'package:cloud_firestore/cloud_firestore.dart';
            List<String> ids = [];
            f() => FirebaseFirestore.instance.collection('a').where('b', whereIn: ids).get();
            """
        ),
        (
            "a.kt",
            """
            fun f() { val ids = mutableListOf<String>()
                db.collection("a").whereIn("b", ids).get() }
            """
        ),
        (
            "a.py",
            """
            def f(user):
                ids = user.get('ids') or []
                return db.collection('a').where('b', 'in', ids).get()
            """
        ),
    ]

    @Test(arguments: lists) func theLengthIsNotKnown(_ list: (path: String, source: String)) {
        #expect(sites(list.source, list.path).map { $0.drop { $0 != " " } } == [" a.where(\"b\",\"in\",?)"])
    }

    @Test func aListThatGrowsHasSeveralLengths() {
        let loops = [
            "let ids = []; for (const x of xs) ids.push(x); db.collection('a').where('b', 'in', ids).get();",
            "const ids = []; xs.forEach(x => ids.push(x)); db.collection('a').where('b', 'not-in', ids).get();",
            "const ids = []; if (x) ids.push(x); db.collection('a').where('b', 'array-contains-any', ids).get();",
        ]
        for loop in loops {
            let found = sites(loop, "a.js")
            #expect(found.contains { $0.hasSuffix(",?)") } && !found.contains { $0.contains("[]") }, "\(found)")
        }
    }

    @Test func aSentinelIsOneWay() {
        let source = """
            import 'package:cloud_firestore/cloud_firestore.dart';
            f() { final ids = <String>[]; ids.addAll(more);
              return db.collection('a').where('b', whereIn: ids.isEmpty ? [''] : ids).get(); }
            """
        let found = sites(source, "a.dart")
        #expect(found.count == 2 && !found.contains { $0.contains("[]") }, "\(found)")
    }

    @Test func anEmptyListOfTheCallIsAnError() {
        expect("db.collection('a').where('b', 'in', []).get();", "a.js", ["1 a.where(\"b\",\"in\",[])"])
    }
}
