// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import JSONText
import TestSupport
import Testing

@Suite struct WriterTests {
    @Test func writesTheCanonicalForm() {
        let configuration = read(
            #"{"indexes": [{"collectionGroup": "posts", "queryScope": "COLLECTION", "fields": [\#(asc("a")), \#(desc("__name__"))]}, "#
                + #"{"collectionGroup": "posts", "queryScope": "COLLECTION", "fields": [\#(contains("tags")), \#(desc("at")), \#(desc("__name__"))]}], "#
                + #""fieldOverrides": [{"collectionGroup": "posts", "fieldPath": "body", "ttl": false, "indexes": []}]}"#
        )
        #expect(
            ConfigurationWriter.text(configuration) == """
                {
                  "indexes": [
                    {
                      "collectionGroup": "posts",
                      "queryScope": "COLLECTION",
                      "fields": [
                        {
                          "fieldPath": "a",
                          "order": "ASCENDING"
                        },
                        {
                          "fieldPath": "__name__",
                          "order": "DESCENDING"
                        }
                      ]
                    },
                    {
                      "collectionGroup": "posts",
                      "queryScope": "COLLECTION",
                      "fields": [
                        {
                          "fieldPath": "tags",
                          "arrayConfig": "CONTAINS"
                        },
                        {
                          "fieldPath": "at",
                          "order": "DESCENDING"
                        }
                      ]
                    }
                  ],
                  "fieldOverrides": [
                    {
                      "collectionGroup": "posts",
                      "fieldPath": "body",
                      "ttl": false,
                      "indexes": []
                    }
                  ]
                }

                """)
        #expect(ConfigurationWriter.node(IndexConfiguration()).text() == #"{"indexes":[],"fieldOverrides":[]}"#)
    }

    /// The written text means the same index, whether the backend or the official tool appends `__name__`.
    @Test(arguments: [
        (list(asc("a"), desc("b")), false), (list(asc("a"), desc("__name__")), true), (desc("__name__"), true),
        (list(desc("a"), contains("b")), true), (list(desc("a"), contains("b"), desc("__name__")), true),
        (list(asc("a"), contains("b")), false), (list(asc("a"), vector("v")), false),
        (list(desc("a"), vector("v")), true),
        (list(asc("a"), asc("b"), asc("__name__")), false),
    ])
    func writesTheNameWhereItIsNotImplied(_ fields: String, _ isWritten: Bool) throws {
        let definition = try #require(read(index(fields)).indexes.first)
        let text = ConfigurationWriter.node(definition).text()
        #expect(text.contains("__name__") == isWritten)
        let source = Array(#"{"indexes": [\#(text)]}"#.utf8)
        for rule in [NameDirectionRule.backend, .officialTool] {
            #expect(ConfigurationReader.read(source, appendingNameBy: rule).configuration.indexes == [definition])
        }
    }

    /// J-26: group, COLLECTION_GROUP first, fields one by one with `__name__` where production lists it, the shorter list
    /// first.
    @Test func sortsIndexes() {
        let sorted: [(String, String, String)] = [
            ("a", "COLLECTION_GROUP", list(asc("x"), asc("y"))),
            ("a", "COLLECTION", list(asc("a"), vector("b", "2"))),
            ("a", "COLLECTION", list(asc("a"), vector("b", "3"))), ("a", "COLLECTION", list(asc("a"), asc("b"))),
            ("a", "COLLECTION", list(asc("a"), asc("b"), asc("c"))),
            ("a", "COLLECTION", list(asc("a"), desc("b"))),
            ("a", "COLLECTION", list(asc("a"), contains("b"))), ("a", "COLLECTION", list(desc("a"), asc("b"))),
            ("a", "COLLECTION", list(asc("B"), asc("c"))), ("A", "COLLECTION", list(asc("a"), asc("b"))),
            ("b", "COLLECTION_GROUP", list(asc("a"), asc("b"))),
        ]
        let expected = sorted.flatMap { group, scope, fields in
            read(index(fields, scope: scope).replacing("\"c\",", with: "\"\(group)\",", maxReplacements: 1)).indexes
        }
        #expect(expected.count == sorted.count)
        var fuzz = JSONFuzz(seed: 1)
        for _ in 0..<20 {
            let text = ConfigurationWriter.text(IndexConfiguration(indexes: expected.shuffled(using: &fuzz)))
            #expect(read(text).indexes.map(\.properties) == expected.map(\.properties))
            #expect(read(text).indexes.elementsEqual(expected))
        }
    }

    /// J-27: group, those without TTL first, path.
    @Test func sortsOverrides() {
        func entry(_ group: Text, _ path: FieldPath?, _ ttl: Bool?) -> FieldOverride {
            FieldOverride(collectionGroup: group, path: path, indexes: [], timeToLive: ttl)
        }
        let expected = [
            entry("a", nil, nil), entry("a", FieldPath(name: "x"), false), entry("a", FieldPath(name: "y"), nil),
            entry("a", FieldPath(name: "b"), true), entry("b", nil, nil),
        ]
        let text = ConfigurationWriter.text(IndexConfiguration(fieldOverrides: expected.reversed()))
        #expect(read(text).fieldOverrides == expected)
    }

    /// Names in the order of JavaScript's `localeCompare`.
    @Test func sortsNamesAsTheOfficialToolDoes() {
        let names = [
            "_a", "-a", "1", "10", "2", "a", "A", "a_b", "a.b", "a1", "aa", "Aa", "ab", "aB", "b", "B", "Zoo", "é",
        ]
        let overrides = names.map { FieldOverride(collectionGroup: Text($0), path: nil, indexes: []) }
        let text = ConfigurationWriter.text(IndexConfiguration(fieldOverrides: overrides.reversed()))
        #expect(read(text).fieldOverrides.map(\.collectionGroup.string) == names)
    }

    /// A deployment sends both, in an order of its own (J-27), and keeps a TTL of which the last says nothing (J-31).
    @Test func differentOverridesOfAFieldStay() throws {
        func source(_ overrides: [String]) -> String {
            #"{"indexes":[],"fieldOverrides":[\#(overrides.joined(separator: ","))]}"#
        }
        let expiring = #"{"collectionGroup":"c","fieldPath":"f","ttl":true,"indexes":[]}"#
        let indexed =
            #"{"collectionGroup":"c","fieldPath":"f","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION"}]}"#
        let other = #"{"collectionGroup":"d","fieldPath":"f","indexes":[]}"#
        func formatted(_ overrides: String...) throws -> String {
            try ConfigurationFormatter.node(Array(source(overrides).utf8), for: .standard).text()
        }
        #expect(try formatted(expiring, indexed, other) == source([other, expiring, indexed]))
        #expect(try formatted(indexed, other, expiring) == source([other, indexed, expiring]))
        #expect(try formatted(other, indexed, other, indexed) == source([indexed, other]))
    }

    @Test func missingIndexForms() {
        let definition = IndexDefinition(
            collectionGroup: "cities", scope: .collection,
            fields: [
                IndexField(FieldPath(name: "state"), .order(.ascending)),
                IndexField(FieldPath(name: "a b"), .order(.descending)),
            ], nameDirection: .descending)
        #expect(
            ConfigurationWriter.missingIndex(definition).text()
                == #"{"collectionGroup":"cities","queryScope":"COLLECTION","fields":[{"fieldPath":"state","order":"ASCENDING"},{"fieldPath":"`a b`","order":"DESCENDING"},{"fieldPath":"__name__","order":"DESCENDING"}]}"#
        )
        #expect(
            ConfigurationWriter.fix([definition]).text()
                == #"{"indexes":[{"collectionGroup":"cities","queryScope":"COLLECTION","fields":[{"fieldPath":"state","order":"ASCENDING"},{"fieldPath":"`a b`","order":"DESCENDING"}]}]}"#
        )
        let single = SingleFieldIndex(.contains, .collectionGroup)
        #expect(
            ConfigurationWriter.missingIndex(single, of: FieldPath(name: "tags"), in: "posts").text()
                == #"{"collectionGroup":"posts","queryScope":"COLLECTION_GROUP","fields":[{"fieldPath":"tags","arrayConfig":"CONTAINS"}]}"#
        )
        #expect(
            ConfigurationWriter.fix(adding: single, to: FieldPath(name: "tags"), in: "posts").text()
                == #"{"fieldOverrides":[{"collectionGroup":"posts","fieldPath":"tags","indexes":[{"arrayConfig":"CONTAINS","queryScope":"COLLECTION_GROUP"},{"order":"ASCENDING","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION"},{"arrayConfig":"CONTAINS","queryScope":"COLLECTION"}]}]}"#
        )
    }

    /// A fix pasted into a file is a configuration without findings that has the missing index.
    @Test func fixesAreValidConfigurations() {
        let index = SingleFieldIndex(.descending, .collectionGroup)
        let fix = ConfigurationWriter.fix(adding: index, to: FieldPath(["a", "b"]), in: "c").text()
        let source = #"{"indexes":[],"# + fix.dropFirst()
        let (configuration, findings) = ConfigurationReader.read(Array(source.utf8))
        #expect(findings.map(\.message) == [])
        let found = IndexCatalog(configuration).singleFieldIndexes(of: FieldPath(["a", "b"]), in: "c")
        #expect(found == SingleFieldIndex.automatic.union([index]))
    }

    /// Reading without the rules finds what reading with them finds.
    @Test func whatIsWrittenIsReadAgain() throws {
        let generator = IndexConfigurationGenerator()
        try check(
            count: Rounds.of(1_000), generate: { generator.configuration(&$0) },
            failure: { configuration in
                let text = Array(ConfigurationWriter.text(configuration).utf8)
                let written = ConfigurationReader.read(written: text)
                return written == ConfigurationReader.read(text).configuration ? nil : "\(String(describing: written))"
            })
        #expect(ConfigurationReader.read(written: Array("{".utf8)) == nil)
    }

    /// P-11, as production printed it.
    @Test(arguments: [
        (list(asc("state"), desc("population")), "(state ASC, population DESC, __name__ DESC)"),
        (list(asc("color"), vector("emb")), "(color ASC, __name__ ASC, emb VECTOR<3>)"),
        (vector("emb"), "(__name__ ASC, emb VECTOR<3>)"), (desc("__name__"), "(__name__ DESC)"),
        (list(contains("tags"), asc("`a.b`")), "(tags ARRAY_CONTAINS, `a.b` ASC, __name__ ASC)"),
        (list(asc("a"), desc("__name__")), "(a ASC, __name__ DESC)"),
    ])
    func properties(_ fields: String, _ expected: String) {
        #expect(read(index(fields)).indexes.map(\.properties) == [expected])
    }

    @Test func propertiesOfAutomaticIndexes() {
        let tags = FieldPath(name: "tags")
        #expect(SingleFieldIndex(.contains, .collection).properties(of: tags) == "(tags ARRAY_CONTAINS, __name__ ASC)")
        #expect(SingleFieldIndex(.descending, .collection).properties(of: tags) == "(tags DESC, __name__ DESC)")
        #expect(SingleFieldIndex(.ascending, .collectionGroup).properties(of: tags) == "(tags ASC, __name__ ASC)")
    }
}
