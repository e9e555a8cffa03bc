// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// The search for requests that contradict a claim.
@Suite struct ProverTests {
    private static let time = Timestamp(microseconds: 1_795_000_000_000_000) ?? .minimum

    /// The method of the counterexample, or nil.
    private static func search(_ rules: String, _ claim: String) throws -> String? {
        let source = SecurityLintRule.source(rules)
        let prover = try #require(Prover(source, time: time))
        guard let found = prover.search(try Claim(parsing: claim)).found else { return nil }
        // What the test runner says of the case, too, when it is run.
        let compiled = try #require(RuleSet.compile(source).rules)
        let later = try #require(Timestamp(microseconds: time.microseconds + 60_000_000))
        for now in [time, later] {
            let answer = try RuleCaseRunner(rules: compiled, time: now).run(RuleCase(found.testCase, fixtures: nil))
            #expect(answer.isAllowed, "\(found.testCase.text()): \(answer.message)")
        }
        return found.method.rawValue
    }

    @Test(arguments: ProofExamples.all)
    func claims(_ example: ProofExample) throws {
        let found = try Self.search(example.rules, example.claim)
        #expect((found != nil) == example.isRefuted, "\(example.claim): \(found ?? "holds")")
    }

    @Test(arguments: [
        "users", "users/{uid}: write", "users/{uid}: fly only if true", "users/{uid}: write only if",
        "users/{uid}: write only if request.auth.uid ==", "users/{uid}: write only if request.auth.uid == owner",
        "users/{uid}: read never if true", "users/{uid}: read never never",
    ])
    func malformedClaimsAreErrors(_ text: String) {
        #expect(throws: Claim.SyntaxError.self) { try Claim(parsing: text) }
    }

    /// What is stored stays as it is when a counterexample is run again, and the time of the request does not.
    @Test(arguments: ["made", "other"]) func timesOfTheRequest(_ kept: String) throws {
        let rules = """
            match /a/{b} { allow update: if request.resource.data.made == resource.data.\(kept)
              && request.resource.data.changed == request.time && resource.data.made is timestamp; }
            """
        #expect(try Self.search(rules, "a/{b}: update never") == "update")
        let never = "match /a/{b} { allow update: if resource.data.made == request.time; }"
        #expect(try Self.search(never, "a/{b}: update never") == nil)
    }

    /// The statement that allows is named, and not the one that the request was made for.
    @Test func lines() throws {
        let rules = """
            match /a/{b} {
              allow update: if request.resource.data.n == 1 && request.auth.uid == b && false;
              allow update: if request.resource.data.n == 1;
              allow
                create: if true;
            }
            """
        let source = SecurityLintRule.source(rules)
        let prover = try #require(Prover(source, time: Self.time))
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        for (claim, text) in [("update", "n == 1;"), ("create", "create: if true;")] {
            let found = try #require(prover.search(try Claim(parsing: "a/{b}: \(claim) never")).found)
            #expect(lines[found.line - 1].contains(text), "\(claim): line \(found.line)")
        }
    }

    /// Blanks within a string are part of it.
    @Test func conditionsAreTakenAsWritten() throws {
        let claim = try Claim(parsing: "  a/{b}:  get   only  if  resource.data.t ==  'x  y'  ")
        #expect(claim.source.contains("if resource.data.t ==  'x  y';"))
    }

    @Test func endlessDurationsAreAnswered() throws {
        let rules = "match /a/{b} { allow get: if resource.data.t < request.time + duration.value(NUMBER, 'd'); }"
        for number in [Int64.min, .max] {
            let found = try Self.search(
                rules.replacing("NUMBER", with: "\(number)"), "a/{b}: get only if resource.data.t is timestamp")
            #expect(found == nil)
        }
    }

    /// Four functions of eleven `let`s double a value 44 times.
    private static func doubling(_ start: String, _ step: String, _ allow: String) -> String {
        let functions = (1...4).map { number in
            let lets = (1...11).map { "let v\($0) = \(step.replacing("V", with: "v\($0 - 1)"));" }
            return "function f\(number)(v0) { \(lets.joined(separator: " ")) return v11; }"
        }
        let all = functions.joined(separator: " ")
        return "match /a/{b} { \(all) \(allow.replacing("VALUE", with: "f4(f3(f2(f1(\(start)))))")) }"
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("'a'", "V + V", "allow create: if request.resource.data.t == VALUE;"),
            ("'a'", "[V, V]", "allow create: if request.resource.data.t == VALUE;"),
            ("'a'", "[V, V]", "allow list: if resource.data.t in VALUE;"),
            ("request.resource.data.t", "[V, V]", "allow create: if request.resource.data.t != VALUE;"),
            (
                "'a'", "get(/databases/(default)/documents/a/$(V)/b/$(V)).data.t",
                "allow create: if request.resource.data.t == VALUE;"
            ),
        ])
    func valuesThatDoubleAreAnswered(_ start: String, _ step: String, _ allow: String) throws {
        let method = allow.contains("list") ? "list" : "create"
        _ = try Self.search(Self.doubling(start, step, allow), "a/{b}: \(method) only if request.auth.uid == b")
    }

    @Test(.timeLimit(.minutes(1))) func valuesThatGrowByThemselvesAreAnswered() throws {
        let term = "request.resource.data.t == request.resource.data.t + request.resource.data.t"
        let terms = Array(repeating: term, count: 40).joined(separator: " && ")
        _ = try Self.search("match /a/{b} { allow create: if \(terms); }", "a/{b}: create never")
    }

    @Test func longListsOfConstantsAreRead() throws {
        let names = (1_000..<1_500).map { "'\(String(repeating: "x", count: 46))\($0)'" }.joined(separator: ", ")
        let rules = "match /a/{b} { allow create: if request.resource.data.t in [\(names)]; }"
        #expect(try Self.search(rules, "a/{b}: create never") == "create")
    }

    /// The same search finds the same.
    @Test func searchIsRepeatable() throws {
        let first = ProofExamples.all.first { $0.isRefuted }
        let example = try #require(first)
        let prover = try #require(Prover(SecurityLintRule.source(example.rules), time: Self.time))
        let claim = try Claim(parsing: example.claim)
        let cases = (0..<2).map { _ in prover.search(claim).found?.testCase.text() }
        #expect(cases[0] == cases[1])
    }
}
