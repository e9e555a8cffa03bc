// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Which `tsconfig.json` `--source` reads, and how.
@Suite struct SourceAliasesTests {
    let bench: Workbench

    private static let use = "import { USERS } from '@acme/names';\ndb.collection(USERS).where('a', '==', 1).get();\n"

    init() throws { bench = try Workbench() }

    private func write(_ files: [String: String]) throws {
        for (path, text) in files {
            let folder = bench.path(path).split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: "/\(folder)", withIntermediateDirectories: true)
            try bench.write(path, text)
        }
    }

    private func queries(_ folder: String, in place: String = ".") throws -> [String?] {
        let program = try Locations.program("hearth").path
        let script = "cd \"$1\" && \"$0\" check --source \"$2\" --format json"
        return try bench.bash(["-c", script, program, place, folder]).lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["query"] as? String
        }
    }

    private static func aliases(_ target: String, _ more: String = "") -> String {
        "{\(more)\"compilerOptions\": {\"paths\": {\"@acme/*\": [\"\(target)\"]}}}"
    }

    /// Folders of files decide, and not the working folder.
    @Test func configurationsAroundTheWorkingFolder() throws {
        try write([
            "app/tsconfig.json": Self.aliases("src/*"), "app/src/use.ts": Self.use,
            "app/src/names.ts": "export const USERS = 'users';\n", "app/lib/names.ts": "export const USERS = 'u';\n",
            "other/use.ts": Self.use, "other/names.ts": "export const USERS = 'others';\n",
            "own/tsconfig.json": Self.aliases("*"), "own/use.ts": Self.use,
            "own/names.ts": "export const USERS = 'own';\n",
        ])
        let users = [#"users.where("a","==",1)"#]
        #expect(try queries(".", in: "app/src") == users)
        #expect(try queries("src", in: "app") == users)
        #expect(try queries("app", in: ".") == users)
        #expect(try queries("../src", in: "app/lib") == users)
        #expect(try queries("../other", in: "app") == [nil])
        #expect(try queries("../own", in: "app") == [#"own.where("a","==",1)"#])
    }

    /// A pipe has no end before somebody writes to it.
    @Test func pipesAreNoConfigurations() throws {
        try write(["web/use.ts": Self.use, "pipe/use.ts": Self.use, "pipe/names.ts": "export const USERS = 'u';\n"])
        try #require(mkfifo(bench.path("web/tsconfig.json"), 0o600) == 0)
        try #require(mkfifo(bench.path("pipe/base.json"), 0o600) == 0)
        try bench.write("pipe/tsconfig.json", Self.aliases("*", "\"extends\": \"./base.json\", "))
        #expect(try queries("web") == [nil])
        #expect(try queries("pipe") == [#"u.where("a","==",1)"#])
    }

    @Test func theLastOfSeveralConfigurationsCounts() throws {
        try write([
            "web/use.ts": Self.use, "web/a/names.ts": "export const USERS = 'first';\n",
            "web/b/names.ts": "export const USERS = 'last';\n", "web/a.json": Self.aliases("a/*"),
            "web/b.json": Self.aliases("b/*", "\"extends\": [\"./tsconfig.json\", \"./a.json\"], "),
            "web/tsconfig.json": "{\"extends\": [\"./a.json\", \"./b.json\", \"./tsconfig.json\"]}",
        ])
        #expect(try queries("web") == [#"last.where("a","==",1)"#])
    }
}
