// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Index entries have no checksums. Whatever damages one, no document is returned with a name or with fields other than
/// those that were written.
@Suite struct EntryDamageTests {
    private static let documents: [DocumentPath: Fields] = [
        "c/x/g/one": Fields([Field("n", 1), Field("of", "x")])!,
        "c/y/g/one": Fields([Field("n", 2), Field("of", "y")])!,
        "c/y/g/two": Fields([Field("n", 3), Field("of", "y")])!,
        "g/one": Fields([Field("n", 4), Field("of", "root")])!,
    ]

    private static let indexes = IndexConfiguration(
        indexes: [
            IndexDefinition(
                collectionGroup: "g", scope: .collectionGroup,
                fields: [IndexField("n", .order(.ascending)), IndexField("of", .order(.descending))],
                nameDirection: .descending)
        ],
        fieldOverrides: [
            FieldOverride(
                collectionGroup: "g", path: "n",
                indexes: [
                    SingleFieldIndex(.ascending, .collection), SingleFieldIndex(.ascending, .collectionGroup),
                ])
        ])

    private static func query(_ orders: [Order]) -> Query {
        Query(from: CollectionSelector(collectionID: "g", allDescendants: true), orders: orders)
    }

    /// Opens its own engine, because ``TemporaryDatabase`` would report this damage.
    private func withEngine(_ body: (Engine) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.mapSize = 64 << 20
        options.durability = .mayLoseDatabase
        let engine = try Engine.open(directory.path("damaged.db"), options)
        try engine.apply(Self.indexes, prune: true)
        _ = try engine.commit(Self.documents.map { .set($0.key, $0.value) })
        try body(engine)
    }

    private func entries(_ engine: Engine, _ store: Store) throws -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(store)
            while try transaction.next(cursor) {
                entries.append(([UInt8](copying: transaction.key(cursor)), [UInt8](copying: transaction.value(cursor))))
            }
        }
        return entries
    }

    /// Replaces one entry by another.
    private func replace(
        _ engine: Engine, _ store: Store, _ old: [UInt8], _ key: [UInt8], _ value: [UInt8]
    ) throws {
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(store)
            if try transaction.seek(cursor, old.span.bytes), compareBytes(transaction.key(cursor), old.span.bytes) == 0
            {
                try transaction.delete(cursor)
            }
            try transaction.put(cursor, key.span.bytes, value.span.bytes)
        }
    }

    /// The number of rows of a query, each checked against what was written, in both forms; nil if the query fails.
    private func deliver(_ engine: Engine, _ query: Query) throws -> Int? {
        let documents = checked { try engine.run(query).documents.map { ($0.path, $0.fields) } }
        let records = checked { try engine.records(query).map { (try $0.path(), try $0.fields()) } }
        #expect(documents == records)
        return documents
    }

    private func checked(_ run: () throws -> [(DocumentPath, Fields)]) -> Int? {
        guard let rows = try? run() else { return nil }
        for (path, fields) in rows {
            #expect(Self.documents[path]?.isIdentical(to: fields) == true, "\(path) with \(fields)")
        }
        return rows.count
    }

    private typealias Entry = (key: [UInt8], value: [UInt8])

    /// Puts each variant of each entry of a group in its place for one run of the query, and passes on the number of rows; nil if
    /// the query failed.
    private func damageGroupEntries(
        isComposite: Bool, _ variants: (Entry) -> [Entry], check: (Entry, Int?) -> Void = { _, _ in }
    ) throws {
        let query = Self.query(isComposite ? [Order("n"), Order("of", .descending)] : [Order("n")])
        try withEngine { engine in
            let store = isComposite ? engine.stores.compositeEntries : engine.stores.fieldEntries
            #expect(try deliver(engine, query) == Self.documents.count)
            var failures = 0
            for entry in try entries(engine, store) {
                for variant in variants(entry) {
                    try replace(engine, store, entry.key, variant.key, variant.value)
                    let delivered = try deliver(engine, query)
                    check(variant, delivered)
                    if delivered == nil { failures += 1 }
                    try replace(engine, store, variant.key, entry.key, entry.value)
                }
            }
            #expect(failures > 0)
            #expect(try deliver(engine, query) == Self.documents.count)
        }
    }

    @Test(arguments: [false, true]) func everyBitOfGroupEntries(isComposite: Bool) throws {
        try damageGroupEntries(isComposite: isComposite) { entry in
            (0..<8 * (entry.key.count + entry.value.count)).map { bit in
                var bytes = entry.key + entry.value
                bytes[bit / 8] ^= 1 << (bit % 8)
                return (Array(bytes[..<entry.key.count]), Array(bytes[entry.key.count...]))
            }
        }
    }

    /// Among them are names of which nothing is left but the path of a collection that was verified before.
    @Test(arguments: [false, true]) func everyLengthOfGroupEntries(isComposite: Bool) throws {
        try damageGroupEntries(isComposite: isComposite) { entry in
            (1..<entry.key.count).map { (Array(entry.key[..<$0]), entry.value) }
        } check: { cut, delivered in
            // Only a key that has lost the number of its index is not read.
            #expect(delivered != Self.documents.count - 1 || cut.key.count <= 2, "cut to \(cut.key)")
        }
    }

    @Test func anIDOfAnotherCollectionIsDamage() throws {
        try withEngine { engine in
            let collectionIDs = try ["c/x/g/one", "c/y/g/one"].map { (path: DocumentPath) in
                try engine.read { (transaction) throws(EngineError) in
                    try engine.ids.collectionID(of: path.collection, transaction)!
                }
            }
            let store = engine.stores.fieldEntries
            let wanted = OrderedInteger.bytes(collectionIDs[0])
            let entry = try #require(try entries(engine, store).first { $0.value.starts(with: wanted) })
            try replace(engine, store, entry.key, entry.key, OrderedInteger.bytes(collectionIDs[1]))
            #expect(try deliver(engine, Self.query([Order("n")])) == nil)
        }
    }
}
