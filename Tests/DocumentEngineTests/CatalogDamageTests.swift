// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import TestSupport
import Testing

@testable import DocumentEngine

/// One wrong bit in a record of the catalog is found, also where the record is valid with it: a ready index would be one
/// that is being built, and a load that was killed would have stored other documents.
@Suite struct CatalogDamageTests {
    private static let indexes = IndexConfiguration(
        indexes: [
            IndexDefinition(
                collectionGroup: "c", scope: .collection,
                fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.descending))],
                nameDirection: .descending)
        ],
        fieldOverrides: [FieldOverride(collectionGroup: "c", path: "x", indexes: [])])

    private let directory: TemporaryDirectory
    private var path: String { directory.path("damaged.db") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open() throws -> Engine {
        var options = Engine.Options()
        options.mapSize = 1 << 20
        options.durability = .mayLoseDatabase
        return try Engine.open(path, options)
    }

    /// A database without documents, so that no missing entry betrays the damage.
    private func make() throws {
        let engine = try open()
        try engine.apply(Self.indexes, prune: true)
        try engine.tamper { (transaction) throws(EngineError) in try UnfinishedLoads.put(5..<7, &transaction) }
    }

    private func records() throws -> [(key: [UInt8], value: [UInt8])] {
        var records: [(key: [UInt8], value: [UInt8])] = []
        try open().tamper { (transaction) throws(EngineError) in
            for prefix in CatalogKey.checkedSinceFormat5 {
                records += try transaction.scan(prefix: prefix, of: .catalog)
            }
        }
        return records
    }

    private func replace(_ old: [UInt8], by new: (key: [UInt8], value: [UInt8])) throws {
        try open().tamper { (transaction) throws(EngineError) in
            _ = try transaction.delete(old, from: .catalog)
            try transaction.put(new.key, new.value, into: .catalog)
        }
    }

    @Test func everyWrongBitIsFound() throws {
        try make()
        let sound = try records()
        #expect(sound.count == 3)
        for record in sound {
            for bit in 0..<8 * (record.key.count + record.value.count) {
                var bytes = record.key + record.value
                bytes[bit / 8] ^= 1 << (bit % 8)
                let damaged = (key: Array(bytes.prefix(record.key.count)), value: Array(bytes[record.key.count...]))
                try replace(record.key, by: damaged)
                let report = try Engine.verify(fileAt: path)
                #expect(report.problems != [], "bit \(bit) of \(record.key)")
                try replace(damaged.key, by: record)
            }
        }
    }

    @Test func repairRemovesARecordThatIsNotAsItWasWritten() throws {
        try make()
        for (key, value) in try records() { try replace(key, by: (key, value.dropLast() + [value.last! ^ 1])) }
        let report = try Engine.repair(fileAt: path) { (_) throws(EngineError) in }
        #expect(report.repaired.count == 3)
        let engine = try open()
        #expect(try engine.verify().problems == [])
        #expect(try engine.catalog().composites.isEmpty && engine.catalog().indexes.fieldOverrides.isEmpty)
    }

    /// With a lower counter the next long key would continue in the chain of another one. An unreadable one counts as 0.
    @Test(arguments: [[0], [0xFF], []] as [[UInt8]])
    func theCounterOfChainsIsFoundAndRaised(value: [UInt8]) throws {
        func write(_ prefix: Character) throws {
            let ids = ["a", "b"].map { String(repeating: prefix, count: 600) + $0 }
            _ = try open().commit(ids.map { Write.set(try DocumentPath(parsing: "c/\($0)"), ["n": 1]) })
        }
        try make()
        try write("x")
        try replace(
            [Counter.keyTag, Counter.Kind.chains.rawValue], by: ([Counter.keyTag, Counter.Kind.chains.rawValue], value))
        #expect(try Engine.verify(fileAt: path).problems != [])
        let report = try Engine.repair(fileAt: path) { (_) throws(EngineError) in }
        #expect(report.setAside.isEmpty)
        try write("y")
        let verification = try open().verify()
        #expect(verification.problems == [] && verification.documents == 4)
    }

    @Test func aCounterAtItsEndIsAnError() throws {
        try make()
        let end = OrderedInteger.bytes(.max)
        try replace([Counter.keyTag, 1], by: ([Counter.keyTag, 1], end))
        #expect(throws: EngineError.self) {
            _ = try open().commit([Write.set(try DocumentPath(parsing: "new/a"), ["n": 1])])
        }
    }
}
