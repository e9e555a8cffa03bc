// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `check --source --rules`: of which queries rules say anything.
@Suite struct SourceRulesTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        try bench.write(
            "x.rules",
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /chats/{c}/messages/{m} { allow read: if true; }
                match /a/{id} { allow read: if false; }
              }
            }
            """)
    }

    /// Whether a user may run each query of a file; nil where rules do not concern it.
    private func users(_ name: String, _ source: String) throws -> [Bool?] {
        try bench.write(name, source)
        return try bench.hearth("check", "--source", name, "--rules", "x.rules", "--format", "json").lines.map { line in
            let line = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let rules = try #require(line?["rules"] as? [String: Any])
            return rules["applies"] as? Bool == false ? nil : rules["user"] as? Bool
        }
    }

    static let servers: [(name: String, source: String)] = [
        (
            "f.js",
            """
            const admin = require('firebase-admin');
            exports.f = () => admin.firestore().collection('a').where('s', '==', 1).get();
            """
        ),
        (
            "f.ts",
            """
            import { Firestore } from "@google-cloud/firestore";
            export const f = () => new Firestore().collection('a').where('s', '==', 1).get();
            """
        ),
        (
            "f.mjs",
            """
            import { db } from '../lib/firebase-admin';
            export const f = () => db.collection('a').where('s', '==', 1).get();
            """
        ),
        ("f.py", "docs = db.collection('a').where('s', '==', 1).stream()\n"),
        ("f.go", "package f\nfunc f() { it := client.Collection(\"a\").Where(\"s\", \"==\", 1).Documents(ctx) }\n"),
        ("f.php", "<?php $a = $db->collection('a')->where('s', '=', 1)->documents();\n"),
        (
            "F.cs",
            """
            using Google.Cloud.Firestore;
            class F { void G() { db.Collection("a").WhereEqualTo("s", 1).GetSnapshotAsync(); } }
            """
        ),
        (
            "F.java",
            """
            import com.google.cloud.firestore.Firestore;
            class F { void f() { db.collection("a").whereEqualTo("s", 1).get(); } }
            """
        ),
    ]

    @Test(arguments: servers) func rulesDoNotConcernServers(_ server: (name: String, source: String)) throws {
        let verdicts = try users(server.name, server.source)
        #expect(verdicts == [nil])
        #expect(try bench.hearth("check", "--source", server.name, "--rules", "x.rules", "--strict").code == 0)
    }

    static let clients: [(name: String, source: String)] = [
        (
            "u.js",
            """
            import { collection, getDocs, getFirestore, query, where } from 'firebase/firestore';
            getDocs(query(collection(getFirestore(), 'a'), where('s', '==', 1)));
            """
        ),
        (
            "u.swift",
            """
            import FirebaseFirestore
            let a = db.collection("a").whereField("s", isEqualTo: 1).getDocuments()
            """
        ),
        (
            "U.java",
            """
            import com.google.firebase.firestore.FirebaseFirestore;
            class U { void f() { db.collection("a").whereEqualTo("s", 1).get(); } }
            """
        ),
        (
            "U.cs",
            """
            using Firebase.Firestore;
            class U { void G() { db.Collection("a").WhereEqualTo("s", 1).GetSnapshotAsync(); } }
            """
        ),
    ]

    @Test(arguments: clients) func rulesConcernUsers(_ user: (name: String, source: String)) throws {
        let verdicts = try users(user.name, user.source)
        #expect(verdicts == [false])
    }

    /// Only functions of the modular library say which of two libraries makes a query.
    @Test func aFileWithLibrariesForBoth() throws {
        let verdicts = try users(
            "b.ts",
            """
            import * as admin from 'firebase-admin';
            import { collection, getDocs, query, where } from 'firebase/firestore';
            getDocs(query(collection(db, 'a'), where('s', '==', 1)));
            other.collection('a').where('t', '==', 1).get();
            """)
        #expect(verdicts == [false, nil])
    }

    /// A path of which a collection is not known may be one that rules allow.
    static let places: [(collection: String, user: Bool?)] = [
        ("db.collection(PATHS.chats).doc(id).collection('messages')", nil),
        ("doc.ref.collection('messages')", nil), ("collection(userRef, 'messages')", nil),
        ("db.collection(`${CHATS}/${id}/messages`)", nil), ("db.doc(path).collection('x').doc(y).collection('a')", nil),
        ("db.collection('chats').doc(id).collection('messages')", true), ("db.collection('messages')", false),
        ("dbRef.collection('messages')", false), ("collection(db, 'chats', id, 'messages')", true),
    ]

    @Test(arguments: places) func thePlaceMustBeKnown(_ place: (collection: String, user: Bool?)) throws {
        let verdicts = try users("p.js", "// Firestore\n\(place.collection).where('s', '==', 1).get();\n")
        #expect(verdicts == [place.user])
    }
}
