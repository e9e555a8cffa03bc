// SPDX-License-Identifier: Apache-2.0

import Foundation
import QuerySource
import TestSupport
import Testing

/// Code that is nested deeply is read as far as the stack allows, and what is deeper is unresolved, never silent.
@Suite struct NestingTests {
    struct Form: CustomTestStringConvertible, Sendable {
        let path: String
        let head: String
        let open: String
        let close: String
        var query = "db.collection('c').where('a', '==', 1).orderBy('b').get()"

        var testDescription: String { "\(path) \(open)" }

        func source(_ count: Int) -> String {
            head + String(repeating: open, count: count) + query + String(repeating: close, count: count) + "\n"
        }
    }

    private static let found = " c.where(\"a\",\"==\",1).orderBy(\"b\")"
    private static let tooComplex = " unresolved: the file is so complex that not all of it was followed"
    private static let dart =
        "import 'package:cloud_firestore/cloud_firestore.dart';\nfinal db=FirebaseFirestore.instance;\n"
    private static let dartQuery =
        "StreamBuilder(stream: db.collection('c').where('a', isEqualTo: 1).orderBy('b').snapshots())"
    private static let swiftQuery =
        "db.collection(\"c\").whereField(\"a\", isEqualTo: 1).order(by: \"b\").getDocuments()"
    private static let kotlinQuery = "db.collection(\"c\").whereEqualTo(\"a\", 1).orderBy(\"b\").get()"
    private static let swift = "import FirebaseFirestore\nlet db = Firestore.firestore()\n"
    private static let kotlin = "import com.google.firebase.firestore.ktx.firestore\nval db = Firebase.firestore\n"

    static let forms = [
        Form(path: "a.dart", head: dart + "final w = ", open: "Column(children:[", close: "])", query: dartQuery),
        Form(path: "a.dart", head: dart + "final w = ", open: "Center(child:", close: ")", query: dartQuery),
        Form(
            path: "a.dart", head: dart + "final w = ", open: "Builder(builder: (c) { return Center(child:",
            close: ");})", query: dartQuery),
        Form(path: "a.swift", head: swift, open: "if a { ", close: "}", query: swiftQuery),
        Form(path: "a.swift", head: swift, open: "VStack { ", close: "}", query: swiftQuery),
        Form(path: "a.kt", head: kotlin, open: "Column { ", close: "}", query: kotlinQuery),
        Form(path: "a.kt", head: kotlin, open: "when (a) { b -> ", close: "}", query: kotlinQuery),
        Form(
            path: "a.java", head: "Firestore db = FirestoreClient.getFirestore();\n", open: "run(() -> { ",
            close: "});", query: kotlinQuery),
        Form(
            path: "a.ts", head: "const db = getFirestore();\n", open: "f(async () => { try { ", close: "} catch {} });"),
        Form(path: "a.ts", head: "const db = getFirestore();\n", open: "function f() { ", close: "}"),
        Form(path: "a.tsx", head: "const db = getFirestore();\n", open: "({ a: [", close: "] })"),
        Form(path: "a.ts", head: "const db = getFirestore();\n", open: "if (a) {} else ", close: ""),
        Form(
            path: "a.go", head: "db, _ := firestore.NewClient(ctx, \"p\")\n", open: "f(func() { ", close: "})",
            query: "db.Collection(\"c\").Where(\"a\", \"==\", 1).OrderBy(\"b\", firestore.Asc).Documents(ctx)"),
        Form(
            path: "a.cs", head: "FirestoreDb db = FirestoreDb.Create(\"p\");\n", open: "foreach (var x in y) { ",
            close: "}",
            query: "db.Collection(\"c\").WhereEqualTo(\"a\", 1).OrderBy(\"b\").GetSnapshotAsync();"),
        Form(
            path: "a.php", head: "<?php\n$db = new FirestoreClient();\n", open: "f(function() { ", close: "});",
            query: "$db->collection('c')->where('a', '=', 1)->orderBy('b')->documents();"),
        Form(
            path: "a.py", head: "from google.cloud import firestore\ndb = firestore.Client()\nx = ",
            open: "f(lambda: [",
            close: "])", query: "db.collection('c').where('a', '==', 1).order_by('b').stream()"),
    ]

    private static func python(_ count: Int) -> String {
        "from google.cloud import firestore\ndb = firestore.Client()\n"
            + (0..<count).map { String(repeating: " ", count: $0) + "if a:\n" }.joined()
            + String(repeating: " ", count: count) + "db.collection('c').where('a', '==', 1).order_by('b').stream()\n"
    }

    /// The debug round has a quarter of the stack, and of the nesting that is too deep for it.
    private static let share = min(Rounds.share, 4)

    @Test(arguments: forms) func deepQueriesAreRead(_ form: Form) async {
        let sites = await deepSites(form.source(60), form.path)
        #expect(sites.count == 1 && sites.allSatisfy { $0.hasSuffix(NestingTests.found) }, "\(sites)")
    }

    @Test(arguments: forms) func whatIsTooDeepIsUnresolved(_ form: Form) async {
        let sites = await deepSites(form.source(5_000 / Self.share), form.path, stack: (64 << 20) / Self.share)
        #expect(sites.count == 1 && sites.allSatisfy { $0.hasSuffix(NestingTests.tooComplex) }, "\(sites)")
    }

    @Test func deepIndentation() async {
        #expect(await deepSites(Self.python(60), "a.py") == ["63" + Self.found])
        let sites = await deepSites(Self.python(2_500 / Self.share), "a.py", stack: (64 << 20) / Self.share)
        #expect(sites.count == 1 && sites.allSatisfy { $0.hasSuffix(NestingTests.tooComplex) }, "\(sites)")
    }

    /// On a thread that has such a stack: by default that which the command line has for reading.
    private func deepSites(_ source: String, _ path: String, stack: Int = 64 << 20) async -> [String] {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: sites(source, path, stack: stack)) }
            thread.stackSize = stack
            thread.start()
        }
    }
}
