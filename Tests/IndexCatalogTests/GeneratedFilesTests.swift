// SPDX-License-Identifier: Apache-2.0

import Foundation
import IndexCatalog
import JSONText
import TestSupport
import Testing

/// Files of the repository that are generated from the rules. `UPDATE_GOLDENS=1` writes them.
@Suite struct GeneratedFilesTests {
    private func expect(_ path: String, _ text: String) throws {
        let file = Locations.packageRoot.appending(path: path)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(path) is out of date")
    }

    @Test func pageOfRules() throws { try expect("docs/lint-rules.md", LintRule.page) }

    @Test func jsonSchema() throws {
        try expect("IndexConfigs/firestore.indexes.schema.json", ConfigurationJSONSchema.node.text(.indented) + "\n")
    }

    /// The schema refuses the same files that the rules about keys, types and enumerations report.
    @Test func schemaAndRulesAgree() throws {
        let schema = ConfigurationJSONSchema.node
        let structural: Set = [
            "unknown-key", "missing-key", "wrong-type", "bad-enum", "one-of-violation",
        ]
        var refused = 0
        for (name, source) in try Samples.all() + Samples.realFiles() {
            guard let root = try? JSONParser.parse(source, .withComments) else { continue }
            let findings = ConfigurationReader.read(source).findings
            guard !findings.contains(where: { $0.rule.id == "repeated-key" }) else { continue }
            let isRefused = findings.contains { structural.contains($0.rule.id) }
            if isRefused { refused += 1 }
            #expect(SchemaCheck.accepts(root, schema) != isRefused, "\(name)")
        }
        #expect(refused >= 8)
    }
}

/// The parts of JSON Schema that the generated schema uses.
private enum SchemaCheck {
    static func accepts(_ node: JSONNode, _ schema: JSONNode) -> Bool {
        for member in schema.members ?? [] {
            let fits =
                switch member.key {
                case "type": isOfType(node, member.node.string ?? "")
                case "enum": member.node.elements?.contains { $0.string == node.string && node.string != nil } == true
                case "minLength": !(node.string?.isEmpty ?? false)
                case "required": member.node.elements?.allSatisfy { node[$0.string ?? ""] != nil } == true
                case "items": node.elements?.allSatisfy { accepts($0, member.node) } ?? true
                case "allOf": member.node.elements?.allSatisfy { accepts(node, $0) } == true
                case "anyOf": member.node.elements?.contains { accepts(node, $0) } == true
                case "oneOf": member.node.elements?.count { accepts(node, $0) } == 1
                case "properties":
                    node.members?.allSatisfy { child in
                        member.node[child.key].map { accepts(child.node, $0) } ?? true
                    } ?? true
                case "additionalProperties":
                    node.members?.allSatisfy { schema["properties"]?[$0.key] != nil } ?? true
                default: true
                }
            if !fits { return false }
        }
        return true
    }

    private static func isOfType(_ node: JSONNode, _ type: String) -> Bool {
        switch type {
        case "object": node.members != nil
        case "array": node.elements != nil
        case "string": node.string != nil
        case "boolean": node.boolean != nil
        case "number": node.number != nil
        default: false
        }
    }
}

/// Configurations to try rules on.
enum Samples {
    static func all() throws -> [(name: String, source: [UInt8])] {
        try ["valid", "invalid"].flatMap {
            try files(Locations.packageRoot.appending(path: "IndexConfigs/samples/\($0)"))
        }
    }

    static func realFiles() throws -> [(name: String, source: [UInt8])] {
        guard let folder = Locations.sharedData() else { return [] }
        return try files(folder.appending(path: "index-configs"))
    }

    static func files(_ folder: URL) throws -> [(name: String, source: [UInt8])] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
            .map { ("\(folder.lastPathComponent)/\($0.lastPathComponent)", [UInt8](try Data(contentsOf: $0))) }
    }
}

/// IndexConfigs/samples: each file, compared with the findings beside it.
@Suite struct SampleTests {
    @Test func samplesHaveTheFindingsBesideThem() throws {
        let samples = try Samples.all()
        #expect(samples.count >= 40)
        var rules: Set<String> = []
        for (name, source) in samples {
            let base = Locations.packageRoot.appending(path: "IndexConfigs/samples/\(name)").deletingPathExtension()
            let expected = try String(contentsOf: base.appendingPathExtension("findings"), encoding: .utf8)
            let lines = LineMap(source)
            let found = ConfigurationReader.read(source).findings.map { finding in
                let position = lines.position(of: finding.offset)
                rules.insert(finding.rule.id)
                return "\(position.line):\(position.column) \(finding.rule.severity.rawValue) \(finding.rule.id)\n"
            }.joined()
            #expect(found == expected, "\(name)")
            #expect(found.isEmpty == name.hasPrefix("valid/"), "\(name)")
        }
        // Samples with 1,001 entries would be longer than all others together.
        let tooLong: Set = ["limit-composite-count", "limit-override-count"]
        #expect(Set(LintRule.ofIndexFiles.map(\.id)).subtracting(tooLong).subtracting(rules) == [])
    }
}
