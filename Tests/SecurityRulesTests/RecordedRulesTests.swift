// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// Hearth's answers beside those of the official emulator, which are recorded beside this package.
@Suite struct RecordedRulesTests {
    static let time = Timestamp(microseconds: 1_795_000_000_000_000) ?? .minimum

    /// How many answers of a kind are the recorded ones.
    struct Tally: CustomStringConvertible {
        var same = 0
        var all = 0
        var differing: [String] = []

        mutating func count(_ isSame: Bool, _ id: String) {
            all += 1
            if isSame { same += 1 } else { differing.append(id) }
        }

        var description: String { "\(same) of \(all)" }
    }

    private static func read(_ name: String) throws -> [UInt8]? {
        guard let folder = Locations.sharedData("RecordedRulesTests") else { return nil }
        return Array(try Data(contentsOf: folder.appending(path: "rules/\(name)")))
    }

    /// The emulator fails itself: a group that does not exist in a replacement, a pattern that explodes.
    private static let emulatorFailures: Set<String> = ["string2-0035", "regex2-0023"]

    @Test func casesGetTheRecordedAnswers() throws {
        guard let lines = try Self.read("cases.ndjson"), let text = try Self.read("fixtures.json") else { return }
        let fixtures = try JSONParser.parse(text)
        let runner = RuleCaseRunner(time: Self.time)
        var tallies: [String: Tally] = [:]
        for line in lines.split(separator: 0x0A) {
            let test = try RuleCase(try JSONParser.parse(Array(line)), fixtures: fixtures)
            try Self.compare(test, try runner.run(test), &tallies)
        }
        for (kind, tally) in tallies.sorted(by: { $0.key < $1.key }) { print("rules: \(kind): \(tally)") }
        if ProcessInfo.processInfo.environment["HEARTH_RULES_DIFF"] != nil { print(tallies.mapValues(\.differing)) }
        #expect(tallies["allow"]?.differing == [])
        #expect(Set(tallies["status"]?.differing ?? []).subtracting(Self.emulatorFailures) == [])
        #expect(Set(tallies["compile message"]?.differing ?? []).subtracting(Self.emulatorFailures) == [])
        // Messages differ where they depend on the order in which the emulator reads documents.
        #expect(tallies["message"].map { $0.same * 1000 >= $0.all * 997 } == true)
        #expect(tallies["issues"].map { $0.same * 1000 >= $0.all * 998 } == true)
        #expect(tallies["verdict"].map { $0.same * 1000 >= $0.all * 998 } == true)
        #expect(tallies["value"].map { $0.same * 1000 >= $0.all * 995 } == true)
    }

    private static func compare(_ test: RuleCase, _ answer: RuleCaseAnswer, _ tallies: inout [String: Tally]) throws {
        let expected = try #require(test.expected)
        func count(_ kind: String, _ isSame: Bool) { tallies[kind, default: Tally()].count(isSame, test.id) }
        count("allow", expected["allow"]?.boolean == answer.isAllowed)
        count("status", expected["status"]?.string == answer.status.rawValue)
        if answer.status == .compile {
            count("compile message", expected["message"]?.string == answer.message)
        } else {
            count("message", expected["message"]?.string == answer.message)
            let recorded = (expected["issues"]?.elements ?? []).map { $0.text() }
            count("issues", recorded.sorted() == answer.issues.map(text).sorted())
        }
        guard test.isExpression else { return }
        count("verdict", expected["verdict"]?.string == answer.verdict)
        guard let value = expected["value"] else { return }
        if answer.decision?.isAllowed == true {
            count("value", EmulatorValue.isSame(.bool(true), value))
        } else if case .success(let own)? = answer.decision?.outcomes.last?.result {
            count("value", EmulatorValue.isSame(own, value))
        } else {
            count("value", false)
        }
    }

    private static func text(_ issue: RuleIssue) -> String {
        func number(_ number: Int?) -> JSONNode { number.map { .integer(Int64($0)) } ?? JSONNode(.null) }
        return JSONNode.array([
            .string(issue.severity.rawValue), number(issue.position?.line), number(issue.position?.column),
            .string(issue.text),
        ]).text()
    }

    @Test func queriesGetTheRecordedAnswers() throws {
        guard let text = try Self.read("query-matrix.json") else { return }
        let matrix = try JSONParser.parse(text)
        let template = try #require(matrix["rules_template"]?.string)
        let sources = try #require(matrix["rules"]?.elements).map { $0.string ?? "" }
        let rules = try sources.map { source -> RuleSet in
            try #require(RuleSet.compile(template.replacingOccurrences(of: "%s", with: source)).rules)
        }
        let queries = try #require(matrix["queries"]?.members).map { member -> Query in
            try QueryJSON.read(.object(["structuredQuery": member.node]), database: RuleCase.database).query
        }
        let messages = try #require(matrix["messages"]?.elements).map { $0.string ?? "" }
        var (allows, texts) = (Tally(), Tally())
        for dataSet in try #require(matrix["answers"]?.members) {
            let documents = try Self.documents(try #require(matrix["documents"]?[dataSet.key]))
            for (rule, row) in try #require(dataSet.node.elements).enumerated() {
                for (query, answer) in (row.elements ?? []).enumerated() {
                    let recorded = (answer.elements ?? []).map { Int($0.number?.int64 ?? 0) }
                    let request = RuleRequest(
                        .list(queries[query]), auth: Claims.auth(.object(["sub": .string("alice")])),
                        time: RuleTimestamp(Self.time))
                    let decision = rules[rule].decide(request) { documents[$0] }
                    let id = "\(dataSet.key) \(sources[rule]) \(query)"
                    allows.count(decision.isAllowed == (recorded[0] == 1), id)
                    texts.count(decision.message == messages[recorded[2]], id)
                }
            }
        }
        print("rules: matrix: allow \(allows), message \(texts)")
        #expect(allows.all > 28_000)
        #expect(allows.differing == [])
        #expect(texts.same * 1000 >= texts.all * 995)
    }

    private static func documents(_ node: JSONNode) throws -> [ResourcePath: Fields] {
        var documents: [ResourcePath: Fields] = [:]
        for member in node.members ?? [] {
            documents[try ResourcePath(parsing: member.key)] = try ValueJSON.readFields(
                member.node, database: RuleCase.database)
        }
        return documents
    }
}
