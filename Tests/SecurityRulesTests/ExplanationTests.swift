// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// Explanations, what a refused query lacks, and coverage.
@Suite struct ExplanationTests {
    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            function owns(uid) { return request.auth.uid == uid; }
            match /posts/{id} {
              allow get: if owns(resource.data.owner) && (resource.data.n > 3);
              allow list: if owns(resource.data.owner) && request.query.limit <= 10 && 'a' in resource.data.tags;
            }
          }
        }
        """

    private static func compiled() throws -> RuleSet { try #require(RuleSet.compile(rules).rules) }

    private static func request(_ operation: RuleRequest.Operation) -> RuleRequest {
        RuleRequest(operation, auth: Claims.auth(.object(["sub": .string("ann")])), time: RuleTimestamp(.minimum))
    }

    private static let document = ResourcePath(segments: ["posts", "p"])

    private static func get(_ n: Int64) throws -> RuleExplanation {
        let fields = Fields(sorting: [Field("owner", .string("ann")), Field("n", .integer(n))])
        return try compiled().explain(request(.get([document]))) { $0 == document ? fields : nil }
    }

    @Test func everyPartHasItsSourceAndItsValue() throws {
        let explanation = try Self.get(3)
        #expect(!explanation.decision.isAllowed)
        #expect(explanation.statements.map(\.mayRead) == [false, true])
        let steps = try #require(explanation.decisive).steps
        let texts = steps.map { step -> String in
            let value = (try? step.result.get().text) ?? "error"
            return "\(step.depth) \(step.source.text) = \(value)"
        }
        #expect(texts.first == "0 owns(resource.data.owner) && (resource.data.n > 3) = false")
        #expect(texts.contains("2 request.auth.uid == uid = true"))
        #expect(texts.contains("3 request.auth.uid = 'ann'"))
        #expect(texts.contains { $0.contains("resource.data.n > 3") && $0.hasSuffix("= false") })
        #expect(texts.last == "2 3 = 3")
    }

    /// Keeping what was evaluated changes no decision.
    @Test func explanationsDecideAlike() throws {
        for n in [Int64(2), 4] {
            let fields = Fields(sorting: [Field("owner", .string("ann")), Field("n", .integer(n))])
            let plain = try Self.compiled().decide(Self.request(.get([Self.document]))) { _ in fields }
            let explained = try Self.get(n).decision
            #expect(plain.isAllowed == explained.isAllowed)
            #expect(plain.message == explained.message)
        }
    }

    @Test func aRefusedQueryLacksItsFilters() throws {
        let rules = try Self.compiled()
        let query = Query(from: CollectionSelector(collectionID: "posts"))
        let missing = try #require(MissingConstraint.find(rules, Self.request(.list(query))) { _ in nil })
        #expect(missing.limit == 10)
        #expect(missing.filters.count == 2)
        #expect(rules.decide(Self.request(.list(missing.query))) { _ in nil }.isAllowed)
        #expect(MissingConstraint.find(rules, Self.request(.list(missing.query))) { _ in nil } == nil)
        let other = Query(from: CollectionSelector(collectionID: "other"))
        #expect(MissingConstraint.find(rules, Self.request(.list(other))) { _ in nil } == nil)
    }

    /// Conditions that are no comparisons are filters, too.
    @Test(arguments: [
        "resource.data.tags.hasAny(['a', 'b'])", "resource.data.open", "!resource.data.open",
        "let open = resource.data; return open.open",
    ])
    func conditionsWithoutComparisonsAreFilters(_ condition: String) throws {
        let body = condition.hasPrefix("let") ? condition : "return \(condition)"
        let source = SecurityLintRule.source(
            "match /posts/{id} { function f() { \(body); } allow list: if f(); }")
        let rules = try #require(RuleSet.compile(source).rules)
        let query = Query(from: CollectionSelector(collectionID: "posts"))
        let missing = try #require(MissingConstraint.find(rules, Self.request(.list(query))) { _ in nil })
        #expect(missing.filters.count == 1)
    }

    @Test func coverageCountsValues() throws {
        var coverage = RuleCoverage(try Self.compiled())
        for n in [Int64(3), 4, 4] { coverage.add(try Self.get(n)) }
        let report = coverage.report(name: "firestore.rules")
        #expect(report["rules"]?["files"]?.elements?.first?["content"]?.string == Self.rules)
        let roots = try #require(report["report"]?.elements)
        #expect(roots.map { $0["sourcePosition"]?["line"]?.number?.int64 } == [4, 6, 7])
        #expect(roots[2]["values"] == nil)
        let condition = try #require(roots[1]["values"]?.elements?.map { $0.text() })
        #expect(condition.contains(#"{"value":{"boolValue":true},"count":2}"#))
        #expect(condition.contains(#"{"value":{"boolValue":false},"count":1}"#))
        #expect(condition.contains(#"{"value":{"undefined":{}},"count":3}"#))
        #expect(coverage.unreached.map(\.start.line) == [7])
        let page = coverage.page(name: "firestore.rules")
        #expect(page.components(of: "<span ") == page.components(of: "</span>"))
        #expect(page.contains("class=\"never\""))
    }

    @Test func coverageKeepsTheBeginningsOfLargeValues() throws {
        let large =
            "[resource.data, resource.data.s + 'x', path(resource.data.s), resource.data.s[0:9] == int(resource.data.s)] == [] ||"
        let source = Self.rules.replacing("allow get: if", with: "allow get: if \(large)")
        let rules = try #require(RuleSet.compile(source).rules)
        let fields = Fields(sorting: [Field("s", .string(Text(String(repeating: "é", count: 400_000))))])
        var coverage = RuleCoverage(rules)
        for _ in 0..<2 { coverage.add(rules.explain(Self.request(.get([Self.document]))) { _ in fields }) }
        let text = coverage.report(name: "firestore.rules").text()
        #expect(text.utf8.count < 2_000_000)
        #expect(text.contains("é…"))
        #expect(RuleValue.string("short").beginning.text == "'short'")
    }

    /// What is cut does not look whole.
    @Test func beginningsSayThatThereIsMore() throws {
        let numbers = (0..<10_000).map { RuleValue.int($0) }
        #expect(RuleValue.list(RuleList(numbers)).beginning.text.hasSuffix(", '…']"))
        #expect(RuleValue.set(RuleSetValue(distinct: numbers)).beginning.text.hasSuffix(", '…')"))
        let entries: [RuleMap.Entry] = numbers.map { (key: Text($0.text), value: $0) }
        #expect(RuleValue.map(RuleMap(entries)).beginning.text.hasSuffix(", …: '…'}"))
        #expect(RuleValue.path(RulePath(texts: entries.map(\.key))).beginning.text.hasSuffix("/…"))
        guard case .bytes(let bytes) = RuleValue.bytes(Array(repeating: 65, count: 30_000)).beginning else {
            Issue.record("no bytes")
            return
        }
        #expect(bytes.count < 30_000 && Array(bytes.suffix(4)) == [65] + Array("…".utf8))
        for value in [
            RuleValue.list(RuleList(Array(numbers.prefix(100)))), .map(RuleMap(Array(entries.prefix(100)))),
            .bytes([65]), .path(RulePath(texts: ["a", "b"])),
        ] {
            #expect(value.beginning.text == value.text)
        }
    }

    /// A commit that verifies nothing has no decision on what it verifies, and one that verifies alone none on writes.
    @Test(arguments: [
        (#"[{"delete":"posts/p"}]"#, 1), (#"[{"verify":"posts/p"}]"#, 1),
        (#"[{"verify":"posts/p"},{"delete":"posts/q"}]"#, 1),
    ])
    func explanationsHaveStatements(_ writes: String, _ count: Int) throws {
        let test = try JSONParser.parse(#"{"request":{"method":"commit","auth":null,"writes":\#(writes)}}"#)
        let source = Self.rules.replacing("allow list", with: "allow delete: if id == 'x'; allow list")
        let rules = try #require(RuleSet.compile(source).rules)
        let runner = RuleCaseRunner(rules: rules, time: RecordedRulesTests.time, detail: .evaluation)
        let explanations = try runner.run(try RuleCase(test, fixtures: nil)).explanations
        #expect(explanations.count == count)
        #expect(explanations.allSatisfy { !$0.statements.isEmpty })
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
