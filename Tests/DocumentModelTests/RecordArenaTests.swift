// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// Records of several collections in one piece of memory.
@Suite struct RecordArenaTests {
    private static let database = DatabaseID(project: "p", database: "(default)")
    private static let paths: [DocumentPath] = [
        "c/one", "a/b/c/__id7__", "__id-1__/x/c/\u{1}two", "a/b/c/d/e/\u{e9}\u{0}",
    ]

    @Test func eachHasItsOwnPath() throws {
        let parts = Self.paths.map { path -> (key: [UInt8], record: [UInt8], collection: [UInt8]) in
            var id = KeyEncoder()
            id.append(byte: 5)
            id.append(segment: path.id)
            var collection = KeyEncoder()
            for segment in path.collection.resource.segments { collection.append(segment: segment) }
            let record = StoredDocumentEncoder.record(
                of: ["id": .string(path.id)], createTime: Timestamp(microseconds: 1)!,
                updateTime: Timestamp(microseconds: 2)!, key: id.bytes, database: Self.database)
            return (id.bytes, record, collection.bytes)
        }
        let size = parts.reduce(0) { $0 + $1.key.count - 1 + $1.record.count + $1.collection.count }
        var arena = RecordArena(count: size, in: nil, database: Self.database)
        var records: [DocumentRecord] = []
        for part in parts {
            records.append(
                try arena.copy(
                    part.record.span.bytes, key: part.key.span.bytes, idOffset: 1, in: part.collection.span.bytes))
        }
        for (record, path) in zip(records, Self.paths) {
            #expect(try record.path() == path)
            #expect(try record.id() == path.id)
            #expect(try record.collection() == path.collection)
            #expect(try record.document().fields.isIdentical(to: ["id": .string(path.id)]))
        }
    }
}
