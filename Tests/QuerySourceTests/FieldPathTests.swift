// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Field paths that are made of segments.
@Suite struct FieldPathTests {
    /// A segment that is computed was left out, which gave another field.
    @Test(arguments: [
        (
            "a.kt",
            #"fun f(uid: String) { db.collection("c").whereEqualTo(FieldPath.of("members", uid), true).orderBy("at").get() }"#
        ),
        (
            "A.java",
            #"class A { void f(String uid) { db.collection("c").whereEqualTo(FieldPath.of("members", uid), true).orderBy("at").get(); } }"#
        ),
        (
            "a.go",
            #"func f(uid string) { client.Collection("c").WherePath([]string{"members", uid}, "==", true).OrderBy("at", firestore.Asc).Documents(ctx) }"#
        ),
        (
            "a.dart",
            "f(String uid) => db.collection('c').where(FieldPath(['members', uid]), isEqualTo: true).orderBy('at').get();"
        ),
    ])
    func computedSegments(_ path: String, _ source: String) {
        let found = sites(source, path)
        #expect(
            found.count == 1 && found.allSatisfy { $0.hasPrefix("1 unresolved: the field of a filter is ") }, "\(found)"
        )
    }

    /// The constructors of Swift, Dart and PHP take a list.
    @Test(arguments: [
        ("a.swift", #"db.collection("c").whereField(FieldPath(["a", "b c"]), isEqualTo: 1).getDocuments()"#),
        ("a.dart", "final q = db.collection('c').where(FieldPath(const ['a', 'b c']), isEqualTo: 1).get();"),
        ("b.dart", "final q = db.collection('c').where(FieldPath(['a', 'b c']), isEqualTo: 1).get();"),
        ("a.php", "<?php $db->collection('c')->where(new FieldPath(['a', 'b c']), '==', 1)->documents();"),
        ("a.kt", #"val q = db.collection("c").whereEqualTo(FieldPath.of("a", "b c"), 1).get()"#),
        ("a.js", "db.collection('c').where(new FieldPath('a', 'b c'), '==', 1).get();"),
    ])
    func listsOfSegments(_ path: String, _ source: String) {
        #expect(sites(source, path) == [#"1 c.where("a.`b c`","==",1)"#])
    }
}
