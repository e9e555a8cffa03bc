// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// The lint rules for security rules.
@Suite struct RulesLintTests {
    private static func findings(_ source: String) -> [String] {
        RulesLinter.findings(in: source).map { "\($0.position.line):\($0.position.column) \($0.rule.id)" }
    }

    @Test(arguments: SecurityLintRule.all.map(\.id))
    func examplesShowTheirRule(_ id: String) throws {
        let rule = try #require(SecurityLintRule.named(id))
        var wrong = SecurityLintRule.source(rule.wrong)
        if id == "version-1-wildcard" { wrong = wrong.replacing("rules_version = '2';", with: "") }
        #expect(RuleSet.compile(wrong).rules != nil)
        let found = RulesLinter.findings(in: wrong)
        #expect(found.contains { $0.rule.id == id }, "\(found.map(\.rule.id))")
        let right = SecurityLintRule.source(rule.right)
        #expect(RuleSet.compile(right).issues.map(\.line) == [])
        let left = RulesLinter.findings(in: right)
        #expect(!left.contains { $0.rule.id == id || $0.rule.severity != .note }, "\(left.map(\.message))")
    }

    @Test func idsAreDifferent() {
        #expect(Set(SecurityLintRule.all.map(\.id)).count == SecurityLintRule.all.count)
    }

    @Test func commentsSilence() {
        let source = SecurityLintRule.source(
            """
            match /a/{b} {
              // hearth: ignore open-write
              allow write: if true;
              allow create: if true; // hearth: ignore open-write, repeated-statement

              allow delete: if true;
            }
            """)
        #expect(Self.findings(source) == ["9:13 open-write", "9:13 repeated-statement"])
    }

    private static func messages(_ id: String, _ rules: String) -> [String] {
        RulesLinter.findings(in: SecurityLintRule.source(rules)).filter { $0.rule.id == id }.map(\.message)
    }

    /// What is advised compiles, whatever the name of the field.
    @Test(arguments: [
        ("['5']", "data['5']"), ("['it\\'s']", "data['it\\'s']"), ("['service']", "data['service']"),
        (".owner", "data.owner"), ("['owner']", "data.owner"),
    ])
    func namesOfFields(_ written: String, _ advised: String) throws {
        let rules = "match /a/{b} { allow update: if resource.data\(written) == request.auth.uid; }"
        let message = try #require(Self.messages("owner-can-change", rules).first)
        let advice = "request.resource.\(advised) == resource.\(advised)"
        #expect(message.hasSuffix("add \(advice)"))
        let source = SecurityLintRule.source("match /a/{b} { allow update: if \(advice); }")
        #expect(RuleSet.compile(source).rules != nil)
    }

    /// A name that stands for the elements of a list is no misspelt one.
    @Test func loops() {
        let rules = """
            match /a/{b} {
              allow create: if request.resource.data.tags.all(type, type is string)
                && request.resource.data.readers.any(reader, reader.lower() == request.auth.uid);
            }
            """
        let messages = Self.messages("misspelled-name", rules)
        #expect(messages.count == 2, "\(messages)")
        #expect(messages.allSatisfy { $0.contains("rules have no loops") })
    }

    @Test func fixesKeepTheRest() throws {
        let source = SecurityLintRule.source(
            """
            match /a/{b} { // one
              allow get: if resource.owner == request.auth.userId /* two */ && request.auht != null;
              allow create: if request.resource.text.size() < 3 && request.resource.data.keys().hasonly(['text']);
            }
            """)
        let fixed = try #require(RulesLinter.fixed(source))
        #expect(
            fixed.source
                == SecurityLintRule.source(
                    """
                    match /a/{b} { // one
                      allow get: if resource.data.owner == request.auth.uid /* two */ && request.auth != null;
                      allow create: if request.resource.data.text.size() < 3 && request.resource.data.keys().hasOnly(['text']);
                    }
                    """))
        #expect(fixed.count == 5)
        #expect(RulesLinter.fixed(fixed.source) == nil)
    }

    /// What each call of a function is given decides what is found.
    @Test func functionsAreRead() {
        let source = SecurityLintRule.source(
            """
            function data() { return request.resource.data; }
            function owns(document) { let id = document.owner; return request.auth != null && id == request.auth.uid; }
            match /a/{b} {
              allow get: if owns(resource.data);
              allow update: if owns(data());
              allow delete: if owns(resource.data);
            }
            """)
        #expect(Self.findings(source) == ["8:13 any-field", "8:24 owner-not-checked"])
    }

    /// In version 1 a glob stands for one segment at least, so that the document before it has a statement of its own.
    @Test(arguments: [1, 2])
    func globsCoverWhatTheyFit(_ version: Int) throws {
        let source = SecurityLintRule.source(
            """
            match /a/{b}/{rest=**} { allow get: if true; }
            match /a/{b} { allow get: if resource.data.c == 1; }
            match /a/{b} { allow get: if false; }
            match /a/{b}/c/{d} { allow get: if resource.data.c == 1; }
            match /a/{b}/{rest=**} { allow get: if false; }
            """
        ).replacing("version = '2'", with: "version = '\(version)'")
        let found = Self.findings(source).filter {
            $0.hasSuffix("shadowed-statement") || $0.hasSuffix("without-effect")
        }
        #expect(found.compactMap(\.first) == (version == 1 ? ["7", "8"] : ["5", "6", "7", "8"]))
        // Which the decisions say, too.
        let rules = try #require(RuleSet.compile(source).rules)
        let path = ResourcePath(segments: ["a", "x"])
        let decision = rules.decide(RuleRequest(.get([path]), time: RuleTimestamp(RecordedRulesTests.time))) { _ in nil
        }
        #expect(decision.isAllowed == (version == 2))
    }

    @Test(arguments: ["==", "!=", "<", "<=", ">", ">="])
    func negationsBesideComparisonsAreNamed(_ comparison: String) {
        let source = SecurityLintRule.source(
            "match /a/{b} { allow get: if !resource.data.n \(comparison) resource.data.m; }")
        #expect(RulesLinter.findings(in: source).map(\.rule.id).contains("precedence"))
    }

    /// The forms that the emulator was measured to let through.
    @Test func unsoundFormsAreNamed() throws {
        guard let folder = Locations.sharedData() else { return }
        let lines = try Data(contentsOf: folder.appending(path: "rules/cases.ndjson")).split(separator: 0x0A)
        var count = 0
        for line in lines where line.firstRange(of: Data("\"unsound\"".utf8)) != nil {
            let test = try JSONParser.parse(Array(line))
            guard test["group"]?.string == "unsound", let source = test["rules"]?.string,
                test["expect"]?["allow"]?.boolean == true,
                // It says nothing of the document.
                !source.contains("resource.data != null")
            else { continue }
            count += 1
            #expect(Self.findings(source).contains { $0.hasSuffix("unsound-list") }, "\(source)")
        }
        #expect(count >= 8)
    }

    @Test(arguments: [
        ("resource.data.get('f', true)", true), ("resource.data.get('f', false)", false),
        ("!resource.data.get('f', false)", true), ("!resource.data.get('f', true)", false),
        ("resource.data.get('f', 0) < 5", true), ("resource.data.get('f', 9) < 5", false),
        ("5 >= resource.data.get('f', 0)", true), ("!(resource.data.get('f', 0) > 5)", true),
        ("!(resource.data.get('f', 0) == 0)", false), ("resource.data.get('f', 0) != 1", true),
        ("resource.data.get('f', 'none') in ['none']", true), ("resource.data.get('f', 'none') in ['a']", false),
        ("'a' in resource.data.get('f', ['a'])", true), ("!('a' in resource.data.get('f', []))", true),
        ("!(request.path[0] in resource.data.get('f', []))", true),
        ("!(request.path[0] in resource.data.get('f', {}))", true),
        ("resource.data.get('f', 0) is int", true), ("resource.data.get('f', null) is int", false),
        ("resource.data.get('f', null) < 5", false),
        ("resource.data.get('f', true) == false", false), ("resource.data.get('f', false) == false", true),
        ("!(resource.data.get('f', true) && true)", false), ("!(resource.data.get('f', false) || false)", true),
    ])
    func defaultsOfGetAreNamed(_ condition: String, _ isUnsound: Bool) throws {
        let source = SecurityLintRule.source("match /a/{b} { allow list: if \(condition); }")
        #expect(Self.findings(source).contains { $0.hasSuffix("unsound-list") } == isUnsound)
        // A query without filters is allowed if, and only if, the default makes the condition true.
        let rules = try #require(RuleSet.compile(source).rules)
        let query = Query(parent: nil, from: CollectionSelector(collectionID: "a"))
        let request = RuleRequest(.list(query), time: RuleTimestamp(RecordedRulesTests.time))
        let decision = rules.decide(request) { _ in nil }
        #expect(decision.isAllowed == isUnsound)
    }

    /// Of several forms in one function the first is named, whatever the order of a set.
    @Test func firstFormIsNamed() {
        let forms = [
            ("!('f' in resource.data)", "the absence of a field"), ("resource.data.size() == 1", "the size"),
            ("resource.data.get('f', 0) == 0", "the default of get()"),
            ("!(resource.data.n in [7])", "the negation of in"),
            ("resource.data.keys().hasOnly(['a'])", "hasOnly()"), ("resource.data.m == {'a': 1}", "the comparison"),
        ]
        for first in forms.indices {
            let ordered = forms[first...] + forms[..<first]
            let condition = ordered.map(\.0).joined(separator: " && ")
            let source = SecurityLintRule.source(
                "function f() { return \(condition); } match /a/{b} { allow list: if f(); }")
            let found = RulesLinter.findings(in: source).filter { $0.rule.id == "unsound-list" }
            #expect(found.count == 1)
            #expect(found.first?.message.hasPrefix(forms[first].1) == true, "\(found.map(\.message))")
        }
    }

    /// Sources that nobody means well with are answered in a time that stays in proportion to them.
    @Test func hostileSourcesAreAnswered() throws {
        let doubling = (1...19).map { "function f\($0)(x) { return f\($0 - 1)(x) && f\($0 - 1)(!x); }" }
        let statements = String(
            repeating: "allow write: if resource.data.n == 2; allow read; ", count: Rounds.of(2_000))
        let sources = [
            "function f0(x) { return x == resource.data.a; } \(doubling.joined(separator: "\n"))\n"
                + "match /a/{b} { allow read, write: if f19(request.auth.uid); }",
            "match /a/{b} { \(statements) }",
            "match /a/{b} { allow list: if resource\(String(repeating: ".a", count: 400)) == 1; }",
            "match /a/{b} { allow get: if [\(String(repeating: "1, ", count: Rounds.of(20_000)))] == request.auth.uid; }",
            "match /a/{b} { allow get: if \(String(repeating: "(a() || ", count: 40))b()\(String(repeating: ")", count: 40)); }",
        ]
        for source in sources.map(SecurityLintRule.source) {
            #expect(RuleSet.compile(source).rules != nil)
            let findings = RulesLinter.findings(in: source)
            #expect(findings.count < 20_000)
            #expect(RulesFormatter.formatted(source) != nil)
            let prover = try #require(Prover(source, time: .minimum))
            let found = prover.search(try Claim(parsing: "a/{b}: write never"))
            #expect(found.bound.requests < 70_000)
        }
    }

    /// Every recorded source is answered, and nothing is found in one that does not compile.
    @Test func recordedSourcesAreAnswered() throws {
        guard let folder = Locations.sharedData() else { return }
        let lines = try Data(contentsOf: folder.appending(path: "rules/cases.ndjson")).split(separator: 0x0A)
        for (number, line) in lines.enumerated() where number % (Rounds.share * 3) == 0 {
            let test = try JSONParser.parse(Array(line))
            let expression = test["expr"]?.string.map {
                SecurityLintRule.source("match /c/{id} {\n  allow get: if \($0);\n}")
            }
            guard let source = test["rules"]?.string ?? expression else { continue }
            let found = RulesLinter.findings(in: source)
            #expect(found.isEmpty || RuleSet.compile(source).rules != nil)
        }
    }
}

/// docs/rules-lint.md is generated from the rules. `UPDATE_GOLDENS=1` writes it.
@Suite struct RulesLintPageTests {
    @Test func everyRuleHasItsSection() throws {
        let file = Locations.packageRoot.appending(path: "docs/rules-lint.md")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
            try Data(SecurityLintRule.page.utf8).write(to: file)
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == SecurityLintRule.page, "docs/rules-lint.md is out of date")
    }
}
