// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import Testing

@testable internal import SecurityRules

/// The paths of a case mean the same wherever they stand.
@Suite struct RuleCasePathTests {
    private static let rules = SecurityLintRule.source(
        """
        match /a/{x} {
          allow get, update: if resource.data.id == x;
          match /c/{y} { allow list: if get(/databases/$(database)/documents/a/$(x)).data.id == x; }
        }
        """)

    /// The document says the ID that rules should see.
    private static func answer(_ written: String, _ id: String, _ request: String) throws -> RuleCaseAnswer {
        let text = #"{"documents":{"\#(written)":{"id":{"stringValue":"\#(id)"}}},"request":\#(request)}"#
        let rules = try #require(RuleSet.compile(rules).rules)
        let test = try RuleCase(try JSONParser.parse(Array(text.utf8)), fixtures: nil)
        return try RuleCaseRunner(rules: rules, time: RecordedRulesTests.time).run(test)
    }

    @Test(arguments: [
        ("a/b+c", "b+c"), ("a/b%20c", "b c"), ("a/100%", "100%"), ("a/%C3%A9+", "é+"), ("a/1%2", "1%2"),
        ("a/b%2Fc", "b%2Fc"), ("a/%2541", "%41"), ("a/%+1", "%+1"),
    ])
    func pathsAreReadAlike(_ path: String, _ id: String) throws {
        let requests = [
            #"{"method":"get","path":"\#(path)"}"#, #"{"method":"batchget","paths":["\#(path)"]}"#,
            #"{"method":"transaction","reads":["\#(path)"],"writes":[{"update":"\#(path)","data":{}}]}"#,
            #"{"method":"update","path":"\#(path)","data":{}}"#,
            #"{"method":"commit","writes":[{"update":"\#(path)","data":{}}]}"#,
            #"{"method":"list","parent":"\#(path)","query":{"from":[{"collectionId":"c"}]}}"#,
            #"{"method":"listdocs","path":"\#(path)/c"}"#,
        ]
        for request in requests {
            let answer = try Self.answer(path, id, request)
            #expect(answer.status == .ok, "\(request): \(answer.message)")
        }
    }

    /// A counterexample is a case, whose paths are read again.
    @Test func counterexamplesKeepPercentSigns() throws {
        let source = SecurityLintRule.source("match /a/{x} { allow get: if x == 'b%41'; }")
        let prover = try #require(Prover(source, time: RecordedRulesTests.time))
        let found = try #require(prover.search(try Claim(parsing: "a/{x}: get never")).found)
        #expect(found.testCase["request"]?["path"]?.string == "a/b%2541")
        let rules = try #require(RuleSet.compile(source).rules)
        let runner = RuleCaseRunner(rules: rules, time: RecordedRulesTests.time)
        #expect(try runner.run(RuleCase(found.testCase, fixtures: nil)).isAllowed)
    }
}
