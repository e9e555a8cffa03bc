// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import JSONText
import TestSupport
import Testing

@Suite struct ConfigurationEditorTests {
    private func index(_ first: Text, _ second: Text) throws -> IndexDefinition {
        let fields = [
            IndexField(try FieldPath(dotted: first.string), .order(.ascending)),
            IndexField(try FieldPath(dotted: second.string), .order(.descending)),
        ]
        return IndexDefinition(collectionGroup: "c", scope: .collection, fields: fields, nameDirection: .descending)
    }

    private func edited(_ source: String, _ additions: IndexConfiguration) throws -> String {
        String(decoding: try ConfigurationEditor.adding(additions, to: Array(source.utf8)), as: UTF8.self)
    }

    private static let compact =
        #"{"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"a","order":"ASCENDING"},"#
        + #"{"fieldPath":"b","order":"DESCENDING"}]}"#

    @Test func keepsCommentsAndLayout() throws {
        let additions = IndexConfiguration(indexes: [try index("a", "b")])
        #expect(
            try edited("{\n\t// ours\n\t\"indexes\": [], /* end */\n\t\"fieldOverrides\": []\n}\n", additions) == """
                {
                \t// ours
                \t"indexes": [
                \t\t{
                \t\t\t"collectionGroup": "c",
                \t\t\t"queryScope": "COLLECTION",
                \t\t\t"fields": [
                \t\t\t\t{
                \t\t\t\t\t"fieldPath": "a",
                \t\t\t\t\t"order": "ASCENDING"
                \t\t\t\t},
                \t\t\t\t{
                \t\t\t\t\t"fieldPath": "b",
                \t\t\t\t\t"order": "DESCENDING"
                \t\t\t\t}
                \t\t\t]
                \t\t}
                \t], /* end */
                \t"fieldOverrides": []
                }

                """)
    }

    @Test func addsAfterTheCommentOfTheLastEntry() throws {
        let first =
            #"{"collectionGroup":"d","fields":[{"fieldPath":"x","order":"ASCENDING"},"#
            + #"{"fieldPath":"y","order":"ASCENDING"}]}"#
        let result = try edited(
            "{\"indexes\": [\r\n  \(first) // keep, please\r\n]}", IndexConfiguration(indexes: [try index("a", "b")]))
        #expect(result.hasPrefix("{\"indexes\": [\r\n  \(first), // keep, please\r\n  {\r\n  "))
        #expect(result.hasSuffix("}\r\n]}"))
    }

    @Test func aLineStaysALine() throws {
        let added = ConfigurationEditorTests.compact
        let other = added.replacing("\"a\"", with: "\"z\"")
        let additions = IndexConfiguration(indexes: [try index("a", "b")])
        #expect(try edited("{\"indexes\":[\(other)]}", additions) == "{\"indexes\":[\(other), \(added)]}")
        #expect(try edited("{\"indexes\":[\(added)]}", additions) == "{\"indexes\":[\(added)]}")
    }

    @Test func aMissingListIsAdded() throws {
        let override = FieldOverride(
            collectionGroup: "c", path: try FieldPath(dotted: "a"), indexes: [SingleFieldIndex(.ascending, .collection)]
        )
        let additions = IndexConfiguration(indexes: [try index("a", "b")], fieldOverrides: [override])
        let result = try edited("{}", additions)
        #expect(ConfigurationReader.read(Array(result.utf8)).configuration == additions)
        let kept = try edited("{\n  \"x\": 1 // one\n}", additions)
        #expect(kept.hasPrefix("{\n  \"x\": 1, // one\n  \"indexes\": ["))
    }

    @Test func anOverrideGainsWhatItLacks() throws {
        let path = try FieldPath(dotted: "f")
        let source = """
            {"indexes": [], "fieldOverrides": [
              // expires
              {"collectionGroup": "c", "fieldPath": "f", "ttl": true, "indexes": [
                {"order": "ASCENDING", "queryScope": "COLLECTION"} // needed
              ]}
            ]}
            """
        let wanted = FieldOverride(
            collectionGroup: "c", path: path,
            indexes: [SingleFieldIndex(.ascending, .collection), SingleFieldIndex(.ascending, .collectionGroup)])
        let result = try edited(source, IndexConfiguration(fieldOverrides: [wanted]))
        #expect(result.contains("\"COLLECTION\"}, // needed\n    {\n      \"order\": \"ASCENDING\","))
        let read = ConfigurationReader.read(Array(result.utf8)).configuration.fieldOverrides
        #expect(read == [FieldOverride(collectionGroup: "c", path: path, indexes: wanted.indexes, timeToLive: true)])
    }

    /// What a file has stays, character by character and in order, and what it lacked is there.
    @Test func nothingIsLost() throws {
        let generator = IndexConfigurationGenerator()
        try check(
            count: Rounds.of(2_000),
            generate: { random in
                let file = generator.configuration(&random)
                return (source: decorated(file, &random), additions: generator.configuration(&random))
            },
            failure: { input in
                let source = Array(input.source.utf8)
                let before = ConfigurationReader.read(source).configuration
                let result = try ConfigurationEditor.adding(input.additions, to: source)
                guard isSubsequence(source, of: result) else { return "characters of the file are gone" }
                let after = ConfigurationReader.read(result).configuration
                guard Array(after.indexes.prefix(before.indexes.count)) == before.indexes else {
                    return "indexes are gone, or in another order"
                }
                guard Set(after.indexes) == Set(before.indexes).union(input.additions.indexes) else {
                    return "indexes are missing"
                }
                let again = try ConfigurationEditor.adding(input.additions, to: result)
                guard again == result else { return "a second edit changes the file again" }
                return overrideLoss(before.fieldOverrides, input.additions.fieldOverrides, after.fieldOverrides)
            })
    }

    private func overrideLoss(
        _ before: [FieldOverride], _ additions: [FieldOverride], _ after: [FieldOverride]
    ) -> String? {
        for override in before + additions {
            let found = after.last { $0.collectionGroup == override.collectionGroup && $0.path == override.path }
            guard let found, found.indexes.isSuperset(of: override.indexes) else { return "\(override) is gone" }
        }
        return nil
    }

    private func isSubsequence(_ part: [UInt8], of whole: [UInt8]) -> Bool {
        var rest = part[...]
        for byte in whole where byte == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }

    /// The file as a team may have written it: on one line or many, with comments.
    private func decorated(_ file: IndexConfiguration, _ random: inout SeededGenerator) -> String {
        let text = ConfigurationWriter.node(file).text(random.chance(0.3) ? .compact : .indented)
        var result = ""
        for character in text {
            result.append(character)
            guard "[{,".contains(character), random.chance(0.2) else { continue }
            result += random.pick([" /* a, b ] } */ ", " // \"indexes\": []\n", "\r\n", "\t"])
        }
        return random.chance(0.5) ? result : result + "// the end }"
    }
}
