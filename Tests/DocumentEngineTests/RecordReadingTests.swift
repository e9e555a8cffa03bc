// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Documents are read several at once. Results and errors are the same as for single reads.
@Suite struct RecordReadingTests {
    private static let count = 2 * LookupBatch.capacity + 5

    /// IDs of every kind: short, numeric, and so long that their keys span two pages.
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

    private static let one = Query.collection("c").with { $0.orders = [Order("a")] }

    private static func queries() -> [Query] {
        [all, one, Query.collection("c"), Query.collectionGroup("c")].flatMap { query in
            [nil, 1, LookupBatch.capacity - 1, LookupBatch.capacity, LookupBatch.capacity + 1, 1_000].map { limit in
                query.with { $0.limit = limit }
            }
        }
    }

    /// IDs whose keys just fit into a key of a lookup, and just do not.
    @Test func aLookupHasTheKeyOfEveryLength() {
        for byte in ["\u{1}", "\u{2}", "a", "é", "😀"] {
            for count in 1...70 {
                for id in [
                    Text(String(repeating: byte, count: count)), Text("_" + String(repeating: byte, count: count)),
                ] {
                    for number in [1, 127, 128, 1 << 55, UInt64.max] as [UInt64] {
                        var encoder = KeyEncoder()
                        encoder.append(segment: id)
                        let key = DocumentKey.lookupKey(of: id, in: number)
                        #expect([UInt8](copying: key.bytes) == OrderedInteger.bytes(number) + encoder.bytes)
                    }
                }
            }
        }
    }

    /// The key of a lookup is written by a way of its own.
    @Test func aLookupHasTheKeyOfTheRecord() {
        for width in 0..<64 {
            let power: UInt64 = 1 << UInt64(width)
            for number in [power, power - 1, UInt64.max - power] {
                for id in [
                    "d", "_d", "__id7__", "__id07__", "__id-9223372036854775808__",
                    Text(String(repeating: "long", count: 300)),
                ] as [Text] {
                    var encoder = KeyEncoder()
                    encoder.append(segment: id)
                    let expected = OrderedInteger.bytes(number) + encoder.bytes
                    #expect(DocumentKey.bytes(of: id, in: number) == expected)
                    let ofLookup = DocumentKey.lookupKey(of: id, in: number)
                    #expect([UInt8](copying: ofLookup.bytes) == expected)
                }
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
        try expectNamed(Self.all, index, "an index entry names PATH, which does not exist") {
            (key, transaction) throws(EngineError) in
            let documents = try Self.writer(&transaction)
            _ = try documents.delete(key, &transaction)
        }
    }

    @Test(arguments: [0, 1, 2, 30, 31, 32, 33, 34]) func theFirstDamagedDocumentIsNamed(index: Int) throws {
        try expectNamed(Self.one, index, "PATH: a document's bytes are not those that were written") {
            (key, transaction) throws(EngineError) in
            var record = try Self.record(key, transaction)
            record[record.count - 1] ^= 1
            let documents = try Self.writer(&transaction)
            try documents.put(key, record, &transaction)
        }
    }

    private static func record(
        _ key: [UInt8], _ transaction: borrowing Transaction
    ) throws(EngineError) -> [UInt8] {
        guard let record = try transaction.get(key.span.bytes, from: .documents) else { return [] }
        return [UInt8](copying: record)
    }

    private static func writer(_ transaction: inout Transaction) throws(EngineError) -> LongKeyWriter {
        try LongKeyWriter(.documents, &transaction)
    }

    /// If a row's document and the last one are both damaged, the error is that of the row.
    private func expectNamed(
        _ query: Query, _ index: Int, _ message: String,
        spoiling spoil: (_ key: [UInt8], inout Transaction) throws(EngineError) -> Void
    ) throws {
        let database = try Self.database()
        database.verifiesAtEnd = false
        let engine = database.engine
        let paths = try engine.run(query).documents.map(\.path)
        for path in Set([paths[index], paths[paths.count - 1]]) {
            try engine.tamper { (transaction) throws(EngineError) in
                guard let collectionID = try engine.ids.collectionID(of: path.collection, transaction) else { return }
                try spoil(DocumentKey.bytes(of: path.id, in: collectionID), &transaction)
            }
        }
        let failures = [{ _ = try engine.records(query) }, { _ = try engine.run(query) }].map { body in
            do {
                try body()
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(failures[0].contains(message.replacing("PATH", with: "\(paths[index])")))
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
