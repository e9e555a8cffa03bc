// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Constants of other files by the modules that have them, and members of objects by their keys.
@Suite struct ModuleConstantTests {
    private static let python = [
        "app/names.py":
            "USERS = 'users'\nrooms = 'r'\nNAMES = {'x': 'u', 'deep': {'y': 'posts'}, USERS: 'n', 'a.b': 'ab'}\n",
        "app/other.py": "ROOMS = 'r'\nif DEBUG:\n    ROOMS = 'd'\n",
        "app/sub/__init__.py": "POSTS = 'p'\n",
        "lib/twice.py": "USERS = 'a'\n", "src/twice.py": "USERS = 'b'\n",
        "app/changed.py": "KINDS = {'x': 'u'}\nKINDS['x'] = 'v'\nTYPES = {'x': 'u'}\nTYPES.update(more)\n"
            + "def f():\n    global TOP\n    TOP = 't'\nTOP = 's'\n",
    ]

    @Test(arguments: [
        ("from app import names", "names.USERS", "users"), ("from app import names as n", "n.USERS", "users"),
        ("import app.names as c", "c.USERS", "users"), ("import app.names", "app.names.USERS", "users"),
        ("from app.names import rooms", "rooms", "r"), ("from .names import NAMES", "NAMES['x']", "u"),
        ("from . import names", "names.NAMES['deep']['y']", "posts"), ("import names, os", "names.NAMES[\"x\"]", "u"),
        ("from app import (sub,\n  names as n)", "n.rooms", "r"), ("from app import sub", "sub.POSTS", "p"),
        ("", "NAMES['x']", "u"), ("from app.names import NAMES as N", "N['x']", "u"),
        ("NAMES = {'x': 'own'}", "NAMES['x']", "own"),
    ]) func knownToPython(_ head: String, _ name: String, _ collection: String) {
        let source = "\(head)\ndb.collection(\(name)).where('a', '==', 1).get()\n"
        #expect(
            collections(source, "app/main.py", Self.python) == ["\(collection).where(\"a\",\"==\",1)"],
            "\(head) \(name)")
    }

    @Test(arguments: [
        ("from lib2 import names", "names.USERS"), ("from django.conf import names", "names.USERS"),
        ("import twice", "twice.USERS"), ("from app import names", "names.NONE"),
        ("from app import other", "other.ROOMS"),
        ("from app.names import NAMES", "NAMES['none']"), ("from app.names import NAMES", "NAMES['USERS']"),
        ("from app.names import NAMES", "NAMES[key]"), ("from app.names import NAMES", "NAMES.a.b"),
        ("from app import changed", "changed.KINDS['x']"), ("from app import changed", "changed.TYPES['x']"),
        ("from app import changed", "changed.TOP"), ("def f(names):", " names.USERS"),
        ("try:\n  from app import names\nexcept E:\n  import other as names", "names.USERS"),
        ("N = {USERS: 'u'}", "N['USERS']"),
    ]) func unknownToPython(_ head: String, _ name: String) {
        let source = "\(head)\n db.collection(\(name)).where('a', '==', 1).get()\n"
        let found = collections(source, "app/main.py", Self.python)
        #expect(found.count == 1 && found[0].hasPrefix("unresolved"), "\(head) \(name) \(found)")
    }

    private static let script = [
        "src/names.ts": "export const USERS = 'users';\nexport const rooms = { all: 'r' };\n"
            + "export const COLLECTIONS = { users: 'u', deep: { posts: 'p' } } as const;\nconst HIDDEN = 'h';",
        "src/db/index.ts": "export const POSTS = 'posts';",
        "lib/names.ts": "export const USERS = 'others';",
        "src/common.js": "module.exports = { USERS: 'c', KINDS: { a: 'k' } };",
        "src/changed.ts":
            "export const MAP = { a: 'a', b: 'b' };\nMAP['a'] = 'c';\nexport const ALL = { a: 'a', ...more };\n"
            + "export const SET = { a: 'a' };\nObject.assign(SET, more);",
    ]

    @Test(arguments: [
        ("import * as names from './names'", "names.USERS", "users"),
        ("import * as names from './names.js'", "names.COLLECTIONS.users", "u"),
        ("import * as names from '@/src/names'", "names.COLLECTIONS['users']", "u"),
        ("import * as names from '../lib/names'", "names.USERS", "others"),
        ("import { USERS } from './names'", "USERS", "users"), ("import { rooms } from './names'", "rooms.all", "r"),
        ("import { COLLECTIONS } from './names'", "COLLECTIONS['deep'].posts", "p"),
        ("import { COLLECTIONS as ALL } from './names'", "ALL.users", "u"), ("", "COLLECTIONS['users']", "u"),
        ("import * as db2 from './db'", "db2.POSTS", "posts"),
        ("import * as db2 from './db/index'", "db2.POSTS", "posts"),
        ("const names = require('./names')", "names.USERS", "users"),
        ("const common = require('./common')", "common.KINDS.a", "k"),
        ("const { USERS: NAME } = require('./common')", "NAME", "c"),
        ("const names = await import('./names')", "names.USERS", "users"),
        ("import { MAP } from './changed'", "MAP.b", "b"), ("const O = { users: 'own' }", "O['users']", "own"),
    ]) func knownToJavaScript(_ head: String, _ name: String, _ collection: String) {
        let source = "\(head)\ndb.collection(\(name)).where('a', '==', 1).get()"
        #expect(
            collections(source, "src/main.ts", Self.script) == ["\(collection).where(\"a\",\"==\",1)"],
            "\(head) \(name)")
    }

    @Test(arguments: [
        ("import * as names from 'names'", "names.USERS"), ("import * as names from './none'", "names.USERS"),
        ("import * as names from './names'", "names.HIDDEN"),
        ("import * as names from './names'", "names.COLLECTIONS.none"),
        ("import * as names from '@/names'", "names.USERS"),
        ("import { COLLECTIONS } from 'names'", "COLLECTIONS['users']"),
        ("import { MAP } from './changed'", "MAP.a"), ("import { ALL } from './changed'", "ALL.a"),
        ("import { SET } from './changed'", "SET.a"), ("import * as names from './names'", "names[key]"),
        ("const { USERS } = require('./names').all", "USERS"), ("const names = load('./names')", "names.USERS"),
    ]) func unknownToJavaScript(_ head: String, _ name: String) {
        let source = "\(head)\ndb.collection(\(name)).where('a', '==', 1).get()"
        let found = collections(source, "src/main.ts", Self.script)
        #expect(found.count == 1 && found[0].hasPrefix("unresolved"), "\(head) \(name) \(found)")
    }

    private static let configuration = """
        {
          // Ours.
          "extends": ["./tsconfig.base.json", "shared"],
          "compilerOptions": {
            "baseUrl": "./src",
            "paths": {"@app/*": ["app/*"], "names": ["app/names.ts"], "lib-*": ["../lib/*/index",], "@app/old/*": ["none/*"]},
          },
        }
        """

    @Test(arguments: [
        ("import { USERS } from '@app/names'", "USERS", "users"), ("import { USERS } from 'names'", "USERS", "users"),
        ("import * as names from 'app/names'", "names.USERS", "users"),
        ("import { POSTS } from 'lib-db'", "POSTS", "posts"),
        ("const names = require('@app/names')", "names.USERS", "users"),
        ("import { USERS } from '@app/none'", "USERS", ""),
        ("import { USERS } from 'react'", "USERS", ""), ("import { USERS } from '@app/old/names'", "USERS", ""),
    ]) func aliases(_ head: String, _ name: String, _ collection: String) {
        let aliases = ModuleAliases(configuration: Array(Self.configuration.utf8), folder: "web")
        #expect(aliases.extended == ["web/./tsconfig.base.json"])
        let files = [
            "web/src/app/names.ts": "export const USERS = 'users';", "other/names.ts": "export const USERS = 'others';",
            "web/lib/db/index.ts": "export const POSTS = 'posts';",
        ]
        let source = "\(head)\ndb.collection(\(name)).where('a', '==', 1).get()"
        let found = collections(source, "web/src/main.ts", files, aliases)
        expect(found, ofCollection: collection, head)
    }

    /// The last one has a target with two stars.
    @Test(arguments: [
        "", "{", "[]", "{\"compilerOptions\":{\"paths\":{\"*\":3},\"baseUrl\":{}}}",
        "{\"compilerOptions\":{\"paths\":{\"n*\":[\"./n*/../n*\"]}}}",
    ])
    func configurationsWithoutAliases(_ text: String) {
        let aliases = ModuleAliases(configuration: Array(text.utf8), folder: ".")
        let files = ["names.ts": "export const USERS = 'users';"]
        let source = "import { USERS } from 'names'\ndb.collection(USERS).where('a', '==', 1).get()"
        #expect(collections(source, "a.ts", files, aliases).allSatisfy { $0.hasPrefix("unresolved") })
    }

    /// Where a path is known from the working folder on, a file that only ends like it is another one.
    @Test(arguments: [
        ("index.js", "const { users } = require('./names')", "users"),
        ("index.js", "import { users } from '@/names'", "users"),
        ("src/index.js", "import * as names from '../names'", "names.users"),
        ("names/index.js", "import { users } from '../../names'", "users"),
        ("main.py", "from .names import users", "users"), ("src/main.py", "from .. import names", "names.users"),
        ("main.py", "from ..lib.names import users", "users"),
        ("index.ts", "import { users } from 'shared'", "users"),
    ]) func filesOfTheSameEnd(_ path: String, _ head: String, _ name: String) {
        let files = [
            "names.js": "exports.users = process.env.USERS", "tools/names.js": "module.exports = { users: 'archive' }",
            "names.py": "kinds = 'k'\n", "tools/names.py": "users = 'archive'\n", "lib/names.py": "users = 'u'\n",
            "tools/shared.ts": "export const users = 'archive';",
        ]
        let configuration = #"{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}"#
        let aliases = ModuleAliases(configuration: Array(configuration.utf8), folder: ".")
        let found = collections(
            "\(head)\ndb.collection(\(name)).where('a', '==', 1).get()", path, files, aliases)
        #expect(found.count == 1 && found[0].hasPrefix("unresolved"), "\(head) \(found)")
    }

    /// Folders around the working folder are told apart from it.
    @Test func filesAroundTheWorkingFolder() {
        let files = ["../lib/names.js": "module.exports = { users: 'u' }", "../names.py": "users = 'v'\n"]
        let use = ".where('a', '==', 1).get()\n"
        #expect(
            collections("import { users } from './names'\ndb.collection(users)\(use)", "../lib/a.js", files)
                == ["u.where(\"a\",\"==\",1)"])
        #expect(
            collections("from ..names import users\ndb.collection(users)\(use)", "main.py", files)
                == ["v.where(\"a\",\"==\",1)"])
    }

    /// What a file assigns to a member of its own object, the member may be.
    @Test func membersThatTheFileAssigns() {
        expect(
            """
            const NAMES = { a: 'u', b: 'v' };
            NAMES.a = 'w';
            db.collection(NAMES.a).where('a', '==', 1).get();
            db.collection(NAMES.b).where('a', '==', 1).get();
            """, "src/a.js",
            [
                "3 u.where(\"a\",\"==\",1)", "3 unresolved: its collection is 'NAMES.a', to which this file assigns",
                "4 v.where(\"a\",\"==\",1)",
            ])
    }

    /// Chains of names, and files of one name, have bounds.
    @Test func manyNames() {
        let chain = Array(repeating: "x", count: 60).joined(separator: ".")
        let files = (0..<100).map { ("a\($0)/x.py", "x = 'u'\n") }
        let found = collections(
            "import x\n" + String(repeating: "db.collection(x.\(chain)).where('a', '==', 1).get()\n", count: 20),
            "main.py", Dictionary(uniqueKeysWithValues: files))
        #expect(found.count == 20 && found.allSatisfy { $0.hasPrefix("unresolved") })
    }
}
