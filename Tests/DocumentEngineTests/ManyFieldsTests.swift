// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

/// Documents with more fields than the maker of index entries remembers. The fields of a map without indexes count, too. Each
/// database verifies itself.
@Suite struct ManyFieldsTests {
    private static let exempt = IndexConfiguration(fieldOverrides: [.init(collectionGroup: "c", path: "m", indexes: [])]
    )

    /// Each number has an indexed field of its own, whose index has no entry before.
    private func fields(_ number: Int) -> Fields {
        let many = Fields((0..<60_000).map { Field(Text("k\($0)"), .null) })!
        return Fields([Field(Text("n\(number)"), 1), Field("m", .map(many))])!
    }

    private func names(_ number: Int, _ engine: Engine) throws -> [String] {
        var query = Query.collection("c")
        query.filter = .field(FieldPath([Text("n\(number)")]), .equal, 1)
        return try engine.run(query).documents.map { "\($0.path)" }
    }

    @Test func commitsMakeAllEntries() throws {
        let database = try TemporaryDatabase(indexes: Self.exempt)
        for number in 0..<3 { _ = try database.engine.commit([.set("c/d", fields(number))]) }
        #expect(try names(2, database.engine) == ["c/d"])
        #expect(try names(1, database.engine) == [])
        _ = try database.engine.commit([Write("c/d", .delete)])
        #expect(try names(2, database.engine) == [])
    }

    @Test func loadsMakeAllEntries() throws {
        let database = try TemporaryDatabase(indexes: Self.exempt)
        var next = 0
        _ = try database.engine.load(
            next: { () throws(EngineError) in
                next += 1
                return next > 3 ? nil : (DocumentPath(stringLiteral: "c/\(next)"), self.fields(next))
            }, reject: { _, _ in })
        for number in 1...3 { #expect(try names(number, database.engine) == ["c/\(number)"]) }
    }

    /// Entries of many indexes are removed in few commits, and the same indexes cost none later, when they have no entries.
    @Test func overridesChangeInFewCommits() throws {
        let database = try TemporaryDatabase()
        let users = Fields((0..<1_000).map { Field(Text("u\($0)"), 1) })!
        _ = try database.engine.commit([.set("c/d", Fields([Field("a", 1), Field("m", .map(users))])!)])
        var overrides = Self.exempt.fieldOverrides
        for path in ["a", "b"] as [FieldPath] {
            let before = database.engine.environment.info.lastTransactionID
            try database.engine.apply(IndexConfiguration(fieldOverrides: overrides), prune: true)
            #expect(database.engine.environment.info.lastTransactionID - before < 20)
            overrides.append(FieldOverride(collectionGroup: "c", path: path, indexes: []))
        }
    }
}
