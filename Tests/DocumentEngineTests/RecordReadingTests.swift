// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Documents are read several at a time; what is read, and what is said where one is missing, is as if it were one by one.
@Suite struct RecordReadingTests {
    private static let count = 2 * LookupBatch.capacity + 5

    /// IDs of every kind: short, numeric, and so long that their keys lie on two pages.
    private static func id(_ index: Int) -> String {
        switch index % 7 {
        case 0: "__id\(index)__"
        case 1: String(repeating: "long", count: 130) + "\(index)"
        default: "d\(index)"
        }
    }

    private static func database() throws -> TemporaryDatabase {
        let group = IndexDefinition(
            collectionGroup: "c", scope: .collectionGroup,
            fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.ascending))],
            nameDirection: .ascending)
        let database = try TemporaryDatabase(indexes: IndexConfiguration(indexes: [group]))
        let writes = (0..<count).map { index in
            let text = String(repeating: "x", count: index % 9 == 0 ? 5_000 : index)
            let collection = index % 2 == 0 ? "c" : "p/\(index % 3)/c"
            return Write.set(
                DocumentPath(stringLiteral: "\(collection)/\(id(index))"),
                ["a": .integer(Int64(index)), "b": 1, "t": .string(Text(text))])
        }
        _ = try database.engine.commit(writes)
        return database
    }

    private static let all = Query.collectionGroup("c").with { $0.orders = [Order("a"), Order("b")] }

    private static func queries() -> [Query] {
        let one = Query.collection("c").with { $0.orders = [Order("a")] }
        return [all, one, Query.collection("c"), Query.collectionGroup("c")].flatMap { query in
            [nil, 1, LookupBatch.capacity - 1, LookupBatch.capacity, LookupBatch.capacity + 1, 1_000].map { limit in
                query.with { $0.limit = limit }
            }
        }
    }

    @Test func recordsAreTheDocumentsOfTheQuery() throws {
        let database = try Self.database()
        let engine = database.engine
        var rows = 0
        for query in Self.queries() {
            let expected = try engine.run(query).documents
            let records = try engine.records(query).map { record in try record.document() }
            #expect(records.count == expected.count && zip(records, expected).allSatisfy { $0.isIdentical(to: $1) })
            rows += records.count
        }
        #expect(rows > 200)
        withExtendedLifetime(database) {}
    }

    @Test(arguments: [0, 2, 30, 2 * LookupBatch.capacity, count - 1]) func theFirstMissingDocumentIsNamed(index: Int)
        throws
    {
        let database = try Self.database()
        database.verifiesAtEnd = false
        let engine = database.engine
        let all = Self.all
        let paths = try engine.run(all).documents.map(\.path)
        for path in [paths[index], paths[paths.count - 1]] {
            try engine.tamper { (cursors) throws(EngineError) in
                guard let collection = try engine.numbers.collection(path.collection, cursors) else { return }
                let stores = engine.stores
                let writer = try KeyedWriter(stores.keyed(stores.documents), runs: Counter(.runs, stores), &cursors)
                _ = try writer.delete(DocumentKey.bytes(of: path.id, in: collection), &cursors)
            }
        }
        let failures = [{ _ = try engine.records(all) }, { _ = try engine.run(all) }].map { body in
            do {
                try body()
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(failures[0].contains("an index entry names \(paths[index]), which does not exist"))
        #expect(failures[0] == failures[1])
        withExtendedLifetime(database) {}
    }
}

extension Document {
    func isIdentical(to other: Document) -> Bool {
        path == other.path && fields.isIdentical(to: other.fields) && createTime == other.createTime
            && updateTime == other.updateTime
    }
}
