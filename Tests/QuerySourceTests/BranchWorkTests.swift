// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import QuerySource

/// A branch costs what it sets, however many variables there are.
@Suite struct BranchWorkTests {
    private static let branches = [
        "if (x) { a# = 2 }", "if (x) { a# = 2 } else { a# = 3 }", "try { a# = 2 } catch { a# = 3 }",
        "y = x ? (a# = 2) : 3;", "run(() => { a# = 2 });", "set#();",
    ]

    @Test func assignmentsAreInProportion() {
        for branch in Self.branches {
            let (few, many) = (assignments(branch, 100), assignments(branch, 1_000))
            #expect(few >= 200 && many <= 10 * few + 100, "\(branch): \(few), \(many)")
        }
    }

    /// How often variables are set where each of many is set in a branch.
    private func assignments(_ branch: String, _ count: Int) -> Int {
        let names = (0..<count).map(String.init)
        let functions = names.map { "function set\($0)() { a\($0) = 4 }\n" }.joined()
        let variables = names.map { "var a\($0) = 1;\n" }.joined()
        let branches = names.map { "\(branch.replacing("#", with: $0))\n" }.joined()
        let source = "\(functions)function f(x) {\n\(variables)\(branches)}\n"
        var lexer = Lexer(Array(source.utf8), .javaScript)
        var reader = Reader(lexer.tokens(), .javaScript, maximumDepth: 100)
        let hints = SourceHints([], [], collections: [:], isAboutFirestore: true, isAboutOthers: false)
        var follower = Follower(.javaScript, hints, fuel: 1_000_000, maximumDepth: 100)
        _ = follower.followBlock(reader.statements())
        return follower.versions
    }

    /// What a way has set is taken back before the next one.
    @Test func waysDoNotSeeEachOther() {
        expect(
            """
            let q = db.collection('a'), p = q;
            if (x) { if (y) { q = q.where('b', '==', 1); } else { p = q; return; } } else { try { q = p.limit(3); } catch { p = q; } }
            z ? (p = q.orderBy('c')) : (q = p);
            q.get();
            """, "a.js",
            [
                "2 a", "2 a.limit(3)", "2 a.limit(3).orderBy(\"c\")", "2 a.orderBy(\"c\")", "2 a.where(\"b\",\"==\",1)",
                "2 a.where(\"b\",\"==\",1).orderBy(\"c\")",
            ])
    }
}
