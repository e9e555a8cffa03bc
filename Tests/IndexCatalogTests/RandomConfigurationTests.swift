// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import TestSupport
import Testing

@Suite struct RandomConfigurationTests {
    /// Damaged configurations never trap. Findings are inside the source and in order, and every entry is either read
    /// or has an error that says why not.
    @Test func damagedConfigurations() throws {
        var fuzz = JSONFuzz(seed: 42)
        print("seed \(fuzz.seed)")
        let sources = try seeds()
        var seenRules: Set<String> = []
        for round in 0..<Rounds.of(20_000) {
            let tree = fuzz.alter(fuzz.pick(sources))
            var source = Array(tree.text(fuzz.chance(50) ? .compact : .indented).utf8)
            if round.isMultiple(of: 4) { source = fuzz.damage(source) }
            let (configuration, findings) = ConfigurationReader.read(source)
            seenRules.formUnion(findings.map(\.rule.id))
            check(source, configuration, findings)
            if round.isMultiple(of: 10) { checkRoundTrip(configuration) }
        }
        // Three indexes that fit together do not occur by chance.
        let rare = ["trailing-comma", "limit-", "redundant-index"]
        let unseen = LintRule.ofIndexFiles.map(\.id).filter { id in
            !seenRules.contains(id) && !rare.contains(where: id.hasPrefix)
        }
        if Rounds.share == 1 { #expect(unseen == [], "random damage should meet every rule") }
    }

    private func check(_ source: [UInt8], _ configuration: IndexConfiguration, _ findings: [LintFinding]) {
        let offsets = findings.map(\.offset)
        #expect(offsets == offsets.sorted() && offsets.allSatisfy { (0...source.count).contains($0) })
        var commas: [Int] = []
        guard let root = try? JSONParser.parse(source, notingTrailingCommas: &commas) else {
            #expect(findings.map(\.rule.id) == ["syntax"])
            return
        }
        let errors = findings.filter { $0.rule.severity == .error }.map(\.offset)
        let duplicates = findings.filter { $0.rule.id.hasPrefix("duplicate-") }.map(\.offset)
        for (entries, count) in [
            (root["indexes"]?.elements ?? [], configuration.indexes.count),
            (root["fieldOverrides"]?.elements ?? [], configuration.fieldOverrides.count),
        ] {
            let clean = entries.filter { entry in !errors.contains { extent(entry).contains($0) } }
            let once = clean.filter { entry in !duplicates.contains(entry.offset) }
            let text = String(decoding: source, as: UTF8.self)
            #expect((once.count...clean.count).contains(count), "\(text)")
        }
    }

    /// The first to the last byte that a finding inside an entry can refer to.
    private func extent(_ node: JSONNode) -> ClosedRange<Int> {
        var last = node.offset
        for member in node.members ?? [] { last = max(last, member.keyOffset, extent(member.node).upperBound) }
        for element in node.elements ?? [] { last = max(last, extent(element).upperBound) }
        return node.offset...last
    }

    private func checkRoundTrip(_ configuration: IndexConfiguration) {
        let text = ConfigurationWriter.text(configuration)
        for rule in [NameDirectionRule.backend, .officialTool] {
            let (again, findings) = ConfigurationReader.read(Array(text.utf8), appendingNameBy: rule)
            #expect(ConfigurationWriter.text(again) == text)
            #expect(Set(again.indexes) == Set(configuration.indexes), "\(text)")
            #expect(Set(again.fieldOverrides) == Set(configuration.fieldOverrides), "\(text)")
            #expect(findings.allSatisfy { $0.rule.severity != .error }, "\(text) \(findings.map(\.message))")
        }
    }

    /// Small files that together have every key, and the shared real files if present.
    private func seeds() throws -> [JSONNode] {
        let fields = [
            list(asc("a"), desc("b")), list(contains("tags"), desc("at"), desc("__name__")),
            desc("__name__"),
            list(desc("a.b"), contains("`x y`")), list(asc("color"), vector("emb")), vector("emb", "4000"), asc("a"),
            asc("__name__"),
            #"{"fieldPath": "b", "searchConfig": {"textSpec": {"indexSpecs": [{"indexType": "TOKENIZED"}]}}}"#,
        ]
        let entry =
            #"{"collectionGroup": "c", "queryScope": "COLLECTION", "density": "SPARSE_ALL", "multikey": false, "unique": true, "apiScope": "ANY_API", "fields": [\#(asc("a")), \#(asc("b"))]}"#
        let pair =
            #"{"collectionGroup": "c", "queryScope": "COLLECTION_GROUP", "fields": [\#(asc("a")), \#(asc("b"))]}"#
        let sources =
            fields.map { index($0) } + fields.map { index($0, scope: "COLLECTION_GROUP") } + [
                #"{"$schema": "s", "indexes": [\#(entry), \#(pair), \#(pair.replacing("_GROUP", with: ""))]}"#,
                #"{"indexes": [{"collectionId": "c", "fields": [{"fieldPath": "a", "mode": "ARRAY_CONTAINS"}]}]}"#,
                overrides(
                    override("[\(automaticEntries)]") + ", " + override("[]", path: "*", rest: #""ttl": true, "#)),
                overrides(
                    override("[]", path: "x") + ", "
                        + override("[\(automaticEntries)]", path: "y", rest: #""ttl": true, "#)),
            ]
        let small = try sources.map { try JSONParser.parse($0) }
        guard let folder = sharedFolder("index-configs") else { return small }
        let real = try ["010.json", "016.json", "092.json", "120.json", "149.json"].map { name in
            try JSONParser.parse([UInt8](try Data(contentsOf: folder.appending(path: name))), .withComments)
        }
        return small + real
    }

    /// Two files far larger than people write. `make test` counts the instructions to show that the time is not
    /// quadratic.
    @Test func largeFiles() {
        let wrong =
            "{\"indexes\": ["
            + Array(repeating: #"{"a":1,"fields":[{"x":2}]}"#, count: Rounds.of(20_000)).joined(separator: ",")
            + "]}"
        let many = (0..<1000).map {
            #"{"collectionGroup": "c\#($0)", "queryScope": "COLLECTION", "fields": [\#(asc("a")), \#(desc("b"))]}"#
        }
        #expect(ConfigurationReader.read(Array(wrong.utf8)).findings.count > Rounds.of(100_000))
        let source = Array(#"{"indexes": [\#(many.joined(separator: ","))]}"#.utf8)
        #expect(ConfigurationReader.read(source).configuration.indexes.count == 1000)
    }
}
