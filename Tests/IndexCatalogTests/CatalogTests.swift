// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import TestSupport
import Testing

/// Which single-field indexes a field has (I-8 to I-10).
@Suite struct CatalogTests {
    private static let ascending = SingleFieldIndex(.ascending, .collection)
    private static let descending = SingleFieldIndex(.descending, .collection)
    private static let group = SingleFieldIndex(.ascending, .collectionGroup)

    private static let catalog = IndexCatalog(
        composites: [],
        fieldOverrides: [
            FieldOverride(collectionGroup: "posts", path: nil, indexes: [descending]),
            FieldOverride(collectionGroup: "posts", path: FieldPath(name: "map"), indexes: []),
            FieldOverride(
                collectionGroup: "posts", path: FieldPath(["map", "in", "deep"]), indexes: [ascending, group]),
            FieldOverride(collectionGroup: "posts", path: FieldPath(name: "*"), indexes: [group]),
            FieldOverride(collectionGroup: "plain", path: FieldPath(name: "a"), indexes: []),
            FieldOverride(collectionGroup: "plain", path: FieldPath(name: "a.b"), indexes: [group]),
        ])

    @Test(
        arguments: [
            ("posts", "title", [descending]), ("posts", "map", []), ("posts", "map.x", []), ("posts", "map.in", []),
            ("posts", "map.in.deep", [ascending, group]), ("posts", "map.in.deep.er", [ascending, group]),
            ("posts", "map.in.deeper", []), ("posts", "mapx", [descending]), ("posts", "`*`", [group]),
            ("plain", "a", []), ("plain", "a.b", []), ("plain", "`a.b`", [group]),
            ("plain", "b", SingleFieldIndex.automatic),
            ("plain", "b.a", SingleFieldIndex.automatic), ("other", "a", SingleFieldIndex.automatic),
        ] as [(Text, String, Set<SingleFieldIndex>)])
    func lookup(_ group: Text, _ path: String, _ expected: Set<SingleFieldIndex>) throws {
        #expect(Self.catalog.singleFieldIndexes(of: try FieldPath(wire: path), in: group) == expected)
    }

    /// I-9, I-10: the database default applies only if the group has neither the field, nor an ancestor, nor `*`.
    @Test(
        arguments: [
            ("posts", "title", [descending]), ("posts", "map.x", []), ("plain", "b", [group]),
            ("other", "a.b", [group]),
            ("plain", "a.x", []),
        ] as [(Text, String, Set<SingleFieldIndex>)])
    func lookupWithADatabaseDefault(_ group: Text, _ path: String, _ expected: Set<SingleFieldIndex>) throws {
        let catalog = IndexCatalog(
            composites: [],
            fieldOverrides: Self.catalog.fieldOverrides + [
                FieldOverride(collectionGroup: "__default__", path: nil, indexes: [Self.group])
            ])
        #expect(catalog.singleFieldIndexes(of: try FieldPath(wire: path), in: group) == expected)
    }

    /// Compares with trying every prefix, longest first, over few names so that prefixes are common.
    @Test func randomLookups() {
        var fuzz = JSONFuzz(seed: 9)
        print("seed \(fuzz.seed)")
        for _ in 0..<300 {
            let overrides = (0..<fuzz.number(below: 12)).map { _ in
                FieldOverride(
                    collectionGroup: "c", path: fuzz.chance(10) ? nil : path(&fuzz),
                    indexes: fuzz.chance(50) ? [Self.ascending] : fuzz.chance(50) ? [Self.group] : [])
            }
            let catalog = IndexCatalog(composites: [], fieldOverrides: overrides)
            for _ in 0..<20 {
                let wanted = path(&fuzz)
                let prefixes = (1...wanted.segments.count).reversed().map { FieldPath(Array(wanted.segments[..<$0])) }
                let expected = (prefixes + [nil]).lazy.compactMap { prefix in overrides.last { $0.path == prefix } }
                    .first
                #expect(
                    catalog.singleFieldIndexes(of: wanted, in: "c") == expected?.indexes ?? SingleFieldIndex.automatic,
                    "\(wanted) \(overrides.map { $0.path?.wire ?? "*" })")
            }
        }
    }

    private func path(_ fuzz: inout JSONFuzz) -> FieldPath {
        FieldPath((0...fuzz.number(below: 4)).map { _ in fuzz.pick(["a", "b", "ab"]) })
    }

    @Test func readFromAFile() throws {
        let catalog = IndexCatalog(
            read(
                overrides(
                    override("[]", path: "*") + ", "
                        + override(#"[{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]"#, path: "a.b"))))
        #expect(catalog.singleFieldIndexes(of: FieldPath(["a", "b", "c"]), in: "c") == [Self.group])
        #expect(catalog.singleFieldIndexes(of: FieldPath(["a", "x"]), in: "c") == [])
        #expect(catalog.singleFieldIndexes(of: FieldPath(["a", "x"]), in: "d") == SingleFieldIndex.automatic)
    }

    @Test func compositesByGroup() throws {
        let catalog = IndexCatalog(read(index(list(asc("a"), desc("b")))))
        #expect(catalog.composites(of: "c").map(\.definition.properties) == ["(a ASC, b DESC, __name__ DESC)"])
        #expect(catalog.composites(of: "c").map(\.state) == [.ready])
        #expect(catalog.composites(of: "d").isEmpty)
    }
}
