// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Files that use a query of another file, and do not mention Firestore.
@Suite struct FilesWithoutFirestoreTests {
    static let filters: [(path: String, source: String, site: String)] = [
        (
            "feed.dart",
            """
            import '/backend/backend.dart';
            class W { build(c) => queryPostsRecord(
                queryBuilder: (r) => r.where('poster', isEqualTo: u).orderBy('date', descending: true)); }
            """, "3 unresolved: its collection is the parameter 'r'"
        ),
        (
            "feed.dart", "final a = service.list(where: [Filter('a', isEqualTo: 1), Filter('b', isNull: false)]);",
            "1 unresolved: its collection is what 'list' reads"
        ),
        (
            "Feed.swift",
            """
            import Firebase
            func f() { COLLECTION_POSTS.whereField("ownerUid", isEqualTo: uid).order(by: "x").getDocuments { s, _ in } }
            """, "2 unresolved: its collection is 'COLLECTION_POSTS', which this file does not define"
        ),
        (
            "Feed.kt", "fun f() = postsRef.whereEqualTo(\"a\", b).get()",
            "1 unresolved: its collection is 'postsRef', which this file does not define"
        ),
        (
            "Feed.java", "class A { void f() { Refs.posts().whereArrayContains(\"a\", b).get(); } }",
            "1 unresolved: its collection is what 'posts' gives"
        ),
        (
            "Feed.cs", "class A { void F() { Refs.Posts.WhereEqualTo(\"a\", b).GetSnapshotAsync(); } }",
            "1 unresolved: its collection is 'Refs.Posts', which this file does not define"
        ),
        (
            "feed.ts",
            """
            import { where } from './database';
            list('a', [where('b', '==', c)]);
            """, "2 unresolved: its collection is what 'list' gives"
        ),
    ]

    @Test(arguments: filters) func aFilterHasALine(_ filter: (path: String, source: String, site: String)) {
        expect(filter.source, filter.path, [filter.site])
    }

    static let others: [(path: String, source: String)] = [
        ("a.dart", "final a = list.where((e) => e.isEqualTo(b)).toList(); final c = set.where(test);"),
        ("a.swift", "let a = list.filter { $0 > 1 }; let b = query.where(\"a\", .equal, b); let c = d.isEqualTo(a, b)"),
        ("a.kt", "val a = select(b).where { b eq c }.orderBy(d).limit(1); assertThat(a, equalTo(b, c))"),
        ("a.kt", "fun f() { val q = ParseQuery<A>(\"A\"); q.whereEqualTo(\"a\", b).find() }"),
        ("A.java", "class A { Object f(ParseQuery q) { return q.whereEqualTo(\"a\", b).find(); } }"),
        ("A.cs", "class A { void F() { var a = list.Where(x => x.B == c).OrderBy(x => x.D).Select(x => x.E); } }"),
        ("A.cs", "using SqlKata; class A { void F() { new Query(\"a\").WhereIn(\"b\", c).Get(); } }"),
        ("a.php", "<?php $a = DB::table('a')->where('b', '=', 1)->get();"),
        ("a.py", "rows = session.query(User).filter(User.id == 1).where(User.a == b).order_by(User.c)"),
    ]

    @Test(arguments: others) func anotherLibraryHasNone(_ other: (path: String, source: String)) {
        expect(other.source, other.path, [])
    }
}
