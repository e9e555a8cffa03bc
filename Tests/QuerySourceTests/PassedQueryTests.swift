// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Queries that functions of other files get. What these give may be the query with more parts.
@Suite struct PassedQueryTests {
    private static let sources: [(path: String, source: String, site: String)] = [
        (
            "a.ts",
            "const q = newest(query(collection(db, 'a'), where('b', '==', 1)));\nconst s = getDocs(query(q, limit(3)));",
            "1 'newest'"
        ),
        ("a.ts", "getDocs(newest(collection(db, 'a')));", "1 'newest'"),
        (
            "a.ts", "let q = db.collection('a').where('b', '==', 1);\nq = sorts.apply(q, o);\nq.limit(3).get();",
            "1 'apply'"
        ),
        ("a.ts", "list(query(newest(collection(db, 'a')), where('b', '==', 1)));", "1 'newest'"),
        ("a.ts", "newest(db.collection('a').where('c', '==', 1)).where('b', '==', 1).count().get();", "1 'newest'"),
        ("a.ts", "transaction.get(newest(db.collection('a').where('c', '==', 1)));", "1 'newest'"),
        (
            "a.swift",
            "func f() { sorted(db.collection(\"a\").whereField(\"b\", isEqualTo: 1)).getDocuments { _, _ in } }",
            "1 'sorted'"
        ),
        ("a.kt", "fun f() { Sorts.newest(db.collection(\"a\").whereEqualTo(\"b\", 1)).get() }", "1 'newest'"),
        (
            "A.java", "class A { void f() { Sorts.newest(db.collection(\"a\").whereEqualTo(\"b\", 1)).get(); } }",
            "1 'newest'"
        ),
        ("a.dart", "f() => sorted(db.collection('a').where('b', isEqualTo: 1), 'c').snapshots();", "1 'sorted'"),
        (
            "a.dart",
            "Stream f({Build build = usual}) {\n  return build(db.collection('a').where('b', isEqualTo: 1)).snapshots(); }",
            "2 'build'"
        ),
        (
            "a.py",
            "def f():\n    q = db.collection('a').where('b', '==', 1)\n    q = newest(q)\n    return q.stream()\n",
            "2 'newest'"
        ),
        (
            "a.go",
            """
            func f() {
                q := c.Collection("a").Where("b", "==", 1)
                q = helpers.Sort(q, opts)
                it := q.Documents(ctx)
            }
            """, "2 'Sort'"
        ),
        (
            "A.cs",
            "class A { void F() { Sorts.Newest(db.Collection(\"a\").WhereEqualTo(\"b\", 1)).GetSnapshotAsync(); } }",
            "1 'Newest'"
        ),
        ("a.php", "<?php newest($db->collection('a')->where('b', '=', 1))->documents();", "1 'newest'"),
    ]

    @Test func whatTheyAddIsNotKnown() {
        for (path, source, site) in Self.sources {
            let words = site.split(separator: " ")
            expect(source, path, ["\(words[0]) unresolved: a part of it is what \(words[1]) adds"])
        }
    }

    /// What no call of the library runs may be the query itself.
    @Test func aQueryThatIsOnlyGiven() {
        expect(
            """
            const page = useQuery(query(collection(db, 'a'), where('b', '==', 1)));
            show(page.limit(3), page.docs[0].ref.get());
            """, "a.ts", ["1 a.where(\"b\",\"==\",1)"])
        let body = String(repeating: "log(1);", count: 20)
        expect(
            "function show(q) { \(body) }\nshow(query(collection(db, 'a'), where('b', '==', 1)));", "a.ts",
            ["2 a.where(\"b\",\"==\",1)"])
    }

    /// What functions give that get a collection may be a document of it, or an object that has it.
    @Test func whatIsNoQuery() {
        expect(
            """
            import 'firebase/firestore';
            const user = await find(db.collection('users'), id);
            show(user.get('name'));
            user.ref.collection('posts').where('a', '==', 1).get();
            getDocs(query(collection(user, 'likes'), where('a', '==', 1)));
            const users = new Users(db.collection('users'));
            users.get(id);
            onSnapshot(await addDoc(collection(db, 'users'), {}), show);
            """, "a.ts", ["4 posts.where(\"a\",\"==\",1)", "5 likes.where(\"a\",\"==\",1)"])
    }

    @Test func aCommentSaysWhatItIs() {
        expect(
            """
            import 'firebase/firestore';
            // hearth: collection=users
            const ref = typed(collection(db, 'a'));
            getDocs(query(ref, where('a', '==', 1)));
            """, "a.ts", ["4 users.where(\"a\",\"==\",1)"])
    }
}
