// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Testing

@testable internal import SecurityRules

/// How often a term may be joined with itself by `&&` before the limit of 1000 expressions is reached, measured on the
/// official emulator 1.19.9.
@Suite struct ExpressionCountTests {
    @Test(arguments: [
        ("true", "", 334), ("-1 < 0", "", 167), ("'a' is string", "", 200),
        ("[1] is list", "", 167), ("x is string", "", 200), ("(true || false)", "", 250),
        ("(false && true || true)", "", 143), ("{'a': 1} != null", "", 143), ("'a' in {'a': 1}", "", 143),
        ("[1,2][0:1] is list", "", 100), ("!false", "", 250), ("math.abs(1) == 1", "", 167),
        ("request.auth == null", "", 167), ("request['auth'] == null", "", 143), ("/a/b != null", "", 143),
        ("/a/$(x) != null", "", 143), ("/a/{y} != null", "", 167), ("(true ? true : false)", "", 167),
        ("f(1)", "function f(a) { return a == a; }", 143),
        ("f()", "function f() { let a = 1; return a == a; }", 125),
        ("f()", "function f() { let a = 1; return true; }", 167),
        ("f(1 + 1)", "function f(a) { return a == a && a == a; }", 71),
        ("f(1+1)", "function f(a) { return true; }", 143),
    ])
    func limits(_ term: String, _ functions: String, _ limit: Int) throws {
        #expect(try Self.isAllowed(term, functions, limit))
        #expect(try !Self.isAllowed(term, functions, limit + 1))
    }

    private static func isAllowed(_ term: String, _ functions: String, _ count: Int) throws -> Bool {
        var groups: [String] = []
        for start in stride(from: 0, to: count, by: 40) {
            let terms = Array(repeating: term.contains("||") ? "(\(term))" : term, count: min(40, count - start))
            groups.append("(\(terms.joined(separator: " && ")))")
        }
        let source = """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                \(functions)
                match /a/{x} { allow get: if \(groups.joined(separator: " && ")); }
              }
            }
            """
        let rules = try #require(RuleSet.compile(source).rules)
        let path = ResourcePath(segments: ["a", "1"])
        return rules.decide(RuleRequest(.get([path]), time: RuleTimestamp(.minimum))) { _ in .empty }.isAllowed
    }
}
