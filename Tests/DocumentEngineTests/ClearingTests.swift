// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentModel
import Foundation
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// A clear removes the IDs of collections and automatic indexes, which other engines and threads may have in memory.
@Suite struct ClearingTests {
    /// Two engines of one file know of each other as little as two processes do.
    private struct Pair {
        let directory: TemporaryDirectory
        let one: Engine
        let other: Engine

        init(history: HistoryLimits?) throws {
            directory = try TemporaryDirectory()
            var options = Engine.Options()
            options.durability = .mayLoseDatabase
            options.history = history
            one = try Engine.open(directory.path("test.db"), options)
            other = try Engine.open(directory.path("test.db"), options)
        }

        var engines: [Engine] { [one, other] }
    }

    private static let query = Query.collection("c").with { $0.filter = .field("n", .equal, 1) }
    private static let group = Query.collectionGroup("notes")

    private static func note(_ user: String) -> DocumentPath {
        DocumentPath(ResourcePath(segments: ["users", Text(user), "notes", "a"]))
    }

    // MARK: - What remains

    /// Tests with users of their own and a clear after each: a group query visits no collection of an earlier one, and the catalog does
    /// not grow.
    @Test func whatWasClearedCostsNothing() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        var sizes: Set<Int> = []
        for round in 0..<3 {
            let paths = (0..<50).map { Self.note("u\(round)-\($0)") }
            let fields: Fields = round == 0 ? ["a": 1] : round == 1 ? ["b": 1] : ["c": 1]
            _ = try engine.commit(paths.map { .set($0, fields) })
            _ = try engine.commit(paths.map { Write($0, .delete) })
            try engine.clear()
            sizes.insert(try engine.scheduler.storage.entryCount(of: .catalog))
            _ = try engine.commit([.set(Self.note("last"), ["n": 1])])
            let result = try engine.run(Self.group.with { $0.limit = 5 })
            #expect(result.counters.rows == 1)
            #expect(result.counters.seeks <= 3)
            try engine.clear()
        }
        #expect(sizes.count == 1)
    }

    @Test func noIDIsGivenOutAgain() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        let index = FieldIndexKey(collectionGroup: "c", path: "n", scope: .collection, isContains: false)
        let path: DocumentPath = "c/a"
        var collectionIDs: Set<UInt64> = []
        var indexIDs: Set<UInt64> = []
        for _ in 0..<3 {
            _ = try engine.commit([.set(path, ["n": 1])])
            let collectionID = try engine.read { (transaction) throws(EngineError) in
                try engine.ids.collectionID(of: path.collection, transaction)
            }
            let indexID = try engine.read { (transaction) throws(EngineError) in
                try engine.ids.indexID(of: index, transaction)
            }
            collectionIDs.insert(try #require(collectionID))
            indexIDs.insert(try #require(indexID))
            try engine.clear()
        }
        #expect(collectionIDs.count == 3 && indexIDs.count == 3)
    }

    // MARK: - Who remembers IDs

    /// Both have written, read and queried the collections before.
    @Test(arguments: [true, false]) func theOtherEngineGoesOn(_ keepsHistory: Bool) throws {
        let pair = try Pair(history: keepsHistory ? .long : nil)
        for round in 0..<4 {
            for (number, engine) in pair.engines.enumerated() {
                let fields: Fields = ["n": 1, "m": .integer(Int64(10 * round + number))]
                _ = try engine.commit([.set("c/a", fields), .set(Self.note("u"), fields)])
                #expect(try engine.document("c/a") != nil)
                #expect(try engine.run(Self.query).records.isEmpty == false)
                #expect(try engine.run(Self.group).records.count == 1)
            }
            let (clearing, writing) = round % 2 == 0 ? (pair.one, pair.other) : (pair.other, pair.one)
            try clearing.clear()
            // At first, the writer only reads, or only writes.
            if round < 2 { #expect(try writing.document("c/a") == nil) }
            _ = try writing.commit([.set("c/b", ["n": 1]), .set(Self.note("u"), ["n": 1])])
            for engine in pair.engines {
                #expect(try engine.document("c/a") == nil)
                #expect(try engine.document("c/b") != nil)
                let isThere = try engine.recordAtOnce("c/b") { $0 != nil }
                #expect(isThere != false)
                #expect(try engine.run(Self.query).documents.map(\.path) == ["c/b"])
                #expect(try engine.run(Self.group).documents.map(\.path) == [Self.note("u")])
                #expect(try engine.verify().problems == [])
            }
        }
    }

    /// A read that began before the clear goes on in its state. On the same thread, and so with the same table of IDs, reads of the new
    /// state find what is new.
    @Test func anOlderReadGoesOn() throws {
        let pair = try Pair(history: nil)
        let (one, other) = (pair.one, pair.other)
        _ = try one.commit([.set("c/a", ["n": 1])])
        let found = try one.read { (transaction) throws(EngineError) in
            var found: [Document?] = []
            found.append(try one.document("c/a", transaction))
            Self.onAnotherThread {
                try other.clear()
                _ = try other.commit([.set("c/a", ["n": 2])])
            }
            for _ in 0..<2 {
                found.append(try one.document("c/a"))
                found.append(try one.document("c/a", transaction))
            }
            return found
        }
        #expect(found.map { $0?.fields["n" as Text] } == [1, 2, 1, 2, 1])
        #expect(try one.document("c/a")?.fields["n" as Text] == 2)
    }

    private static func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            done.signal()
        }
        done.wait()
    }

    // MARK: - At random

    /// Commits, loads and clears of two engines against a model.
    @Test func twoEnginesAgreeWithAModel() throws {
        var random = SeededGenerator.printingSeed()
        for round in 0..<Rounds.of(20) {
            let pair = try Pair(history: round % 2 == 0 ? nil : .long)
            var model: [DocumentPath: Int64] = [:]
            for _ in 0..<60 {
                try Self.change(random.pick(pair.engines), &model, &random)
                for engine in pair.engines where random.chance(0.7) { try Self.check(engine, model, &random) }
            }
            for engine in pair.engines { try Self.check(engine, model, &random) }
            #expect(try pair.one.verify().problems == [])
        }
    }

    private static func change(
        _ engine: Engine, _ model: inout [DocumentPath: Int64], _ random: inout SeededGenerator
    ) throws {
        if random.chance(0.15) {
            try engine.clear()
            model = [:]
            return
        }
        let path = path(&random)
        if random.chance(0.3) {
            _ = try engine.commit([Write(path, .delete)])
            model[path] = nil
            return
        }
        let number = Int64(random.int(0..<3))
        let fields: Fields =
            random.chance(0.5) ? ["n": .integer(number)] : ["n": .integer(number), "m": .integer(number)]
        if random.chance(0.1) {
            var rest = [(path: path, fields: fields)]
            _ = try engine.load(next: { rest.popLast() }, reject: { path, error in Issue.record("\(path): \(error)") })
        } else {
            _ = try engine.commit([.set(path, fields)])
        }
        model[path] = number
    }

    private static func path(_ random: inout SeededGenerator) -> DocumentPath {
        let id: Text = random.pick(["a", "b", "c"])
        if random.chance(0.4) { return DocumentPath(ResourcePath(segments: ["c", id])) }
        let user: Text = random.pick(["u", "v", "w"])
        return DocumentPath(ResourcePath(segments: ["users", user, "notes", id]))
    }

    private static func check(
        _ engine: Engine, _ model: [DocumentPath: Int64], _ random: inout SeededGenerator
    ) throws {
        let path = path(&random)
        let expected = model[path].map { Value.integer($0) }
        let exists = try engine.recordAtOnce(path) { $0 != nil }
        #expect(exists == nil || exists == (expected != nil))
        #expect(try engine.document(path)?.fields["n" as Text] == expected)
        let notes = try engine.run(Self.group).documents.map(\.path)
        #expect(Set(notes) == Set(model.keys.filter { $0.collection.group == "notes" }))
        let ones = try engine.run(Self.query).documents.map(\.path)
        #expect(Set(ones) == Set(model.keys.filter { $0.collection.group == "c" && model[$0] == 1 }))
        #expect(ones.count == Set(ones).count && notes.count == Set(notes).count)
    }
}
