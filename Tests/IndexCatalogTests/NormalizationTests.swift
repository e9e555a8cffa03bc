// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import Testing

/// I-17 to I-19, J-23.
@Suite struct NormalizationTests {
    /// Fields as listed, and the direction of `__name__` by the backend and by the official tool.
    @Test(arguments: [
        (list(asc("a"), asc("b")), Direction.ascending, Direction.ascending),
        (list(asc("a"), desc("b")), .descending, .descending),
        (list(desc("a"), asc("b")), .ascending, .ascending),
        (list(contains("a"), desc("b")), .descending, .descending),
        (list(desc("a"), contains("b")), .ascending, .descending),
        (list(asc("a"), contains("b")), .ascending, .ascending),
        (list(desc("a"), vector("v")), .ascending, .descending),
        (vector("v"), .ascending, .ascending),
        (list(asc("a"), desc("__name__")), .descending, .descending),
        (list(desc("a"), contains("b"), desc("__name__")), .descending, .descending),
        (desc("__name__"), .descending, .descending),
        (list(asc("a"), desc("__name__"), vector("v")), .descending, .descending),
    ])
    func nameDirection(_ fields: String, _ backend: Direction, _ officialTool: Direction) throws {
        let source = Array(index(fields).utf8)
        let first = try #require(ConfigurationReader.read(source).configuration.indexes.first)
        #expect(first.nameDirection == backend)
        #expect(!first.fields.contains { $0.path == .documentName })
        let second = try #require(
            ConfigurationReader.read(source, appendingNameBy: .officialTool).configuration.indexes.first)
        #expect(second.nameDirection == officialTool)
    }

    @Test func readsEveryMode() {
        let fields = list(contains("tags"), asc("a.`b c`"), desc("d"), vector("v", "768"))
        #expect(
            read(index(fields, scope: "COLLECTION_GROUP")).indexes == [
                IndexDefinition(
                    collectionGroup: "c", scope: .collectionGroup,
                    fields: [
                        IndexField(FieldPath(name: "tags"), .contains),
                        IndexField(FieldPath(["a", "b c"]), .order(.ascending)),
                        IndexField(FieldPath(name: "d"), .order(.descending)),
                        IndexField(FieldPath(name: "v"), .vector(dimension: 768)),
                    ], nameDirection: .ascending)
            ])
    }

    @Test func readsOverrides() {
        let source = overrides(
            #"{"collectionGroup": "c", "fieldPath": "a.b", "ttl": true, "indexes": []}, "#
                + #"{"collectionGroup": "c", "fieldPath": "*", "indexes": [{"arrayConfig": "CONTAINS", "queryScope": "COLLECTION_GROUP"}]}, "#
                + #"{"collectionGroup": "c", "fieldPath": "`*`", "ttl": false, "indexes": []}"#)
        #expect(
            read(source).fieldOverrides == [
                FieldOverride(collectionGroup: "c", path: FieldPath(["a", "b"]), indexes: [], timeToLive: true),
                FieldOverride(
                    collectionGroup: "c", path: nil, indexes: [SingleFieldIndex(.contains, .collectionGroup)],
                    timeToLive: nil),
                FieldOverride(collectionGroup: "c", path: FieldPath(name: "*"), indexes: [], timeToLive: false),
            ])
    }

    /// J-9, J-10.
    @Test func upgradesTheLegacyFormat() {
        let legacy =
            #"{"indexes": [{"collectionId": "c", "fields": [{"fieldPath": "t", "mode": "ARRAY_CONTAINS"}, {"fieldPath": "a", "mode": "DESCENDING"}]}]}"#
        #expect(read(legacy) == read(index(list(contains("t"), desc("a")))))
    }

    @Test func keepsTheReadableEntriesOfABadFile() {
        let good = #"{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [\#(asc("a")), \#(asc("b"))]}"#
        let source =
            #"{"indexes": [\#(good), {"fields": 5}, \#(good.replacing("\"b\"", with: "\"d\"")), 7,], "fieldOverrides": [{}, \#(override("[]"))]}"#
        let configuration = read(source)
        #expect(
            configuration.indexes.map(\.properties) == ["(a ASC, b ASC, __name__ ASC)", "(a ASC, d ASC, __name__ ASC)"])
        #expect(configuration.fieldOverrides.map(\.path) == [FieldPath(name: "f")])
    }

    @Test(arguments: [
        list(asc("__name__"), asc("a")), asc("a") + #", {"fieldPath": "__name__", "arrayConfig": "CONTAINS"}"#,
    ])
    func refusesAMisplacedName(_ fields: String) {
        #expect(read(index(fields)).indexes == [])
    }
}
