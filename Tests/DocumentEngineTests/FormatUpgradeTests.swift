// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import TestSupport
import Testing

@testable import DocumentEngine

/// A repair upgrades a file of an older format in one commit, and trusts no record that its old checksum refuses.
@Suite struct FormatUpgradeTests {
    private static let indexes = IndexConfiguration(indexes: [
        IndexDefinition(
            collectionGroup: "c", scope: .collectionGroup,
            fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.descending))],
            nameDirection: .descending)
    ])

    private let directory: TemporaryDirectory
    private var path: String { directory.path("old.db") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Random documents, and some with long names that share a chain or have a name or fields of more than a page.
    private func makeOldFile(_ format: Int64) throws -> [Document] {
        var random = SeededGenerator.printingSeed()
        var options = Engine.Options()
        options.mapSize = 1 << 20
        options.durability = .mayLoseDatabase
        let engine = try Engine.open(path, options)
        try engine.apply(Self.indexes, prune: true)
        let documents = DocumentGenerator().documents(60, &random).sorted { $0.key < $1.key }
        _ = try engine.commit(documents.map { Write.set($0.key, $0.value) })
        let long = String(repeating: "long", count: 150)
        let text = Value.string(Text(String(repeating: "x", count: 9_000)))
        _ = try engine.commit(
            (0..<9).map { index in
                .set(DocumentPath(stringLiteral: "long/\(long)\(index)"), ["a": .integer(index), "b": text])
            } + [.set(DocumentPath(stringLiteral: "\(long)/\(long)"), ["b": text]), .set("one/one", ["a": 1])])
        let contents = try contents(engine)
        try engine.makeOld(format)
        return contents
    }

    private func contents(_ engine: Engine) throws -> [Document] {
        var documents: [Document] = []
        try engine.forEachDocument { documents.append($0) }
        return documents
    }

    private func repair() throws -> RepairReport {
        var kept = 0
        let report = try Engine.repair(fileAt: path) { kept = $0.count }
        #expect(kept == report.setAside.count)
        return report
    }

    /// Changes the file behind Hearth's back.
    private func tamper(_ change: (inout Transaction) throws(EngineError) -> Void) throws {
        try Engine.open(path, Engine.Options(), acceptsOlderFormats: true).tamper(change)
    }

    @Test(arguments: 1..<DatabaseHeader.currentFormat) func everythingIsKept(_ format: Int64) throws {
        let before = try makeOldFile(format)
        #expect(throws: EngineError.self) { try Engine.open(path) }
        let report = try repair()
        #expect(report.upgradedFormat == format && report.repaired == [] && report.documents == before.count)
        let engine = try Engine.open(path)
        let after = try contents(engine)
        #expect(after.count == before.count && zip(after, before).allSatisfy { $0.isIdentical(to: $1) })
        #expect(try engine.catalog().composites.map(\.definition) == Self.indexes.indexes)
        let verified = try engine.verify()
        #expect(verified.problems == [] && verified.entries == report.entries)
    }

    @Test func aDamagedDocumentIsSetAside() throws {
        let before = try makeOldFile(3)
        var record: [UInt8] = []
        try tamper { (transaction) throws(EngineError) in
            let (key, sound) = try transaction.scan(prefix: [], of: .documents).last!
            record = sound
            record[record.count - 1] ^= 1
            try transaction.put(key, record, into: .documents)
        }
        let report = try repair()
        #expect(report.setAside.map(\.record) == [record])
        let engine = try Engine.open(path)
        let lost = try #require(report.setAside.first?.path)
        let reason = "a document's bytes are not those that were written: its checksum differs"
        #expect(report.setAside.map(\.reason) == ["\(lost): \(reason)"])
        #expect(try contents(engine).map(\.path) == before.map(\.path).filter { $0 != lost })
        #expect(try engine.verify().problems == [])
    }

    /// Each of the two lists of collections can be made from the other.
    @Test(arguments: [0, 1]) func aDamagedCollectionRecordIsRepaired(list: Int) throws {
        let before = try makeOldFile(3)
        let one = CollectionPath(ResourcePath(segments: ["one"]))
        let key = [CatalogKey.collection(one), CatalogKey.groupMember(one)][list]
        try tamper { (transaction) throws(EngineError) in
            var record = [UInt8](copying: try transaction.get(key.span.bytes, from: .catalog)!)
            record[0] ^= 1
            try transaction.put(key, record, into: .catalog)
        }
        let report = try repair()
        #expect(report.repaired.count == 2 && report.setAside.isEmpty)
        let engine = try Engine.open(path)
        #expect(try contents(engine).map(\.path) == before.map(\.path))
        #expect(try engine.verify().problems == [])
    }

    /// The damaged document has to be kept, which fails.
    @Test func anUpgradeThatFailsChangesNothing() throws {
        _ = try makeOldFile(3)
        try tamper { (transaction) throws(EngineError) in
            let (key, _) = try transaction.scan(prefix: [], of: .documents).first!
            try transaction.put(key, [UInt8](repeating: 7, count: 60), into: .documents)
        }
        let before = try entries()
        #expect(throws: EngineError.self) {
            try Engine.repair(fileAt: path) { (_) throws(EngineError) in throw .unusable("no place to keep it") }
        }
        #expect(try entries() == before)
    }

    private func entries() throws -> [[[UInt8]]] {
        var entries: [[[UInt8]]] = []
        try tamper { (transaction) throws(EngineError) in
            for store in transaction.stores.present {
                entries += try transaction.scan(prefix: [], of: store).map { [$0.key, $0.value] }
            }
        }
        return entries
    }
}

extension Engine {
    /// Makes the file one of an older format, as its version would have written it.
    fileprivate func makeOld(_ format: Int64) throws {
        try tamper { (transaction) throws(EngineError) in
            for prefix in CatalogKey.checkedSinceFormat5 {
                for (key, record) in try transaction.scan(prefix: prefix, of: .catalog) {
                    try transaction.put(key, record.dropLast(8), into: .catalog)
                }
            }
            if format < 4 { try Engine.writeChecksumsOfFormat3(format, &transaction) }
            let header = #"{"format":\#(format),"project":"hearth","database":"(default)"}"#
            try transaction.put(CatalogKey.header, Array(header.utf8), into: .catalog)
        }
    }

    private static func writeChecksumsOfFormat3(
        _ format: Int64, _ transaction: inout Transaction
    ) throws(EngineError) {
        for (key, record) in try transaction.scan(prefix: [], of: .documents) {
            let content = Array(record[8...])
            let checksum = ChecksumOfFormat3.of(content.span, key: key.span)
            try transaction.put(key, CheckedRecord.bytes(checksum) + content, into: .documents)
        }
        for list in [CatalogKey.collections, CatalogKey.groupMembers] {
            for (key, record) in try transaction.scan(prefix: list, of: .catalog) {
                let collectionID = Array(record.dropLast(8))
                let checksum = ChecksumOfFormat3.of(collectionID.span, key: key.span)
                let old = format < 3 ? collectionID : collectionID + CheckedRecord.bytes(checksum)
                try transaction.put(key, old, into: .catalog)
            }
        }
    }
}
