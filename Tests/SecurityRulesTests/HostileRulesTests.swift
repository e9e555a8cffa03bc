// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// Sources that nobody means well with: an answer or an error, never a trap.
@Suite struct HostileRulesTests {
    private static func source(_ condition: String, functions: String = "") -> String {
        """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            \(functions)
            match /c/{id} { allow read, write: if \(condition); }
          }
        }
        """
    }

    /// Compiles, and asks for a document if there are rules.
    @discardableResult
    private static func decide(_ source: String) -> Decision? {
        guard let rules = RuleSet.compile(source).rules else { return nil }
        let path = ResourcePath(segments: ["c", "d"])
        let request = RuleRequest(.get([path]), time: RuleTimestamp(.minimum))
        let fields = Fields(sorting: [Field("n", .integer(1)), Field("s", .string("text"))])
        return rules.decide(request) { $0 == path ? fields : nil }
    }

    @Test(arguments: ["(", "[", "{'a': ", "!", "f(", "a[", "true ? true : ", "/a/$("])
    func deepNestingIsAnError(_ opening: String) {
        for count in [90, 500, 20_000] {
            let condition = String(repeating: opening, count: count) + "true"
            #expect(RuleSet.compile(Self.source(condition)).rules == nil || count == 90)
        }
    }

    @Test(arguments: [" && true", " + 1", ".a", "[0]", ".size()", " is int", " == 1", " in [1]", "/a"])
    func longChainsAreAnswered(_ link: String) {
        for count in [90, 1_000, 20_000] {
            Self.decide(Self.source("resource" + String(repeating: link, count: count)))
        }
    }

    @Test func wideSourcesAreAnswered() {
        Self.decide(Self.source("[" + String(repeating: "1, ", count: 80_000) + "1].size() == 1"))
        Self.decide(Self.source("'" + String(repeating: "a", count: 250_000) + "'.matches('a*')"))
        let statements = String(repeating: "allow read: if resource.data.n == 2; ", count: 7_000)
        Self.decide(Self.source("false; \(statements) allow read: if true"))
        let matches = String(repeating: "match /a/{b} { ", count: 15_000)
        #expect(RuleSet.compile("service cloud.firestore { \(matches)").rules == nil)
    }

    /// Each function doubles the work of the one before.
    @Test func exponentialCallsEndAtTheLimit() throws {
        let functions = (1...19).map { "function f\($0)() { return f\($0 - 1)() && f\($0 - 1)(); }" }
        let all = "function f0() { return true; } " + functions.joined(separator: " ")
        let decision = try #require(Self.decide(Self.source("f19()", functions: all)))
        #expect(!decision.isAllowed)
        let lets = (1...10).map { "let v\($0) = v\($0 - 1) + v\($0 - 1);" }.joined(separator: " ")
        let function = "function f() { let v0 = 'ab'; \(lets) return v10.size() == 2048; }"
        #expect(try #require(Self.decide(Self.source("f()", functions: function))).isAllowed)
    }

    /// Words of the language in a random order, and rules with random changes: `HEARTH_RULES_FUZZ` of them; `make fuzz` tries a
    /// million.
    @Test func randomSourcesAreAnswered() {
        let words = [
            "service", "cloud.firestore", "match", "/a", "/{b}", "/{c=**}", "{", "}", "allow", "read", ",", ":", "if",
            "true", "request", ".", "auth", "==", "null", "&&", "||", "!", "(", ")", "[", "]", "'x'", "\"", "'", "1",
            "1.5",
            "-", "+", "function", "f", "let", "=", ";", "return", "is", "int", "in", "?", "$(", "\\", "é", "\u{0}",
            "/*",
            "//", "\n", "get", "matches", "resource", "data", "rules_version", "import", "/", "%", "b'a'", "**",
        ]
        let whole = Self.source(
            "f(request.auth.uid) && resource.data.s.matches('a(b|c)*[d-e]') || id in [1, 'a', {'b': /c/$(id)}]",
            functions: "function f(a) { let b = a == null ? 1 : a[0:2].size(); return b is int && b >= -1; }")
        var generator = SeededGenerator.printingSeed()
        for round in 0..<Rounds.of(20_000, or: "HEARTH_RULES_FUZZ") {
            var scalars = Array((round % 2 == 0 ? whole : "").unicodeScalars)
            for _ in 0..<generator.int(1..<6) {
                let word = Array(generator.pick(words).unicodeScalars)
                let start = generator.int(0..<scalars.count + 1)
                let end = min(scalars.count, start + generator.int(0..<8))
                scalars.replaceSubrange(start..<end, with: round % 2 == 0 ? word : word + [" "])
            }
            var source = String.UnicodeScalarView()
            source.append(contentsOf: scalars)
            Self.decide(String(source))
        }
    }
}
