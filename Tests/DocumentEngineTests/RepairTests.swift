// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// `repair` leaves a database that verifies, whatever was done to its entries, and loses no document without handing it over.
@Suite struct RepairTests {
    private static let indexes = IndexConfiguration(
        indexes: [
            IndexDefinition(
                collectionGroup: "c", scope: .collectionGroup,
                fields: [IndexField("a", .order(.ascending)), IndexField("wild", .order(.descending))],
                nameDirection: .descending),
            IndexDefinition(
                collectionGroup: "d", scope: .collection,
                fields: [IndexField("tags", .contains), IndexField("s", .order(.ascending))],
                nameDirection: .ascending),
        ],
        fieldOverrides: [FieldOverride(collectionGroup: "c", path: "b", indexes: [])])

    private func engine(
        _ directory: TemporaryDirectory, _ random: inout SeededGenerator
    ) throws -> (Engine, [DocumentPath: Stored]) {
        var options = Engine.Options()
        options.mapSize = 1 << 20
        options.durability = .mayLoseDatabase
        let engine = try Engine.open(directory.path("repaired.db"), options)
        try engine.apply(Self.indexes, prune: true)
        // In an order of their own: a dictionary's differs from process to process, and numbers are given in that order.
        let documents = DocumentGenerator().documents(60, &random).sorted { $0.key < $1.key }
        _ = try engine.commit(documents.map { Write.set($0.key, $0.value) })
        return (engine, try contents(engine))
    }

    private struct Stored: Equatable {
        let fields: String
        let times: [Timestamp]

        init(_ document: Document) {
            // Fields compare as values do: 1 equals 1.0. Their text tells them apart.
            fields = "\(document.fields)"
            times = [document.createTime, document.updateTime]
        }
    }

    private func contents(_ engine: Engine) throws -> [DocumentPath: Stored] {
        var documents: [DocumentPath: Stored] = [:]
        try engine.forEachDocument { documents[$0.path] = Stored($0) }
        return documents
    }

    private func repair(_ engine: Engine) throws -> RepairReport {
        var kept = 0
        let report = try engine.repair { kept = $0.count }
        #expect(kept == report.setAside.count)
        let verified = try engine.verify()
        #expect(verified.problems == [])
        #expect(verified.documents == report.documents)
        #expect(verified.entries == report.entries)
        return report
    }

    /// One random change of one store, behind the engine's back.
    private func wound(_ engine: Engine, _ store: Store, _ random: inout SeededGenerator) throws {
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(store)
            var keys: [[UInt8]] = []
            while try transaction.next(cursor) { keys.append([UInt8](copying: transaction.key(cursor))) }
            guard !keys.isEmpty else { return }
            var key = random.pick(keys)
            _ = try transaction.seek(cursor, key.span.bytes)
            var value = [UInt8](copying: transaction.value(cursor))
            switch random.int(0..<3) {
            case 0: return try transaction.delete(cursor)
            case 1:
                if value.isEmpty {
                    value = [1]
                } else {
                    value[random.int(0..<value.count)] ^= 1 << UInt8(random.int(0..<8))
                }
            default: key[random.int(0..<key.count)] ^= 1 << UInt8(random.int(0..<8))
            }
            try transaction.put(cursor, key.span.bytes, value.span.bytes)
        }
    }

    /// A repair gives an index whose record was lost a new ID, which queries of engines that are open must use.
    @Test(arguments: [true, false], [true, false])
    func openEnginesDropTheOldIDs(inTheSameEngine: Bool, afterAnAbort: Bool) throws {
        let directory = try TemporaryDirectory()
        let engine = try Engine.open(directory.path("a.db"))
        _ = try engine.commit(
            (0..<10).map { .set(DocumentPath(ResourcePath(segments: ["c", Text("d\($0)")])), ["a": 1]) })
        let query = Query.collection("c").with { $0.filter = .field("a", .equal, 1) }
        #expect(try engine.run(query).records.count == 10)
        let index = FieldIndexKey(collectionGroup: "c", path: "a", scope: .collection, isContains: false)
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(engine.stores.catalog)
            let key = CatalogKey.fieldIndex(index)
            guard try transaction.seek(cursor, key.span.bytes) else { return }
            try transaction.delete(cursor)
        }
        if afterAnAbort { engine.catalogs.invalidate() }
        _ = try repair(inTheSameEngine ? engine : try Engine.open(directory.path("a.db")))
        #expect(try engine.run(query).records.count == 10)
    }

    /// The second one cuts off chains of long entries from their prefixes.
    @Test(arguments: [nil, 2_286_925_266] as [UInt64?]) func indexesAreBuiltAnew(_ seed: UInt64?) throws {
        var random = seed.map { SeededGenerator(seed: $0) } ?? SeededGenerator.printingSeed()
        for _ in 0..<6 {
            let directory = try TemporaryDirectory()
            let (engine, documents) = try engine(directory, &random)
            for _ in 0..<random.int(1..<10) {
                try wound(engine, random.pick([engine.stores.fieldEntries, engine.stores.compositeEntries]), &random)
            }
            let report = try repair(engine)
            // The end of a long key does not tell whose it is, so that an entry's is handed over like a document's.
            #expect(report.setAside.allSatisfy(isLooseEnd) && report.repaired.isEmpty)
            #expect(try contents(engine) == documents)
            #expect(try engine.catalog().composites.map(\.definition) == Self.indexes.indexes)
        }
    }

    private func isLooseEnd(_ record: SetAsideRecord) -> Bool {
        record.path == nil && record.reason.hasPrefix("the end of a long key stands alone")
    }

    @Test func whatContinuesLostEntriesIsHandedOver() throws {
        let directory = try TemporaryDirectory()
        let engine = try Engine.open(directory.path("repaired.db"))
        let long = String(repeating: "x", count: 600)
        _ = try engine.commit(
            (0..<3).map {
                .set(DocumentPath(ResourcePath(segments: ["c", Text("d\($0)")])), ["a": .string(Text(long))])
            })
        let documents = try contents(engine)
        // The entries of one index continue in one chain; without its prefix nobody knows what they belong to.
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(engine.stores.fieldEntries)
            while try transaction.next(cursor) {
                if transaction.key(cursor).byteCount == LongKey.prefixLength { return try transaction.delete(cursor) }
            }
            Issue.record("no entry is long")
        }
        #expect(try engine.verify().problemCount > 0)
        let report = try repair(engine)
        #expect(report.setAside.count == 3 && report.setAside.allSatisfy(isLooseEnd))
        #expect(try contents(engine) == documents)
    }

    @Test func noDocumentIsLostWithoutBeingHandedOver() throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<20 {
            let directory = try TemporaryDirectory()
            let (engine, documents) = try engine(directory, &random)
            for _ in 0..<random.int(1..<4) {
                try wound(engine, random.pick([engine.stores.documents, engine.stores.overflow]), &random)
            }
            // What a deleted entry held nobody can hand over; everything else is counted.
            let before = try count(engine.stores.documents, engine)
            let report = try repair(engine)
            let after = try contents(engine)
            #expect(after.allSatisfy { documents[$0.key] == $0.value })
            #expect(after.count + report.setAside.count >= before)
        }
    }

    private func collection(_ id: Text) -> CollectionPath { CollectionPath(ResourcePath(segments: [id])) }

    private func count(_ store: Store, _ engine: Engine) throws -> Int {
        try engine.environment.statistics(of: store).entries
    }

    @Test func theCatalogIsRepaired() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let (engine, documents) = try engine(directory, &random)
        // Each of the two lists of collections can be made from the other.
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(engine.stores.catalog)
            for key in [
                CatalogKey.groupMember(collection("c")), CatalogKey.collection(collection("d")),
                [Counter.keyTag, Counter.Kind.collections.rawValue],
            ] {
                #expect(try transaction.seek(cursor, key.span.bytes))
                try transaction.delete(cursor)
            }
        }
        #expect(try engine.verify().problemCount > 0)
        let report = try repair(engine)
        #expect(report.setAside.isEmpty && report.repaired.count == 3)
        #expect(try contents(engine) == documents)
        _ = try engine.commit([.set("new/one", Fields([Field("a", 1)])!)])
        #expect(try engine.verify().problems == [])
    }

    /// As a single flipped bit in the catalog can do it: no document is delivered under the name, and `repair` knows the right one.
    @Test(arguments: [false, true]) func aCollectionWhoseNameChangedIsRepaired(_ inGroup: Bool) throws {
        let directory = try TemporaryDirectory()
        let engine = try Engine.open(directory.path("repaired.db"))
        _ = try engine.commit([.set("shared/one", ["a": 1])])
        let documents = try contents(engine)
        let key: (Text) -> [UInt8] = { name in
            let collection = self.collection(name)
            return inGroup ? CatalogKey.groupMember(collection) : CatalogKey.collection(collection)
        }
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(engine.stores.catalog)
            let old = key("shared")
            #expect(try transaction.seek(cursor, old.span.bytes))
            let value = [UInt8](copying: transaction.value(cursor))
            try transaction.delete(cursor)
            let new = key("shareh")
            try transaction.put(cursor, new.span.bytes, value.span.bytes)
        }
        if inGroup {
            #expect(throws: EngineError.self) {
                try engine.forEachDocument(in: .collectionGroup("shareh", under: nil)) { _ in }
            }
        } else {
            #expect(throws: EngineError.self) { try engine.document("shareh/one") }
            #expect(throws: EngineError.self) { try contents(engine) }
        }
        #expect(try engine.verify().problemCount > 0)
        let report = try repair(engine)
        #expect(report.setAside.isEmpty)
        #expect(try contents(engine) == documents)
        #expect(try engine.document("shareh/one") == nil)
    }

    @Test func anUnreadableDefinitionIsDropped() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let (engine, documents) = try engine(directory, &random)
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(engine.stores.catalog)
            let nonsense: [UInt8] = [1, 7, 7]
            for key in [CatalogKey.composite(1), CatalogKey.fieldOverrides] {
                try transaction.put(cursor, key.span.bytes, nonsense.span.bytes)
            }
            _ = try Counter(.catalogVersion).next(&transaction)
        }
        #expect(try engine.verify().problemCount == 1)
        let report = try repair(engine)
        #expect(report.repaired.count == 2)
        #expect(try contents(engine) == documents)
        #expect(try engine.catalog().composites.map(\.definition) == [Self.indexes.indexes[1]])
        try engine.apply(Self.indexes, prune: true)
        #expect(try engine.verify().problems == [])
    }

    @Test func whatCannotBeKeptChangesNothing() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let (engine, _) = try engine(directory, &random)
        try engine.tamper { (transaction) throws(EngineError) in
            let cursor = try transaction.open(engine.stores.documents)
            _ = try transaction.next(cursor)
            let key = [UInt8](copying: transaction.key(cursor))
            let nonsense = [UInt8](repeating: 7, count: 60)
            try transaction.put(cursor, key.span.bytes, nonsense.span.bytes)
        }
        let before = try engine.verify().problems
        #expect(throws: EngineError.self) {
            try engine.repair { (_) throws(EngineError) in throw .unusable("no place to keep it") }
        }
        #expect(try engine.verify().problems == before)
    }
}
