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
        // What the test runner says of the case, too.
        let compiled = try #require(RuleSet.compile(source).rules)
        let answer = try RuleCaseRunner(rules: compiled, time: time).run(RuleCase(found.testCase, fixtures: nil))
        #expect(answer.isAllowed, "\(found.testCase.text()): \(answer.message)")
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
