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

    private func queries(_ folder: String) throws -> [String?] {
        try bench.hearth("check", "--source", folder, "--format", "json").lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["query"] as? String
        }
    }

    private static func aliases(_ target: String, _ more: String = "") -> String {
        "{\(more)\"compilerOptions\": {\"paths\": {\"@acme/*\": [\"\(target)\"]}}}"
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
