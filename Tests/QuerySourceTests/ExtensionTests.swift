// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Methods and properties that extensions of other files add to queries.
@Suite struct ExtensionTests {
    private static let dart =
        "import 'package:cloud_firestore/cloud_firestore.dart';\nStream f(u) => db.collection('a')"
    private static let swift = "import FirebaseFirestore\nfunc f() { db.collection(\"a\")"
    private static let kotlin = "import com.google.firebase.firestore.*\nfun f() { db.collection(\"a\")"

    private static let sources: [(path: String, source: String, name: String)] = [
        ("a.dart", "\(dart).mine(u).newest.snapshots();", "mine"),
        ("a.dart", "\(dart).mine(u).newest().limit(3).snapshots();", "mine"),
        ("a.dart", "\(dart).newest.snapshots();", "newest"),
        ("a.dart", "\(dart).where('b', isEqualTo: u).newest.snapshots();", "newest"),
        ("a.swift", "\(swift).mine(id).newest().getDocuments { _, _ in } }", "mine"),
        ("a.swift", "\(swift).whereField(\"b\", isEqualTo: 1).recent.getDocuments { _, _ in } }", "recent"),
        ("a.swift", "\(swift).recent.order(by: \"b\").getDocuments { _, _ in } }", "recent"),
        ("a.kt", "\(kotlin).published().newest().get() }", "published"),
        ("a.kt", "\(kotlin).whereEqualTo(\"b\", 1).recent.get() }", "recent"),
        ("a.js", "import 'firebase/firestore';\ndb.collection('a').mine().newest().get();", "mine"),
    ]

    @Test func whatTheyAddIsNotKnown() {
        for (path, source, name) in Self.sources {
            expect(source, path, ["2 unresolved: '\(name)' is no call of a library for Firestore"])
        }
    }

    @Test func thePropertyThatRunsAQuery() {
        expect(
            "func f() async throws { for try await s in db.collection(\"a\").order(by: \"b\").snapshots { show(s) } }",
            "a.swift", ["1 a.orderBy(\"b\")"])
    }

    @Test func whatIsNoQuery() {
        let head = "import 'package:cloud_firestore/cloud_firestore.dart';\n"
        for source in [
            "f(u) { final list = db.collection('a').mine(u).newest; show(list.first.get('b')); }",
            "f(u) => db.collection('a').doc(u).collection('b').parent!.get();",
            "f(u) => db.collection('a').mine(u).then((s) => s.docs);",
        ] {
            expect(head + source, "a.dart", [])
        }
    }
}
