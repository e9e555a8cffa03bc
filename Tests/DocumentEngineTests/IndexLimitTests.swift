// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import TestSupport
import Testing

/// D-18 to D-20 and D-29: what production refuses because of a document's index entries.
@Suite struct IndexLimitTests {
    private func refusal(_ fields: Fields, path: DocumentPath = "c/d", _ indexes: IndexConfiguration = .init())
        -> String?
    {
        do throws(DocumentFormError) {
            try IndexLimits.validate(path, fields, IndexCatalog(indexes))
            return nil
        } catch {
            return error.message
        }
    }

    @Test func D29_anArrayHasAtMost19999DistinctElements() {
        let accepted = Fields([Field("a", .array((0..<19_999).map { .integer($0) }))])!
        #expect(refusal(accepted) == nil)
        let refused = Fields([Field("a", .array((0..<20_000).map { .integer($0) }))])!
        #expect(refusal(refused) == "too many index entries for entity /c/d")
        let repeated = Fields([Field("a", .array((0..<30_000).map { .integer($0 % 5) }))])!
        #expect(refusal(repeated) == nil)
    }

    /// Three entries for each element, two of each field by itself, and one in each index without `CONTAINS`.
    @Test func D18_compositeIndexesCount() {
        let contains = IndexDefinition(
            collectionGroup: "c", scope: .collection,
            fields: [IndexField("a", .contains), IndexField("b", .order(.ascending))],
            nameDirection: .ascending)
        let others = (0..<1_000).map { number in
            IndexDefinition(
                collectionGroup: "c", scope: .collection,
                fields: [
                    IndexField("b", .order(.ascending)),
                    IndexField(FieldPath([Text("f\(number)")]), .order(.ascending)),
                ],
                nameDirection: .ascending)
        }
        let indexes = IndexConfiguration(indexes: [contains] + others)
        func fields(_ elements: Int) -> Fields {
            Fields([Field("a", .array((0..<elements).map { .integer(Int64($0)) })), Field("b", 1)])!
        }
        #expect(refusal(fields(13_332), indexes) == nil)
        #expect(refusal(fields(13_333), indexes) == "too many index entries for entity /c/d")
        let wide = Fields([Field("b", 1)] + (0..<1_000).map { Field(Text("f\($0)"), 1) })!
        #expect(refusal(wide, indexes) == nil)
    }

    @Test func D18_anExemptFieldHasNoEntries() {
        let fields = Fields([Field("a", .array((0..<20_000).map { .integer($0) }))])!
        let exempt = IndexConfiguration(fieldOverrides: [.init(collectionGroup: "c", path: "a", indexes: [])])
        #expect(refusal(fields, exempt) == nil)
    }

    @Test func D19_longNamesMakeEntriesTooLarge() {
        let id = String(repeating: "i", count: 1_400)
        let path = DocumentPath(ResourcePath(segments: ["c", Text(id), "c", Text(id), "c", Text(id)]))
        let long = Fields([Field("s", .string(Text(String(repeating: "x", count: 2_000))))])!
        #expect(refusal(long, path: path) == "Index entry is too large.")
        #expect(refusal(Fields([Field("s", "short")])!, path: path) == nil)
        #expect(refusal(long, path: "c/d") == nil)
    }

    /// A document of few bytes is refused as well if most of them are in one path.
    @Test func D19_longPathsMakeEntriesTooLarge() {
        let name = String(repeating: "n", count: 1_400)
        func nested(_ count: Int) -> Value {
            (1..<count).reduce(1) { inner, _ in .map(Fields([Field(Text(name), inner)])!) }
        }
        func fields(_ count: Int) -> Fields { Fields([Field(Text(name), nested(count))])! }
        #expect(refusal(fields(5)) == nil)
        #expect(refusal(fields(6)) == "Index entry is too large.")
        let exempt = IndexConfiguration(fieldOverrides: [
            .init(collectionGroup: "c", path: FieldPath([Text(name)]), indexes: [])
        ])
        #expect(refusal(fields(6), exempt) == nil)
    }

    @Test func theEngineRefusesWhatTheLimitsRefuse() throws {
        let database = try TemporaryDatabase()
        let fields = Fields([Field("a", .array((0..<20_000).map { .integer($0) }))])!
        #expect(throws: EngineError.self) { try database.engine.commit([.set("c/d", fields)]) }
        #expect(try database.engine.document("c/d") == nil)
    }
}
