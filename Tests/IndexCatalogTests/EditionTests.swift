// SPDX-License-Identifier: Apache-2.0

import IndexCatalog
import JSONText
import Testing

@Suite struct EditionTests {
    /// What Enterprise has and Standard refuses.
    private static let enterprise = """
        {"indexes": [
          {"collectionGroup": "reviews", "queryScope": "COLLECTION_GROUP", "apiScope": "MONGODB_COMPATIBLE_API",
           "density": "DENSE", "multikey": true, "fields": [{"fieldPath": "baz", "order": "ASCENDING"}]},
          {"collectionGroup": "reviews", "queryScope": "COLLECTION_GROUP", "apiScope": "MONGODB_COMPATIBLE_API",
           "density": "SPARSE_ANY", "fields": [{"fieldPath": "baz", "order": "ASCENDING"}]},
          {"collectionGroup": "items", "queryScope": "COLLECTION", "density": "SPARSE_ALL", "fields": [
            {"fieldPath": "text", "searchConfig":
              {"textSpec": {"indexSpecs": [{"indexType": "TOKENIZED", "matchType": "MATCH_GLOBALLY"}]}}}]}
        ], "fieldOverrides": []}
        """

    private func errors(_ source: String, _ edition: Edition) -> [String] {
        ConfigurationReader.read(Array(source.utf8), for: edition).findings
            .filter { $0.severity == .error }.map(\.rule.id)
    }

    @Test func enterpriseFilesAreSoundForEnterprise() {
        #expect(errors(Self.enterprise, .enterprise) == [])
        #expect(errors(Self.enterprise, .mongodb) == [])
        #expect(Set(errors(Self.enterprise, .standard)) == ["enterprise-only", "single-field-composite"])
    }

    @Test(arguments: [Edition.enterprise, .mongodb])
    func whatNoEditionHasIsAnError(_ edition: Edition) {
        let datastore = Self.enterprise.replacing("MONGODB_COMPATIBLE_API", with: "DATASTORE_MODE_API")
        #expect(errors(datastore, edition) == ["enterprise-only", "enterprise-only"])
        let dense = Self.enterprise.replacing(#""DENSE""#, with: #""dense""#)
        #expect(errors(dense, edition) == ["bad-enum"])
    }

    /// J-19: the official tool refuses the key for now, in every edition.
    @Test func uniqueIsAWarningInEnterprise() {
        let source = Self.enterprise.replacing(#""multikey": true"#, with: #""unique": true"#)
        #expect(errors(source, .standard).contains("unique-not-supported"))
        let findings = ConfigurationReader.read(Array(source.utf8), for: .mongodb).findings
        #expect(findings.map(\.rule.id) == ["unique-not-supported"])
        #expect(findings.map(\.severity) == [.warning])
    }

    /// Two entries that differ in an option are two indexes there.
    @Test func optionsMakeDifferentIndexes() {
        let fields = #""fields": [{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]"#
        func entry(_ options: String) -> String {
            #"{"collectionGroup": "c", "queryScope": "COLLECTION", \#(options)\#(fields)}"#
        }
        let source = #"{"indexes": [\#(entry("")), \#(entry(#""density": "SPARSE_ANY", "#)), \#(entry(""))]}"#
        let findings = ConfigurationReader.read(Array(source.utf8), for: .enterprise).findings
        #expect(findings.map(\.rule.id) == ["duplicate-index"])
        let fixed = ConfigurationReader.fixed(Array(source.utf8), for: .enterprise)?.source ?? []
        #expect(String(decoding: fixed, as: UTF8.self).split(separator: "collectionGroup").count == 3)
    }

    /// The canonical form keeps what the definitions do not hold.
    @Test func formattingKeepsOptions() throws {
        let node = try ConfigurationFormatter.node(Array(Self.enterprise.utf8), for: .enterprise)
        let text = node.text(.indented)
        for word in ["DENSE", "SPARSE_ANY", "multikey", "TOKENIZED", "MONGODB_COMPATIBLE_API"] {
            #expect(text.contains(word), "\(word) is lost")
        }
        #expect(!text.contains("__name__"))
        let again = try ConfigurationFormatter.node(Array(text.utf8), for: .enterprise)
        #expect(again.text(.indented) == text)
    }

    @Test func formattingIsTheWritersForStandard() throws {
        guard let folder = sharedFolder("index-configs") else { return }
        for (name, source) in try RealFiles.all(folder) {
            let (configuration, findings) = ConfigurationReader.read(source, appendingNameBy: .officialTool)
            guard findings.allSatisfy({ $0.severity != .error }) else { continue }
            let text = try ConfigurationFormatter.node(source, for: .standard).text(.indented) + "\n"
            for rule in [NameDirectionRule.backend, .officialTool] {
                let texts = [source, Array(text.utf8)].map {
                    ConfigurationWriter.text(ConfigurationReader.read($0, appendingNameBy: rule).configuration)
                }
                #expect(texts[0] == texts[1], "\(name)")
            }
            // What nobody knows is kept, and what is open left open.
            let kept = ["unknown-key", "ambiguous-name-direction"]
            guard !findings.contains(where: { kept.contains($0.rule.id) }) else { continue }
            #expect(text == ConfigurationWriter.text(configuration), "\(name)")
        }
    }
}
