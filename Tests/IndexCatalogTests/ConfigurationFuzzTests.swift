// SPDX-License-Identifier: Apache-2.0

import Foundation
import IndexCatalog
import JSONText
import TestSupport
import Testing

/// Bytes and JSON that nobody would write. `HEARTH_LINT_FUZZ` says how many; each is read, fixed and written.
@Suite struct ConfigurationFuzzTests {
    @Test func damagedSourcesNeverTrap() throws {
        let count = Rounds.of(3_000, or: "HEARTH_LINT_FUZZ")
        var fuzz = JSONFuzz(seed: SeededGenerator.printingSeed().seed)
        let sources = try (Samples.all() + Samples.realFiles()).map(\.source).filter { $0.count < 4_000 }
        let trees = sources.compactMap { try? JSONParser.parse($0, .withComments) }
        var (readable, fixed) = (0, 0)
        for round in 0..<count {
            let source: [UInt8] =
                switch round % 5 {
                case 0: fuzz.damage(fuzz.pick(sources))
                case 1: Array(fuzz.alter(fuzz.pick(trees)).text(.indented).utf8)
                case 2: fuzz.damage(Array(fuzz.spell(fuzz.alter(fuzz.pick(trees))).utf8))
                case 3: Array(fuzz.alter(fuzz.alter(fuzz.pick(trees))).text().utf8)
                default: fuzz.fixable(fuzz.pick(trees))
                }
            let findings = ConfigurationReader.read(source).findings
            if findings.first?.rule.id != "syntax" { readable += 1 }
            #expect(findings.allSatisfy { (0...source.count).contains($0.offset) })
            if let (better, _) = ConfigurationReader.fixed(source) {
                fixed += 1
                expectSameDeployment(source, better)
            }
        }
        print("damagedSourcesNeverTrap: of \(count) sources \(readable) were JSON, \(fixed) were fixed")
        #expect(readable * 4 > count && fixed * 20 > count)
    }

    /// A fix loses nothing that the official tool deploys, and adds nothing to a file of which it refuses no index.
    private func expectSameDeployment(_ source: [UInt8], _ fixed: [UInt8]) {
        let text = Comment(rawValue: String(decoding: source, as: UTF8.self))
        #expect(ConfigurationReader.fixed(fixed) == nil, text)
        guard let before = OfficialTool(source), let after = OfficialTool(fixed) else {
            Issue.record("no longer JSON: \(text)")
            return
        }
        #expect(after.composites.isSuperset(of: before.composites), text)
        if before.acceptsEveryIndex { #expect(after.composites == before.composites, text) }
        #expect(Set(after.overrides).isSuperset(of: before.overrides), text)
    }

    /// A megabyte of each (a tenth in debug builds). The times are printed, not tested, because a busy machine would
    /// make a test fail.
    @Test(arguments: LargeFile.allCases)
    func largeFilesAreRead(_ file: LargeFile) {
        let source = Array(file.text.utf8)
        #expect(source.count >= Rounds.of(1_000_000))
        var findings = 0
        let time = ContinuousClock().measure { findings = ConfigurationReader.read(source).findings.count }
        print("largeFilesAreRead: \(file) \(time), \(findings) findings")
    }
}

extension JSONFuzz {
    /// Repeated entries, some changed or in wrong case, with comments and commas beside them.
    fileprivate mutating func fixable(_ tree: JSONNode) -> [UInt8] {
        var entries: [String] = []
        for entry in tree["indexes"]?.elements ?? [] {
            for _ in 0...number(below: 4) {
                var text = chance(30) ? alter(entry).text() : chance(50) ? spell(entry) : entry.text(.indented)
                if chance(20) { text = text.replacing("ASCENDING", with: "ascending") }
                if chance(10) { text = text.replacing(#""order": "ASCENDING""#, with: #""arrayConfig": "CONTAINS""#) }
                entries.insert(gap() + text + gap(), at: number(below: entries.count + 1))
            }
        }
        let overrides = tree["fieldOverrides"] ?? .array([])
        let indexes = entries.joined(separator: ",") + (chance(10) && !entries.isEmpty ? "," : "")
        return Array(#"{"indexes":[\#(indexes)],"fieldOverrides":\#(alter(overrides).text())}"#.utf8)
    }

    private mutating func gap() -> String {
        pick(["", "", "", " ", "\n", "/* a, */", "// b,\n", "\t// \"\r", "/**/"])
    }
}

enum LargeFile: CaseIterable {
    case brackets, commas, comments, oneString, unknownKeys, indexes, redundantIndexes, equalIndexes, overrides, fields

    var text: String {
        switch self {
        case .brackets: return String(repeating: "[", count: Rounds.of(1_000_000))
        case .commas: return #"{"indexes": ["# + String(repeating: ",", count: Rounds.of(1_000_000)) + "]}"
        case .comments: return String(repeating: "/* a, b */", count: Rounds.of(100_000)) + #"{"indexes": []}"#
        case .oneString: return #"{"indexes": [], "x": "\#(String(repeating: "x", count: Rounds.of(1_000_000)))"}"#
        case .unknownKeys: return "{" + repeated(Rounds.of(80_000)) { #""indexs\#($0)": 1"# } + "}"
        case .indexes: return list { "\(asc("a\($0)")), \(desc("b"))" }
        case .redundantIndexes: return list { "\(asc("a\($0 % 60)")), \(asc("b\($0 / 60)")), \(desc("z"))" }
        case .equalIndexes: return list { _ in "\(asc("a")), \(asc("bbbb"))" }
        case .overrides:
            let entries = repeated(Rounds.of(14_000)) {
                #"{"collectionGroup": "c", "fieldPath": "a.b\#($0 % Rounds.of(7_000))", "indexes": [], "ttl": true}"#
            }
            return #"{"indexes": [], "fieldOverrides": [\#(entries)]}"#
        case .fields: return index((0..<Rounds.of(26_000)).map { asc("a\($0)") }.joined(separator: ","))
        }
    }

    private func repeated(_ count: Int, _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: ",")
    }

    private func list(_ fields: (Int) -> String) -> String {
        let entries = repeated(Rounds.of(8_000)) {
            #"{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [\#(fields($0))]}"#
        }
        return #"{"indexes": [\#(entries)]}"#
    }
}
