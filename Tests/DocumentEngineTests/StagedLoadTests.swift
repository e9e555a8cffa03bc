// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentModel
import Foundation
import IndexCatalog
import LMDB
import TestSupport
import Testing

@testable import DocumentEngine

/// Loads into new collections: sorted on disk, visible all at once. Each database verifies itself.
@Suite struct StagedLoadTests {
    private static let indexes = IndexConfiguration(indexes: [
        IndexDefinition(
            collectionGroup: "c", scope: .collection,
            fields: [IndexField("tags", .contains), IndexField("a", .order(.descending))], nameDirection: .descending),
        IndexDefinition(
            collectionGroup: "c", scope: .collection,
            fields: [IndexField("a", .order(.ascending)), IndexField("v", .vector(dimension: 2))],
            nameDirection: .ascending),
    ])

    private func load(
        _ list: [(DocumentPath, Fields)], into engine: Engine, between: (Int) throws(EngineError) -> Void = { _ in }
    ) throws -> Int {
        var next = 0
        return try engine.load(
            next: { () throws(EngineError) in
                guard next < list.count else { return nil }
                try between(next)
                next += 1
                return list[next - 1]
            },
            reject: { path, error in Issue.record("\(path): \(error.message)") })
    }

    private func path(_ collection: Text, _ id: Int) -> DocumentPath {
        DocumentPath(ResourcePath(segments: [collection, Text("\(id)")]))
    }

    /// Long enough that keys have continuations, with both kinds of numbers and with equal elements.
    private func fields(_ random: inout SeededGenerator) -> Fields {
        let number = Int64.random(in: 0..<50, using: &random)
        let text = String(repeating: "long ", count: Int.random(in: 0..<150, using: &random))
        return Fields([
            Field("a", Bool.random(using: &random) ? .integer(number) : .double(Double(number))),
            Field("tags", .array([.integer(number % 3), .double(Double(number % 3)), .integer(1)])),
            Field("text", .string(Text(text + "\(number)"))),
            Field("v", .vector([Double(number), 1])),
        ])!
    }

    private func expect(_ engine: Engine, holds model: [DocumentPath: Fields]) throws {
        var found: [DocumentPath: Fields] = [:]
        try engine.forEachDocument { (document) throws(EngineError) in found[document.path] = document.fields }
        #expect(Set(found.keys) == Set(model.keys))
        for (path, fields) in found { #expect(model[path]?.isIdentical(to: fields) == true, "\(path)") }
    }

    /// Names repeat, near and far, with numbers that change their type but not their key. Ordinary commits give the same.
    @Test(arguments: [true, false]) func theLastOfANameWinsWhereverItStands(staged: Bool) throws {
        var random = SeededGenerator.printingSeed()
        let database = try TemporaryDatabase(indexes: Self.indexes, stagesLoads: staged)
        var list: [(DocumentPath, Fields)] = []
        var model: [DocumentPath: Fields] = [:]
        for _ in 0..<Rounds.of(6_000) {
            let document = (
                path(["c", "d"].randomElement(using: &random)!, .random(in: 0..<900, using: &random)), fields(&random)
            )
            list.append(document)
            model[document.0] = document.1
        }
        #expect(try load(list, into: database.engine) == list.count)
        try expect(database.engine, holds: model)
    }

    @Test func nothingIsSeenBeforeTheEnd() throws {
        var random = SeededGenerator.printingSeed()
        let database = try TemporaryDatabase(indexes: Self.indexes)
        let list = (0..<1_500).map { (path("c", $0), fields(&random)) }
        _ = try load(list, into: database.engine) { (number) throws(EngineError) in
            guard number % 500 == 499 else { return }
            try database.engine.forEachDocument { (document) throws(EngineError) in
                Issue.record("\(document.path) is seen")
            }
        }
        #expect(try database.engine.document(path("c", 700)) != nil)
    }

    /// Another writer creates the collection during the load. Its documents stay, except those with names of the load.
    @Test func aCollectionMadeMeanwhileTakesTheDocuments() throws {
        var random = SeededGenerator.printingSeed()
        let database = try TemporaryDatabase(indexes: Self.indexes)
        let engine = database.engine
        let list = (0..<1_200).map { (path("c", $0), fields(&random)) }
        var model = Dictionary(uniqueKeysWithValues: list)
        let other = fields(&random)
        model[path("c", 5_000)] = other
        let written = [
            Write.set(path("c", 5_000), other), Write.set(path("c", 7), fields(&random)),
        ]
        _ = try load(list, into: engine) { (number) throws(EngineError) in
            if number == 600 { _ = try engine.commit(written) }
        }
        try expect(engine, holds: model)
        let unfinished = try engine.read { (transaction) throws(EngineError) in
            try UnfinishedLoads.read(&transaction)
        }
        #expect(unfinished.isEmpty)
        #expect(try engine.environment.statistics(of: engine.stores.documents).entries == model.count)
    }

    /// Existing collections, and groups with an index over all their collections, are loaded the ordinary way.
    @Test func allWaysAtOnce() throws {
        var random = SeededGenerator.printingSeed()
        let database = try TemporaryDatabase(
            indexes: IndexConfiguration(
                indexes: Self.indexes.indexes + [
                    IndexDefinition(
                        collectionGroup: "g", scope: .collectionGroup,
                        fields: [IndexField("a", .order(.ascending)), IndexField("tags", .contains)],
                        nameDirection: .ascending)
                ]))
        var model: [DocumentPath: Fields] = [:]
        for number in 0..<50 { model[path("d", number)] = fields(&random) }
        _ = try database.engine.commit(model.map { Write.set($0.key, $0.value) })
        var list: [(DocumentPath, Fields)] = []
        for _ in 0..<Rounds.of(2_000) {
            let collection: Text = ["c", "d", "e", "g"].randomElement(using: &random)!
            list.append((path(collection, .random(in: 0..<300, using: &random)), fields(&random)))
        }
        for (path, fields) in list { model[path] = fields }
        #expect(try load(list, into: database.engine) == list.count)
        try expect(database.engine, holds: model)
        // Now everything exists already.
        for _ in 0..<Rounds.of(500) {
            let collection: Text = ["c", "d", "e", "g"].randomElement(using: &random)!
            let document = (path(collection, .random(in: 0..<400, using: &random)), fields(&random))
            model[document.0] = document.1
            list.append(document)
        }
        #expect(try load(list, into: database.engine) == list.count)
        try expect(database.engine, holds: model)
    }

    /// A load that fails leaves only invisible keys, and the next load removes them.
    @Test func whatAFailedLoadLeavesIsNotSeenAndGoes() throws {
        var random = SeededGenerator.printingSeed()
        let database = try TemporaryDatabase(indexes: Self.indexes)
        let engine = database.engine
        // Null values under low numbers are where other indexes have a collection's number.
        let kept = (0..<20).map { (path("kept", $0), Fields([Field("n", .null)])!) }
        _ = try load(kept, into: engine)
        #expect(throws: EngineError.self) {
            _ = try load((0..<700).map { (path("c", $0), fields(&random)) }, into: engine) {
                (number) throws(EngineError) in
                if number == 650 { throw .refused(.internal, "the source ended") }
            }
        }
        try leaveHalfALoad(engine, &random)
        let report = try engine.verify()
        #expect(report.problemCount == 0)
        #expect(report.documents == 20)
        #expect(try engine.collectionIDs(under: nil) == ["kept"])
        _ = try load([(path("last", 1), Fields([Field("n", 1)])!)], into: engine)
        #expect(try engine.environment.statistics(of: engine.stores.documents).entries == 21)
        #expect(try engine.environment.statistics(of: engine.stores.fieldEntries).entries == 21)
        #expect(try engine.environment.statistics(of: engine.stores.compositeEntries).entries == 0)
    }

    /// Writes what a load writes before its last commit, without that commit.
    private func leaveHalfALoad(_ engine: Engine, _ random: inout SeededGenerator) throws {
        let catalog = try engine.catalog()
        var collections = StagedCollections(engine.scheduler, catalog)
        let collectionID = try #require(try collections.collectionID(of: path("c", 0).collection))
        var entries = IndexEntryCollector(catalog, allocatingBy: engine.scheduler.fieldIndexIDs)
        var documents = EntryBuffer()
        for id in 0..<40 {
            let key = DocumentKey(path("c", id), collectionID: collectionID)
            documents.append(key: key.bytes, value: [1, 2, 3])
            try entries.add(key, fields(&random))
        }
        try entries.resolvePending()
        try engine.write { (transaction, _, _) throws(EngineError) in
            for (store, buffer) in [
                (StoreName.documents, documents), (.fieldEntries, entries.fields),
                (.compositeEntries, entries.composites),
            ] {
                let writer = try LongKeyWriter(store, &transaction)
                for index in buffer.entries.indices {
                    try writer.put(
                        Array(buffer.bytes[buffer.key(index)]), Array(buffer.bytes[buffer.value(index)]), &transaction)
                }
            }
        }
    }

    /// Subcollections in a group with an index over all of them get their numbers in batches.
    @Test func manyCollectionsOfAGroup() throws {
        var random = SeededGenerator.printingSeed()
        let indexes = IndexConfiguration(fieldOverrides: [
            FieldOverride(
                collectionGroup: "g", path: "a",
                indexes: [SingleFieldIndex(.ascending, .collection), SingleFieldIndex(.ascending, .collectionGroup)])
        ])
        let database = try TemporaryDatabase(indexes: indexes)
        let before = database.engine.environment.info.lastTransactionID
        var list: [(DocumentPath, Fields)] = []
        var model: [DocumentPath: Fields] = [:]
        for number in 0..<2_000 {
            let parent = Text("\(number % 700)")
            let path = DocumentPath(ResourcePath(segments: ["c", parent, "g", Text("\(number % 3)")]))
            let fields = Fields([Field("a", .integer(Int64.random(in: 0..<9, using: &random)))])!
            list.append((path, fields))
            model[path] = fields
        }
        #expect(try load(list, into: database.engine) == list.count)
        try expect(database.engine, holds: model)
        #expect(database.engine.environment.info.lastTransactionID - before < 20)
    }

    /// All or nothing, and the next load starts clean.
    @Test func killedLoads() async throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(10) {
            let directory = try TemporaryDirectory()
            let path = directory.path("killed.db")
            let delay = Int.random(in: 0..<400_000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, delay = delay as Int] in
                let engine = try Engine.open(path)
                try engine.apply(Self.indexes, prune: true)
                _ = try engine.commit([Write.set(Self.kept, Fields([Field("a", 1)])!)])
                DispatchQueue.global().async {
                    usleep(UInt32(delay))
                    kill(getpid(), SIGKILL)
                }
                try Self.loadNumbers(into: engine)
                while true { sleep(1) }
            }
            let engine = try Engine.open(path)
            #expect(try engine.verify().problemCount == 0)
            var count = 0
            try engine.forEachDocument { (_) throws(EngineError) in count += 1 }
            #expect([0, 1, 1 + Self.numbers].contains(count), "\(count) documents")
            try engine.apply(Self.indexes, prune: true)
            try Self.loadNumbers(into: engine)
            let report = try engine.verify()
            #expect(report.problemCount == 0, "\(report.problems)")
            #expect(try engine.environment.statistics(of: engine.stores.documents).entries == report.documents)
            #expect([Self.numbers, 1 + Self.numbers].contains(report.documents))
        }
    }

    private static let kept = DocumentPath(ResourcePath(segments: ["kept", "1"]))
    private static let numbers = 3_000

    private static func loadNumbers(into engine: Engine) throws {
        var next = 0
        _ = try engine.load(
            next: {
                guard next < numbers else { return nil }
                next += 1
                let fields = Fields([Field("a", .integer(Int64(next % 70))), Field("tags", .array([.integer(3)]))])!
                return (DocumentPath(ResourcePath(segments: ["c", Text("\(next)")])), fields)
            },
            reject: { _, _ in })
    }
}
