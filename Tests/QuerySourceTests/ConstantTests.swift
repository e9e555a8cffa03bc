// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Texts to which other files give names.
@Suite struct ConstantTests {
    private static let cases: [(path: String, definition: String, use: String)] = [
        (
            "a.ts", "export const NAMES = { users: 'users', n: 1 } as const;",
            "db.collection(NAMES.users).where('a', '==', 1).get();"
        ),
        (
            "a.ts", "export const NAMES = Object.freeze({ all: { users: 'users' } });",
            "getDocs(query(collection(db, NAMES.all.users), where('a', '==', 1)));"
        ),
        ("a.ts", "export const USERS = 'users';", "db.collection(USERS).where('a', '==', 1).get();"),
        (
            "a.ts", "export const USERS = 'users';",
            "import { USERS as NAME } from './names';\ndb.collection(NAME).where('a', '==', 1).get();"
        ),
        ("a.ts", "export enum Names { Users = 'users' }", "db.collection(Names.Users).where('a', '==', 1).get();"),
        (
            "a.swift", "enum Names { enum Of { static let users = \"users\" } }",
            "func f() { db.collection(Names.Of.users).whereField(\"a\", isEqualTo: 1).getDocuments { _, _ in } }"
        ),
        (
            "a.swift", "enum Names: String { case users = \"users\" }",
            "func f() { db.collection(Names.users.rawValue).whereField(\"a\", isEqualTo: 1).getDocuments { _, _ in } }"
        ),
        (
            "a.kt", "class Names { companion object { const val USERS = \"users\" } }",
            "fun f() { db.collection(Names.USERS).whereEqualTo(\"a\", 1).get() }"
        ),
        (
            "A.java", "public final class Names { public static final String USERS = \"users\"; }",
            "class A { void f() { db.collection(Names.USERS).whereEqualTo(\"a\", 1).get(); } }"
        ),
        (
            "a.dart", "const kUsers = 'users';", "f() { db.collection(kUsers).where('a', isEqualTo: 1).get(); }"
        ),
        (
            "a.dart", "class Names { static const users = 'users'; }",
            "f() { db.collection(Names.users).where('a', isEqualTo: 1).get(); }"
        ),
        ("a.py", "USERS = \"users\"\n", "def f():\n    return db.collection(USERS).where('a', '==', 1).get()\n"),
        (
            "a.go", "package a\nconst (\n\tUsers = \"users\"\n)\n",
            "func f() { c.Collection(Users).Where(\"a\", \"==\", 1).Documents(ctx) }"
        ),
        (
            "A.cs", "static class Names { public const string Users = \"users\"; }",
            "class A { void F() { db.Collection(Names.Users).WhereEqualTo(\"a\", 1).GetSnapshotAsync(); } }"
        ),
        (
            "a.php", "<?php class Names { const USERS = 'users'; }",
            "<?php function f($db) { return $db->collection(Names::USERS)->where('a', '=', 1)->documents(); }"
        ),
    ]

    private func constants(_ definitions: String..., path: String) -> SourceConstants {
        definitions.reduce(into: SourceConstants()) {
            $0.merge(QuerySource.constants(in: Array($1.utf8), path: path))
        }
    }

    @Test func constantsOfOtherFilesAreKnown() {
        for (path, definition, use) in Self.cases {
            let found = sites(use, path, constants: constants(definition, path: path))
            #expect(found.map { $0.drop { $0 != " " } } == [" users.where(\"a\",\"==\",1)"], "\(definition) \(use)")
        }
    }

    /// A name with several values, or with one that is computed in a file, is not known.
    @Test func namesWithSeveralValues() {
        func query(_ definitions: SourceConstants, _ name: String = "NAMES.users") -> [String] {
            sites("db.collection(\(name)).where('a', '==', 1).get();", "a.ts", constants: definitions)
        }
        let users = "const NAMES = { users: 'users' };"
        let unknown = "1 unresolved: its collection is"
        #expect(query(constants(users, users, path: "a.ts")) == ["1 users.where(\"a\",\"==\",1)"])
        #expect(
            query(constants(users, "const NAMES = { users: 'u' };", path: "a.ts"))
                == ["\(unknown) 'NAMES.users', to which other files give different values"])
        #expect(
            query(constants(users, "const NAMES = { users: env.users };", path: "a.ts"))
                == ["\(unknown) 'NAMES.users', which this file does not define"])
        // Another language has other names, and functions have theirs.
        #expect(
            query(constants("class NAMES { static const users = 'users'; }", path: "a.dart"))
                == ["\(unknown) 'NAMES.users', which this file does not define"])
        #expect(
            query(constants("function f() { const USERS = 'users'; }", path: "a.ts"), "USERS")
                == ["\(unknown) 'USERS', which this file does not define"])
        // It may be the variable of a loop.
        #expect(
            query(constants("const users = 'users';", path: "a.ts"), "users")
                == ["\(unknown) 'users', which this file does not define"])
    }

    /// What the file defines itself is what it says.
    @Test func theFilesOwnNames() {
        let names = constants("const NAMES = { users: 'users' };", path: "a.ts")
        let use = "db.collection(NAMES.users).where('a', '==', 1).get();"
        #expect(
            sites("function f(NAMES) { \(use) }", "a.ts", constants: names)
                == ["1 unresolved: its collection is 'NAMES.users', which this file does not define"])
        #expect(
            sites("const NAMES = { users: 'u' };\ndb.collection(NAMES.users).get();", "a.ts", constants: names)
                == ["2 u"])
    }
}
