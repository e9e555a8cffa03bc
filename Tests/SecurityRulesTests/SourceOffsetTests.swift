// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import Testing

@testable internal import SecurityRules

/// Where the report of a coverage and issues lie among the characters of a source, as the official emulator 1.19.9 says it.
@Suite struct SourceOffsetTests {
    private static let head = """
        rules_version = '2';
        service cloud.firestore { match /databases/{database}/documents { /* ü */ FUNCTIONS
        match /c/{x} { allow read: if\u{20}
        """

    private static func source(_ condition: String, _ functions: String) -> (text: String, start: Int) {
        let head = head.replacing("FUNCTIONS", with: functions)
        return ("\(head)\(condition); } } }", head.unicodeScalars.count)
    }

    /// Depth, first and last character of each node behind the beginning of the condition; functions come before it.
    private static func report(_ condition: String, _ functions: String = "") throws -> [String] {
        let (text, start) = source(condition, functions)
        let rules = try #require(RuleSet.compile(text).rules)
        let request = RuleRequest(
            .get([ResourcePath(segments: ["c", "1"])]), time: RuleTimestamp(RecordedRulesTests.time))
        var coverage = RuleCoverage(rules)
        coverage.add(rules.explain(request) { _ in nil })
        func lines(_ node: JSONNode, _ depth: Int) -> [String] {
            let place = node["sourcePosition"]
            let numbers = ["currentOffset", "endOffset"].map { Int(place?[$0]?.number?.int64 ?? -1) - start }
            return ["\(depth): \(numbers[0]) \(numbers[1])"]
                + (node["children"]?.elements ?? []).flatMap { lines($0, depth + 1) }
        }
        return (coverage.report(name: "f")["report"]?.elements ?? []).flatMap { lines($0, 0) }
    }

    /// Literals have no node, unless they are negative or a list.
    @Test(arguments: [
        ("'é' == 'x'", ["0: 0 9"]), ("'😀' == 'x' && x == 'a'", ["0: 0 21", "1: 0 9", "1: 14 21", "2: 14 14"]),
        ("true", []), ("(true)", []), ("null", []), ("'a'", []), ("-1", ["0: 0 1"]), ("[1]", ["0: 0 1"]),
        ("!false", ["0: 0 5"]), ("true && x == 'a'", ["0: 0 15", "1: 8 15", "2: 8 8"]),
        (
            "x == 'ü' /* é */ && 'b' == x",
            ["0: 0 27", "1: 0 7", "2: 0 0", "1: 20 27", "2: 27 27"]
        ),
    ])
    func coverage(_ condition: String, _ expected: [String]) throws {
        #expect(try Self.report(condition) == expected)
    }

    /// Also of variables and results of functions. How many nodes there are at each depth, those of the call at the end.
    @Test(arguments: [
        ("function f(a) { return true; }", [0]), ("function f(a) { return (true); }", [0]),
        ("function f(a) { let y = [1]; let z = 3; return 'a'; }", [0, 1, 1, 0]),
        ("function f(a) { let y = 1; let z = a; return z == y; }", [0, 1, 2, 2, 3, 3, 0]),
        ("function f(a) { let y = -1; return -1; }", [0, 1, 1, 0]),
        ("function f(a) { let y = (2); return a; }", [0, 1, 0]),
    ])
    func functions(_ function: String, _ depths: [Int]) throws {
        let report = try Self.report("f(1)", function)
        #expect(report.map { String($0.prefix(1)) } == depths.map { "\($0)" })
    }

    /// The source of an issue's first word or sign.
    @Test(arguments: [
        ("foo == 1", "foo"), ("barbaz(1)", "barbaz"), ("x.matches([1, 2])", "["), ("x.matches(/a/b)", "/a"),
        ("x.matches({'a': 1})", "{"), ("x.matches(1.25)", "1.25"), ("x.matches(true)", "true"),
        ("x.matches((1))", "("), ("1 != 'a'", "!="), ("'😀' == 'é' && x[1:2] + null == 1", "null"),
        ("x.matches(!true)", "!"), ("x.matches(x.size())", "size"), ("x.foo(1)", "foo"),
        ("x.matches(1 is int)", "is"), ("x.matches(x in [1])", "in"), ("x.matches(b'abc')", "b'abc'"),
        ("x.matches(1\n  <  2)", "<"),
    ])
    func issues(_ condition: String, _ word: String) throws {
        let (text, _) = Self.source(condition, "")
        let issue = try #require(RuleSet.compile(text).issues.first)
        let (first, last) = IssueOffsets(text).offsets(at: try #require(issue.position))
        let scalars = Array(text.unicodeScalars)[first...last]
        #expect(String(String.UnicodeScalarView(scalars)) == word)
    }
}
