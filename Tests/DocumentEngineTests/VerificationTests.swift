// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import TestSupport
import Testing

@testable import DocumentEngine

/// `verify` finds whatever is wrong behind the engine's back, in both directions, and says where.
@Suite struct VerificationTests {
    private static let indexes = IndexConfiguration(indexes: [
        IndexDefinition(
            collectionGroup: "c", scope: .collectionGroup,
            fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.descending))],
            nameDirection: .descending)
    ])

    /// Opens its own engine, because ``TemporaryDatabase`` would report this damage.
    private func damaged(_ change: (Engine) throws -> Void) throws -> [String] {
        let directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.mapSize = 64 << 20
        let engine = try Engine.open(directory.path("damaged.db"), options)
        try engine.apply(Self.indexes, prune: true)
        let fields = Fields([Field("a", 1), Field("b", "text"), Field("tags", .array([1, 2]))])!
        _ = try engine.commit([.set("c/one", fields), .set("c/two", fields), .set("d/x/c/three", fields)])
        #expect(try engine.verify().problems == [])
        try change(engine)
        let report = try engine.verify()
        #expect(report.problemCount == report.problems.count)
        return report.problems
    }

    /// Deletes or changes the first entry of a store that satisfies `isWanted`.
    private func change(_ engine: Engine, _ store: Store, _ value: [UInt8]?, _ isWanted: ([UInt8]) -> Bool) throws {
        try engine.write { (transaction, _, _) throws(EngineError) in
            let cursor = try transaction.open(store)
            while try transaction.next(cursor) {
                let key = [UInt8](copying: transaction.key(cursor))
                guard isWanted(key) else { continue }
                if let value { return try transaction.put(cursor, key.span.bytes, value.span.bytes) }
                return try transaction.delete(cursor)
            }
        }
    }

    @Test func aMissingEntryIsNamed() throws {
        let problems = try damaged { engine in try change(engine, engine.stores.fieldEntries, nil) { _ in true } }
        #expect(problems.contains("c/one lacks an index entry"))
    }

    @Test func aMissingDocumentIsNamed() throws {
        let problems = try damaged { engine in try change(engine, engine.stores.documents, nil) { _ in true } }
        #expect(problems.contains("the index of a in c has an entry of c/one, which does not exist"))
        #expect(
            problems.contains(
                "the index (a ASC, b DESC, __name__ DESC) of c has an entry of c/one, which does not exist"))
    }

    @Test func aWrongEntryValueIsNamed() throws {
        let problems = try damaged { engine in try change(engine, engine.stores.fieldEntries, [1]) { _ in true } }
        #expect(problems == ["c/one has an index entry with a wrong value"])
    }

    @Test func aChangedDocumentIsNamed() throws {
        let problems = try damaged { engine in
            try change(engine, engine.stores.documents, [UInt8](repeating: 7, count: 60)) { _ in true }
        }
        #expect(problems.contains { $0.hasPrefix("c/one: a document's bytes are not those that were written") })
    }

    @Test func anEntryTooManyIsNamed() throws {
        let problems = try damaged { engine in
            try engine.write { (transaction, _, _) throws(EngineError) in
                let writer = try LongKeyWriter(.fieldEntries, &transaction)
                var encoder = KeyEncoder()
                encoder.append(encoded: [1, 1] as [UInt8])
                encoder.append(.integer(99))
                encoder.append(segment: "one")
                try writer.put(encoder.bytes, [], &transaction)
            }
        }
        #expect(problems.contains { $0.hasSuffix("has an entry that c/one does not call for") })
    }

    @Test func anEntryThatTakesAnothersPlaceIsNamed() throws {
        let problems = try damaged { engine in
            var moved: [UInt8] = []
            try change(engine, engine.stores.fieldEntries, nil) {
                moved = $0
                return true
            }
            try engine.tamper { (transaction) throws(EngineError) in
                let cursor = try transaction.open(engine.stores.fieldEntries)
                moved[moved.count - 2] ^= 1
                try transaction.put(cursor, moved.span.bytes, [UInt8]().span.bytes)
            }
        }
        #expect(problems.contains("c/one lacks an index entry"))
        #expect(problems.contains("the index of a in c has an entry of c/ond, which does not exist"))
    }

    @Test func aBrokenOverflowChainIsNamed() throws {
        let long = [UInt8](repeating: 7, count: LongKey.prefixLength)
        let prefix = try damaged { engine in try put(engine, engine.stores.documents, long, PrefixEntry.chainValue(99))
        }
        #expect(prefix.contains("a long key continues in chain 99, which is missing"))
        let chain = try damaged { engine in try put(engine, engine.stores.overflow, [99, 1], []) }
        #expect(
            chain.contains(
                "the end of a long key stands alone, without its beginning: a document's, or an index entry's")
        )
    }

    @Test func aCollectionThatIsNotListedIsNamed() throws {
        let member = CatalogKey.groupMember(CollectionPath(ResourcePath(segments: ["c"])))
        let problems = try damaged { engine in try change(engine, engine.stores.catalog, nil) { $0 == member } }
        #expect(problems.contains("c is missing among its collection group"))
    }

    private func put(_ engine: Engine, _ store: Store, _ key: [UInt8], _ value: [UInt8]) throws {
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(store)
            try transaction.put(cursor, key.span.bytes, value.span.bytes)
        }
    }
}
