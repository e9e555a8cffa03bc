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

    /// A package may have a name that a file of the program has, too.
    @Test(arguments: [
        "import { USERS } from '@acme/shared';", "import { USERS as NAME } from 'shared';",
        "import type { A } from 'a';\nimport USERS, { B } from 'shared';", "const { USERS } = require('shared');",
        "const { A, USERS } = await import('shared');",
    ])
    func namesOfPackages(_ head: String) {
        let names = constants("export const USERS = 'users';", path: "a.ts")
        let use = "\ndb.collection(USERS).where('a', '==', 1).get();"
        let found = sites(head + use, "b.ts", constants: names)
        #expect(found.count == 1 && found.allSatisfy { $0.contains("unresolved") }, "\(head) \(found)")
    }

    @Test(arguments: [
        "import { USERS } from './shared';", "import { USERS } from '@/shared';", "import { USERS } from '~/shared';",
        "import { A } from 'shared';\nimport { USERS } from '../shared';", "const { USERS } = require('./shared');",
        "import 'shared';",
    ])
    func namesOfOwnFiles(_ head: String) {
        let names = constants("export const USERS = 'users';", path: "a.ts")
        let found = sites("\(head) db.collection(USERS).get();", "b.ts", constants: names)
        #expect(found.map { $0.drop { $0 != " " } } == [" users"], "\(head)")
    }

    private static let shared: [(path: String, definition: String, use: String)] = [
        ("a.js", "import './x';\nconst USERS = 'users';\nexport { USERS, A as B };", "USERS"),
        ("a.js", "const NAMES = { users: 'users' };\nexport default NAMES;", "NAMES.users"),
        ("a.js", "const NAMES = { users: 'users' };\nexport { NAMES as default };", "NAMES.users"),
        ("a.js", "const x = require('x');\nconst USERS = 'users';\nmodule.exports = { x, USERS };", "USERS"),
        ("a.js", "const NAMES = { users: 'users' };\nmodule.exports = Object.freeze({ NAMES });", "NAMES.users"),
        ("a.js", "const USERS = 'users';\nexports.USERS = USERS;", "USERS"),
        ("a.js", "export const A = 'a', USERS = 'users';", "USERS"),
        ("a.js", "export let USERS = 'users';\nfunction f() { const USERS = 'u'; }", "USERS"),
        ("a.js", "export default class Names { static users = 'users'; }", "Names.users"),
        ("a.swift", "enum Names { static var users = \"users\"; let a = Names.users == \"a\" }", "Names.users"),
        ("A.cs", "internal static class Names { public static string Users = \"users\"; }", "Names.Users"),
    ]

    private static let unshared: [(path: String, definition: String, use: String)] = [
        ("a.js", "import './x';\nconst USERS = 'users';", "USERS"),
        ("a.js", "const USERS = 'users';\nexport { USERS as NAME };", "USERS"),
        ("a.js", "const x = require('x');\nconst USERS = 'users';\nmodule.exports = { x };", "USERS"),
        ("a.js", "export function f() {}\nclass Names { static users = 'users'; }", "Names.users"),
        ("a.ts", "export class Names { private static users = 'users'; }", "Names.users"),
        ("a.swift", "private enum Names { static let users = \"users\" }", "Names.users"),
        ("a.swift", "fileprivate let kUsers = \"users\"", "kUsers"),
        ("a.kt", "private const val USERS = \"users\"", "USERS"),
        ("a.kt", "class Names { private companion object { const val USERS = \"users\" } }", "Names.USERS"),
        ("A.java", "class Names { private static final String USERS = \"users\"; }", "Names.USERS"),
        ("A.cs", "static class Names { private const string Users = \"users\"; }", "Names.Users"),
        ("a.php", "<?php class Names { private const USERS = 'users'; }", "Names.USERS"),
        // Those that change.
        ("a.js", "export let USERS = 'users';\nexport function set(name) { USERS = name; }", "USERS"),
        ("a.js", "export class Names { static users = 'users'; }\nNames.users = 'u';", "Names.users"),
        ("a.ts", "export class Names {\n  users = 'users';\n  constructor(a) { this.users = a; }\n}", "Names.users"),
        ("a.swift", "enum Names { static var users = \"users\" }\nfunc f() { Names.users = \"u\" }", "Names.users"),
        ("a.kt", "var USERS = \"users\"\nfun set(name: String) { USERS = name }", "USERS"),
    ]

    /// Others do not see what is private or not exported, and what changes is no constant.
    @Test func namesThatOtherFilesSee() {
        for (cases, isKnown) in [(Self.shared, true), (Self.unshared, false)] {
            for (path, definition, use) in cases {
                let names = constants(definition, path: path)
                let member = path.hasSuffix("php") ? use.split(separator: ".").joined(separator: "::") : use
                let query: String
                switch path.drop(while: { $0 != "." }) {
                case ".swift": query = "func f() { db.collection(\(use)).getDocuments { _, _ in } }"
                case ".kt": query = "fun f() { db.collection(\(use)).get() }"
                case ".java": query = "class A { void f() { db.collection(\(use)).get(); } }"
                case ".cs": query = "class A { void F() { db.Collection(\(use)).GetSnapshotAsync(); } }"
                case ".php": query = "<?php function f($db) { return $db->collection(\(member))->documents(); }"
                default: query = "db.collection(\(use)).get();"
                }
                let found = sites(query, path, constants: names)
                #expect((found == ["1 users"]) == isKnown, "\(definition) \(found)")
            }
        }
    }

    /// Names of members grow with the names around them.
    @Test func longNames() {
        func query(_ key: String) -> [String] {
            sites(
                "db.collection(NAMES.\(key).users).get();", "a.ts",
                constants: constants("export const NAMES = { \(key): { users: 'users' } };", path: "a.ts"))
        }
        #expect(query(String(repeating: "k", count: 180)) == ["1 users"])
        #expect(query(String(repeating: "k", count: 200)) != ["1 users"])
    }

    /// An assignment may be in another file than the declaration.
    @Test func assignmentsInOtherFiles() {
        let use = "db.collection(Names.users).get();"
        let names = "export class Names { static users = 'users'; }"
        #expect(sites(use, "a.js", constants: constants(names, "Names.users = 'u';", path: "a.js")) != ["1 users"])
        // Here it is another one.
        let other = "import './x';\nclass Names {}\nNames.users = 'u';"
        #expect(sites(use, "a.js", constants: constants(names, other, path: "a.js")) == ["1 users"])
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
