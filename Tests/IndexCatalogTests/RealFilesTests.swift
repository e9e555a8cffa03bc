// SPDX-License-Identifier: Apache-2.0

import Foundation
import IndexCatalog
import JSONText
import Testing

/// 73 configurations that people have committed, with another linter's findings in each.
@Suite struct RealFilesTests {
    /// Rules of this linter that correspond to a mark of the other one.
    private static let rulesByMark: KeyValuePairs = [
        "cli:bad order": "bad-enum", "api:single-field composite": "single-field-composite",
        "silent:override drops": "override-drops-defaults", "silent:unknown key": "unknown-key",
        "waste:exact duplicate": "duplicate-index", "waste:override equals the default": "override-equals-default",
        "style:legacy": "legacy-v1beta1", "style:missing queryScope": "default-scope",
        "style:field twice": "repeated-field",
    ]

    /// Marks that the rules contradict: a prefix of another index serves queries that the longer one does not
    /// (I-25), a reversed `__name__` makes another index (I-19), comments and a missing `fieldOverrides` are fine
    /// (J-1).
    private static let marksWithoutFinding = [
        "waste:prefix of another index", "style:single field with reversed __name__", "style:comments",
        "style:no fieldOverrides",
    ]

    @Test func everyMarkedMistakeIsFound() throws {
        guard let folder = sharedFolder("index-configs") else { return }
        for (name, marks) in try independentFindings(folder) {
            let findings = try findings(folder, name)
            let rules = Set(findings.map(\.rule.id))
            for mark in marks where !Self.marksWithoutFinding.contains(where: mark.hasPrefix) {
                let rule = try #require(Self.rulesByMark.first { mark.hasPrefix($0.key) }?.value, "\(mark)")
                #expect(rules.contains(rule), "\(name): \(mark)")
            }
            let isRefused = marks.contains { $0.hasPrefix("cli:") || $0.hasPrefix("api:") }
            let errors = findings.filter { $0.rule.severity == .error }
            #expect(errors.isEmpty != isRefused, "\(name): \(errors.map(\.message))")
        }
    }

    /// Unmarked files have no findings, except for indexes that joins could replace, which the other linter does not
    /// check.
    @Test func unmarkedFilesAreClean() throws {
        guard let folder = sharedFolder("index-configs") else { return }
        for (name, marks) in try independentFindings(folder) where marks.isEmpty {
            let others = try findings(folder, name).filter { $0.rule.id != "redundant-index" }
            #expect(others.map(\.message) == [], "\(name)")
        }
    }

    @Test func writingAndReadingGivesTheSame() throws {
        guard let folder = sharedFolder("index-configs") else { return }
        for (name, _) in try independentFindings(folder) {
            let source = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            let first = ConfigurationReader.read(source).configuration
            let text = ConfigurationWriter.text(first)
            let (second, findings) = ConfigurationReader.read(Array(text.utf8))
            #expect(Set(second.indexes) == Set(first.indexes) && second.indexes.count == first.indexes.count, "\(name)")
            #expect(Set(second.fieldOverrides) == Set(first.fieldOverrides), "\(name)")
            #expect(ConfigurationWriter.text(second) == text, "\(name)")
            #expect(findings.allSatisfy { $0.rule.severity != .error }, "\(name)")
        }
    }

    /// Mistakes found by eye, with the positions that an editor shows.
    @Test(arguments: [
        ("042.json", Place(line: 71, column: 20, rule: "bad-enum")),
        ("028.json", Place(line: 45, column: 5, rule: "single-field-composite")),
        ("009.json", Place(line: 108, column: 18, rule: "override-drops-defaults")),
        ("052.json", Place(line: 2, column: 3, rule: "unknown-key")),
        ("182.json", Place(line: 5, column: 3, rule: "unknown-key")),
    ])
    func placesOfMistakes(_ name: String, _ place: Place) throws {
        guard let folder = sharedFolder("index-configs") else { return }
        #expect(places([UInt8](try Data(contentsOf: folder.appending(path: name)))).contains(place))
    }

    private func findings(_ folder: URL, _ name: String) throws -> [LintFinding] {
        ConfigurationReader.read([UInt8](try Data(contentsOf: folder.appending(path: name)))).findings
    }

    private func independentFindings(_ folder: URL) throws -> [(name: String, marks: [String])] {
        let table = try String(contentsOf: folder.appending(path: "independent-findings.tsv"), encoding: .utf8)
        return table.split(separator: "\n").map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            let marks = columns.count > 1 ? columns[1].split(separator: ";") : []
            return (String(columns[0]), marks.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty })
        }
    }
}
