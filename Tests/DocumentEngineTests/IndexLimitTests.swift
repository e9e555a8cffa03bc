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

    @Test func theEngineRefusesWhatTheLimitsRefuse() throws {
        let database = try TemporaryDatabase()
        let fields = Fields([Field("a", .array((0..<20_000).map { .integer($0) }))])!
        #expect(throws: EngineError.self) { try database.engine.commit([.set("c/d", fields)]) }
        #expect(try database.engine.document("c/d") == nil)
    }
}
