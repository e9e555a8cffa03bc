// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `docs/rules.md` lists every rule about values, queries and writes. A test cites each rule, unless the rule is not
/// the engine's.
@Suite struct RuleCoverageTests {
    struct Rule {
        let id: String
        let proof: String
    }

    @Test func everyRuleIsTestedOrNotTheEngines() throws {
        let rules = try Self.listed()
        let expected = (1...37).map { "V-\($0)" } + (1...64).map { "Q-\($0)" } + (1...35).map { "W-\($0)" }
        #expect(rules.map(\.id) == expected)
        let cited = try Self.citations()
        let others = ["client", "server", "edition", "history"].map { "not the engine's: \($0)" }
        for rule in rules {
            if rule.proof == "tested" {
                #expect(cited.contains(rule.id), "no test's name or doc comment cites \(rule.id)")
            } else {
                #expect(others.contains(rule.proof), "\(rule.id) is neither tested nor another's: \(rule.proof)")
            }
        }
    }

    @Test func noTestCitesAnUnknownRule() throws {
        let known = Set(try Self.listed().map(\.id))
        #expect(try Self.citations().subtracting(known) == [])
    }

    private static func listed() throws -> [Rule] {
        let url = Locations.packageRoot.appending(path: "docs/rules.md")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[0].wholeMatch(of: /[VQW]-[0-9]+/) != nil else { return nil }
            return Rule(id: cells[0], proof: cells[2])
        }
    }

    /// The ids in the names and doc comments of tests. Helpers and generators do not count.
    private static func citations() throws -> Set<String> {
        let tests = Locations.packageRoot.appending(path: "Tests")
        var cited: Set<String> = []
        for case let file as String in FileManager.default.enumerator(atPath: tests.path) ?? .init() {
            guard file.hasSuffix("Tests.swift") else { continue }
            let text = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let code = line.trimmingCharacters(in: .whitespaces)
                guard code.hasPrefix("///") || code.contains("@Test") || code.hasPrefix("\"") || code.contains("func ")
                else { continue }
                for match in code.matches(of: /\b([VQW])[-_]([0-9]+)/) { cited.insert("\(match.1)-\(match.2)") }
            }
        }
        return cited
    }
}
