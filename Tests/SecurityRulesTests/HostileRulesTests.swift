// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner
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

    /// Four functions of eleven `let`s double a value 44 times in a few hundred expressions.
    private static func doubling(_ start: String, _ step: String, _ use: String) -> String {
        let functions = (1...4).map { number in
            let lets = (1...11).map { "let v\($0) = \(step.replacing("V", with: "v\($0 - 1)"));" }
            return "function f\(number)(v0) { \(lets.joined(separator: " ")) return v11; }"
        }
        let all = functions.joined(separator: " ") + " function use(x) { return \(use); }"
        return source("use(f4(f3(f2(f1(\(start))))))", functions: all)
    }

    private static let manifold = "V.replace('.*', '" + String(repeating: "$0", count: 256) + "')"

    @Test(arguments: [
        ("'a'", "V + V", "x == ''"), ("resource.data.s", "V + V", "x < ''"), ("[1]", "[V, V]", "x == x"),
        ("[1]", "[V, V]", "x in [x]"), ("[1]", "[V, V]", "x.hasAny(x)"), ("[resource.data]", "[V, V]", "x == x"),
        ("{'a': 1}", "{'a': V, 'b': V}", "x == x"), ("{}", "{'a': V, 'b': V}", "x.diff(x).affectedKeys().size() == 0"),
        ("[1]", "V.concat(V)", "x.toSet().size() == 1"),
        ("/a", "/$(V)/$(V)", "x == /a"), ("[1]", "[[V, 0].toSet(), [V, 1].toSet()]", "x == x"),
        ("/a", "/$(V)/$(V)", "x in [x, x]"), ("'aa'", manifold, "x == ''"),
    ])
    func valuesThatDoubleEndAtTheLimit(_ start: String, _ step: String, _ use: String) throws {
        let decision = try #require(Self.decide(Self.doubling(start, step, use)))
        #expect(!decision.isAllowed)
        guard case .failure(.exhausted(let limit)) = decision.outcomes.last?.result, limit != .expressions else {
            Issue.record("\(String(describing: decision.outcomes.last))")
            return
        }
    }

    @Test func resultsEndBehindTheirRoom() throws {
        let elements = (0..<1_000).map { RuleValue.int($0) }
        guard case .string(let joined) = try ListMethods.call(.join, RuleList(elements), [.string("-")], 10) else {
            Issue.record("no text")
            return
        }
        #expect((11..<20).contains(joined.utf8Count))
        let text = Array(repeating: UInt16(0x61), count: 1_000)
        let pattern = try #require(Pattern("a"))
        #expect(pattern.split(text, atMost: 10).count == 11)
        #expect(try #require(pattern.replace(text, Array("bbb".utf16), atMost: 10)).count < 1_020)
        #expect(pattern.split(text, atMost: 1_001).count == 1)
    }

    /// A pattern with many ways through a text ends with its steps, and one that fails early takes few.
    @Test func stepsOfPatternsAreCounted() throws {
        let text = Array(repeating: UInt16(0x61), count: 10_000)
        func taken(_ pattern: String, of most: Int) throws -> Int {
            var steps = most
            _ = try #require(Pattern(pattern)).matches(text, &steps)
            return most - steps
        }
        let (whole, early) = (try taken("[a-z]+", of: .max), try taken("[0-9]+", of: .max))
        #expect(whole > 10_000 && whole < 100_000, "\(whole)")
        #expect(early < 20, "\(early)")
        let (many, ended) = (try taken("(a?){100}b", of: .max), try taken("(a?){100}b", of: 1_000))
        #expect(many > 10_000 && ended > 1_000 && ended < 3_000, "\(many), \(ended)")
    }

    private static func allows(_ condition: String, functions: String = "", _ fields: [Field]) throws -> Bool {
        let rules = try #require(RuleSet.compile(source(condition, functions: functions)).rules)
        let request = RuleRequest(.get([ResourcePath(segments: ["c", "d"])]), time: RuleTimestamp(.minimum))
        let fields = Fields(sorting: fields)
        return rules.decide(request) { _ in fields }.isAllowed
    }

    /// Values that are there already are read many times, by one condition or by several statements.
    @Test func largestTextsAreReadOften() throws {
        let text = [Field("s", .string(Text(String(repeating: "b", count: 1_040_000))))]
        let patterns = ["[0-9]+", "a.*", "https://.*", "x|y"].map { "resource.data.s.matches('\($0)')" }
        let condition = "resource.data.s.size() == 1040000 && !(\(patterns.joined(separator: " || ")))"
        #expect(try Self.allows(condition, text))
        let valid = "function valid(d) { return d.s.size() > 0 && d.s.matches('[0-9]+'); }"
        let statements = Array(repeating: "valid(resource.data); ", count: 8).joined(separator: "allow read: if ")
        #expect(try Self.allows(statements + "allow read: if resource.data.s.size() > 0", functions: valid, text))
    }

    /// A comparison with a field of which a filter says that it is not a certain list walks that list.
    @Test func comparisonsWithListsOfFiltersCount() throws {
        let terms = Array(repeating: "resource.data.l != request.auth.token.l", count: 40).joined(separator: " && ")
        let rules = try #require(RuleSet.compile(Self.source(terms)).rules)
        for (count, isAllowed) in [(10, true), (100_000, false)] {
            let list = Value.array(Array(repeating: .integer(1), count: count))
            let filter = Filter.field(FieldPath(name: "l"), .notEqual, list)
            let query = Query(from: CollectionSelector(collectionID: "c"), filter: filter)
            let claims = JSONNode.object(["l": .array(Array(repeating: .integer(1), count: count))])
            let request = RuleRequest(.list(query), auth: Claims.auth(claims), time: RuleTimestamp(.minimum))
            #expect(rules.decide(request) { _ in nil }.isAllowed == isAllowed)
        }
    }

    /// A list that is put together shares what is in it, as a list that is written out does.
    @Test func largestListsAreJoined() throws {
        let entries = (0..<25_000).map {
            Value.map(Fields(sorting: [Field("t", .integer(Int64($0))), Field("u", .string("somebody"))]))
        }
        let log = "resource.data.log"
        let condition = """
            \(log).concat(\(log)).concat(\(log)).concat(\(log)).size() == 100000
            && [\(log)].size() == 1 && {'k': \(log)}.size() == 1 && [\(log)] == [\(log)]
            """
        #expect(try Self.allows(condition, [Field("log", .array(entries))]))
    }

    /// What people do with the largest documents is far below.
    @Test func largestDocumentsHaveRoom() throws {
        let condition = """
            (resource.data.s + resource.data.s).size() == 2000000 && resource.data.s in [resource.data.s, 'a']
            && [resource.data] == [resource.data] && !(resource.data.s < 'a') && resource.data.n.toSet().size() == 1
            """
        let fields = [
            Field("n", .array(Array(repeating: .integer(1), count: 20_000))),
            Field("s", .string(Text(String(repeating: "b", count: 1_000_000)))),
        ]
        #expect(try Self.allows(condition, fields))
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
