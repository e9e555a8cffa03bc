// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import QueryPlanner
import QuerySource
import TestSupport
import Testing

/// Damaged sources are read without a trap, and what is found is inside them. `HEARTH_SOURCE_FUZZ` of them; `make fuzz` tries a
/// million.
@Suite struct MutationTests {
    private static let seeds: [(path: String, source: String)] =
        JavaScriptTests.cases.map { ("a.tsx", $0.source) } + SwiftTests.cases.map { ("a.swift", $0.source) }
        + PythonTests.cases.map { ("a.py", $0.source) } + MobileTests.kotlin.map { ("a.kt", $0.source) }
        + MobileTests.java.map { ("a.java", $0.source) } + MobileTests.dart.map { ("a.dart", $0.source) }
        + ServerTests.go.map { ("a.go", $0.source) } + ServerTests.cSharp.map { ("a.cs", $0.source) }
        + ServerTests.php.map { ("a.php", $0.source) }

    private static let splices = [
        "(", ")", "[", "]", "{", "}", "\"", "'", "`", "${", "\\(", "/*", "*/", "//", "#", "\n", "=>", "->", ".", "?.",
        "=",
        ":", ",", ";", "if ", "else ", "for ", "class ", "func ", "return ", "case ", "switch ", "when ", "get ",
        "lambda ",
        "<", ">", "@", "...", "?", "\u{0}", "é", "where(", "collection(", "q = q.", "import { a as b }",
    ]

    @Test func damagedSources() {
        var random = SeededGenerator.printingSeed()
        let count = Rounds.of(20_000, or: "HEARTH_SOURCE_FUZZ")
        let catalog = IndexCatalog(IndexConfiguration())
        let paths = Self.seeds.map(\.path)
        var found = 0
        for _ in 0..<count {
            let seed = random.pick(Self.seeds)
            let bytes = damaged(Array(seed.source.utf8), &random)
            let path = random.chance(0.9) ? seed.path : random.pick(paths)
            guard let report = QuerySource.read(bytes, path: path) else { continue }
            for site in report.sites {
                found += 1
                #expect((0...bytes.count).contains(site.offset))
                for request in site.queries.flatMap(\.requests) {
                    _ = try? Planner.plan(request, catalog: catalog, database: DatabaseID(project: "p"))
                }
            }
        }
        #expect(found > 0)
    }

    private func damaged(_ source: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = source
        for _ in 0..<random.int(1..<6) {
            let place = random.int(0..<bytes.count + 1)
            switch random.int(0..<5) {
            case 0: bytes.insert(contentsOf: Array(random.pick(Self.splices).utf8), at: place)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.int(0..<20)))
            case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            case 3:
                let start = random.int(0..<bytes.count + 1)
                bytes.insert(contentsOf: Array(bytes[start..<min(bytes.count, start + random.int(0..<60))]), at: place)
            default: bytes.removeSubrange(place..<bytes.count)
            }
            if bytes.isEmpty { bytes = [UInt8(ascii: "q")] }
        }
        return bytes
    }

    /// Nesting and repetition beyond any program's.
    @Test func extremeSources() async {
        let count = Rounds.of(10_000)
        let sources = [
            String(repeating: "(", count: count), String(repeating: "a(b=>{", count: count),
            String(repeating: "[", count: count) + String(repeating: "]", count: count),
            "collection" + String(repeating: ".where('a', '==', 1)", count: count),
            String(repeating: "if (a) { q = q.where('a','==',1) } else ", count: count),
            "collection(`" + String(repeating: "${`", count: count), String(repeating: "x = ", count: count),
            "db.collection('a')" + String(repeating: " + a", count: count), String(repeating: "a ? ", count: count),
            (0..<40).map { "function f\($0)(q) { return f\(($0 + 1) % 40)(f\(($0 + 7) % 40)(q.where('a','==',1))) }\n" }
                .joined() + "f0(db.collection('a')).get()",
            "let q = db.collection('a')\n"
                + String(repeating: "if (Math.random()) { q = q.where('a', '==', 1) }\n", count: Rounds.of(2_000))
                + "q.get()",
            String(repeating: "def f():\n if a:\n  ", count: count), String(repeating: "\"${", count: count),
            String(repeating: "class A { ", count: count), String(repeating: "switch (a) { case 1: ", count: count),
        ]
        let reports = await onMainStack {
            (sources + Self.declarations(count) + Self.doublings).flatMap { source in
                let source = Array(source.utf8)
                return MutationTests.paths.map { path in
                    _ = QuerySource.constants(in: source, path: path)
                    return QuerySource.read(source, path: path)?.sites.count ?? -1
                }
            }
        }
        #expect(reports.allSatisfy { $0 >= 0 })
    }

    /// Declarations, conditional lines and names of modules without an end.
    private static func declarations(_ count: Int) -> [String] {
        let sources: [String] = [
            "switch (a) { " + String(repeating: "case 1: f(); ", count: count) + "}",
            "class A {\n" + String(repeating: "a: B<C>\n", count: count),
            "class A { a: " + String(repeating: "B<", count: count),
            String(repeating: "class A {\n a(b = () => {\n", count: count),
            String(repeating: "a ? b(() => {", count: count),
            String(repeating: "#if A\n", count: count) + String(repeating: "#endif\n", count: count),
            "let a = b\n" + String(repeating: "#if A\n.limit(to: 1)\n", count: count),
            "let a = b\n" + String(repeating: "#if A\n.limit(to: 1)\n#endif\n", count: 60),
            "import { " + String(repeating: "a as b, ", count: count) + "} from './c'",
            String(repeating: "from a import (b,\n", count: count), String(repeating: "global a, ", count: count),
            "let x = A" + String(repeating: ".x", count: count), String(repeating: "x = x.x\n", count: count),
            String(repeating: "from.\n", count: count), nestedSwitches(10),
            "const m = {\((0..<1_900).map { "a\($0): 1" }.joined(separator: ","))}\nf({"
                + String(repeating: "...m,", count: count) + "})",
            "f({" + String(repeating: "...u,", count: count) + "})",
            "a" + String(repeating: "[0]", count: count) + " = 1", String(repeating: "a ||= ", count: count),
            "#if A\n let x = 1\n" + String(repeating: "#if A\n let x = 1\n", count: count)
                + String(repeating: "#endif\n", count: count),
        ]
        return sources.map { "collection\n\($0)" }
    }

    /// The last of many cases, which run into each other, is a choice itself.
    private static func nestedSwitches(_ depth: Int) -> String {
        guard depth > 0 else { return "x = 1;" }
        let cases = (1..<16).map { "case \($0): f();" }.joined()
        return "switch (a) { \(cases) case 16: \(nestedSwitches(depth - 1)) }"
    }

    /// Each line doubles the one before. They exhausted all memory.
    private static let doublings = [
        ("[where('a', '==', 1)]", "[...A, ...A]"), ("[where('a', '==', 1)]", "[A, A]"), ("'a'", "A + A"),
        ("{x: where('a', '==', 1)}", "{x: A, y: A}"), ("where('a', '==', 1)", "and(A, A)"), ("'a'", "`${A}${A}`"),
        ("'a'", "f'{A}{A}'"), ("[where('a', '==', 1)]", "A.concat(...A)"), ("['x']", "[*A, *A]"),
        ("{x: 'a'}", "{...A, ...A}"), ("'a'", "{...{x: A}, y: A}"),
    ].map { first, next in
        "from google.cloud import firestore\na0 = \(first)\n"
            + (1...40).map { "a\($0) = \(next.replacing("A", with: "a\($0 - 1)"))\n" }.joined()
            + "query(db.collection('n').where('b', 'in', a40), a40, ...a40).get()\ndb.collection(a40).get()\n"
    }

    /// What is too large to be followed is unresolved, never silent.
    @Test func largeValues() {
        let lists = (1...40).map { "a\($0) = [...a\($0 - 1), ...a\($0 - 1)];\n" }.joined()
        let query = "getDocs(query(collection(db, 'n'), ...a40))"
        #expect(
            sites("let a0 = [where('a', '==', 1)];\n\(lists)\(query)", "a.js")
                == ["42 unresolved: a part of it is a list of unknown length"])
        let steps = (0..<101).map { "q = q.where('a\($0)', '==', 1)\n" }.joined()
        #expect(
            sites("let q = db.collection('a')\n\(steps)q.get()", "a.js").last
                == "2 unresolved: it has more than 100 parts")
        let conditions = (0..<300).map { "if (c\($0)) { q = q.where('a', '==', 1) }\n" }.joined()
        #expect(
            sites("let q = db.collection('a')\n\(conditions)q.get()", "a.js").last
                == "2 unresolved: it can be built in more than 32 ways, of which some are checked")
        let functions = (0..<60).map {
            "function f\($0)(q) { if (c\($0)) { q = q.where('a', '==', 1) }; return g(f\($0 + 1)(q), f\($0 + 1)(q)) }\n"
        }
        #expect(
            sites("let q = db.collection('a')\n\(functions.joined())f0(q).get()", "a.js").last?.hasSuffix(
                "unresolved: the file is so complex that not all of it was followed") == true)
    }

    private static let paths = [
        "a.ts", "a.swift", "a.kt", "a.java", "a.dart", "a.py", "a.go", "a.cs", "a.php", "a.vue",
    ]

    /// Runs on a thread that has the stack of a main thread; those of tests have less.
    private func onMainStack(_ body: @escaping @Sendable () -> [Int]) async -> [Int] {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
