// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

/// Collections that have no documents any more are forgotten, unless their past can be read.
@Suite struct CollectionSweepTests {
    private static let group = Query.collectionGroup("notes")

    private static func note(_ user: String, _ id: Text = "a") -> DocumentPath {
        DocumentPath(ResourcePath(segments: ["users", Text(user), "notes", id]))
    }

    private static func fill(_ engine: Engine, _ users: [String]) throws {
        for start in stride(from: 0, to: users.count, by: 400) {
            let paths = users[start..<min(start + 400, users.count)].map { note($0) }
            _ = try engine.commit(paths.map { .set($0, ["n": 1]) })
        }
    }

    private static func empty(_ engine: Engine, _ users: [String]) throws {
        for start in stride(from: 0, to: users.count, by: 400) {
            let paths = users[start..<min(start + 400, users.count)].map { note($0) }
            _ = try engine.commit(paths.map { Write($0, .delete) })
        }
    }

    private static func collectionID(_ path: DocumentPath, _ engine: Engine) throws -> UInt64? {
        try engine.read { (transaction) throws(EngineError) in
            try engine.ids.collectionID(of: path.collection, transaction)
        }
    }

    private static func catalogSize(_ engine: Engine) throws -> Int {
        try engine.scheduler.storage.entryCount(of: .catalog)
    }

    // MARK: - What is forgotten

    /// More collections than one read looks at and one commit forgets, with those that stay between them.
    @Test func whatCameAndWentCostsNothing() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        let kept = ["0", "5", "9"]
        try Self.fill(engine, kept)
        let size = try Self.catalogSize(engine)
        let users = (0..<2_100).map { "\($0 % 10)-\($0)" } + ["7" + String(repeating: "x", count: 700)]
        try Self.fill(engine, users)
        try Self.empty(engine, users)
        #expect(try engine.run(Self.group).counters.seeks >= users.count)
        #expect(try engine.forgetEmptyCollections() == users.count)
        #expect(try Self.catalogSize(engine) == size)
        let result = try engine.run(Self.group)
        #expect(try result.documents.map(\.path) == kept.map { Self.note($0) })
        #expect(result.counters.seeks <= kept.count + 2)
        #expect(try engine.forgetEmptyCollections() == 0)
    }

    @Test func aCollectionThatComesBackHasAnotherID() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        var ids: Set<UInt64> = []
        for number in 0..<3 {
            try Self.fill(engine, ["u"])
            ids.insert(try #require(try Self.collectionID(Self.note("u"), engine)))
            #expect(try engine.run(Self.group).counters.rows == 1)
            try Self.empty(engine, ["u"])
            #expect(try engine.forgetEmptyCollections() == 1)
            #expect(try Self.collectionID(Self.note("u"), engine) == nil)
            #expect(ids.count == number + 1)
        }
    }

    /// A collection below the documents of an empty one is not that one's.
    @Test func collectionsBelowStay() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        _ = try engine.commit([.set("a/b", [:]), .set("a/b/c/d", [:])])
        _ = try engine.commit([Write("a/b", .delete)])
        #expect(try engine.forgetEmptyCollections() == 1)
        #expect(try engine.document("a/b/c/d") != nil)
        #expect(try engine.collectionIDs(under: nil) == ["a"])
    }

    /// They depend on the indexes alone.
    @Test func plansStay() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        try Self.fill(engine, ["u"])
        _ = try engine.run(Self.group)
        let before = try engine.catalog()
        #expect(before.plans.count == 1)
        try Self.empty(engine, ["u"])
        #expect(try engine.forgetEmptyCollections() == 1)
        let after = try engine.catalog()
        #expect(after.version > before.version && after.plans === before.plans)
        let index = IndexDefinition(
            collectionGroup: "notes", scope: .collection,
            fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.ascending))],
            nameDirection: .ascending)
        try engine.apply(IndexConfiguration(indexes: [index]), prune: false)
        #expect(try engine.catalog().plans !== before.plans)
    }

    // MARK: - When

    @Test func aSweepThatIsEndedLeavesTheRest() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        let users = (0..<1_600).map { "\($0)" }
        try Self.fill(engine, users)
        try Self.empty(engine, users)
        let size = try Self.catalogSize(engine)
        var steps = 0
        let end = { () throws(EngineError) in
            steps += 1
            // Two reads come before the commits.
            if steps == 5 { throw .refused(.cancelled, "enough") }
        }
        let error = #expect(throws: EngineError.self) { try engine.forgetEmptyCollections(progress: end) }
        #expect(error?.message == "enough")
        let forgotten = (size - (try Self.catalogSize(engine))) / 2
        #expect((1..<1_600).contains(forgotten))
        #expect(try engine.forgetEmptyCollections() == 1_600 - forgotten)
    }

    /// A load and an index change remember IDs.
    @Test func nothingIsForgottenBesideMaintenance() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        try Self.fill(engine, ["u"])
        try Self.empty(engine, ["u"])
        let count = try engine.environment.whileMaintaining { () throws(EngineError) in
            try engine.forgetEmptyCollections()
        }
        #expect(count == 0)
        #expect(try engine.forgetEmptyCollections() == 1)
    }

    /// A collection that gets a document after it was found empty.
    @Test func whatIsFilledMeanwhileStays() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        try Self.fill(engine, ["u", "v"])
        try Self.empty(engine, ["u", "v"])
        var steps = 0
        let count = try engine.forgetEmptyCollections { () throws(EngineError) in
            steps += 1
            // Before the first commit.
            if steps == 2 { _ = try engine.commit([.set(Self.note("v", "b"), ["n": 2])]) }
        }
        #expect(count == 1)
        #expect(try engine.run(Self.group).documents.map(\.path) == [Self.note("v", "b")])
        #expect(try engine.document(Self.note("v", "b")) != nil)
    }

    // MARK: - The past

    @Test func whatCanStillBeReadStays() throws {
        let directory = try TemporaryDirectory()
        let time = Mutex(System.now())
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.history = HistoryLimits(window: .seconds(100))
        options.clock = { time.withLock { $0 } }
        let engine = try Engine.open(directory.path("test.db"), options)
        let pass = { (seconds: UInt64) in time.withLock { $0 += seconds * 1_000_000 } }
        let path = Self.note("u")
        let first = try engine.commit([.set(path, ["n": 1])]).commitTime
        pass(1)
        _ = try engine.commit([Write(path, .delete)])
        #expect(try engine.forgetEmptyCollections() == 0)
        #expect(try engine.record(path, at: first) != nil)
        pass(50)
        _ = try engine.commit([.set(Self.note("u", "b"), ["n": 1])])
        pass(1)
        _ = try engine.commit([Write(Self.note("u", "b"), .delete)])
        pass(60)
        // The first document is out of the window, and the second is not.
        #expect(try engine.forgetEmptyCollections() == 0)
        pass(50)
        // Nobody has written meanwhile, so that the changes are still there.
        #expect(try engine.historyCount() > 0)
        #expect(try engine.forgetEmptyCollections() == 1)
        #expect(throws: EngineError.self) { try engine.record(path, at: first) }
        let again = try engine.commit([.set(path, ["n": 2])]).commitTime
        pass(1)
        let last = try engine.commit([.set(path, ["n": 3])]).commitTime
        let fields = try [again, last].map { try engine.record(path, at: $0)?.fields()["n" as Text] }
        #expect(fields == [2, 3])
        let changes = try engine.changes(since: again, upTo: last)
        #expect(changes.map(\.path) == [path])
        #expect(try engine.verify().problems == [])
    }

    /// A commit of who keeps none would end the history of who does, and who does forgets by himself.
    @Test func theHistoryOfAnotherProgramGoesOn() throws {
        let directory = try TemporaryDirectory()
        let time = Mutex(System.now())
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.clock = { time.withLock { $0 } }
        let path = directory.path("test.db")
        let engine = try Engine.open(path, options)
        options.history = HistoryLimits()
        let keeper = try Engine.open(path, options)
        let first = try keeper.commit([.set(Self.note("u"), ["n": 1])]).commitTime
        try Self.empty(keeper, ["u"])
        #expect(try engine.forgetEmptyCollections() == 0)
        #expect(try keeper.record(Self.note("u"), at: first) != nil)
        // Nothing of the history is read any more.
        time.withLock { $0 += 2 * 3_600_000_000 }
        #expect(try engine.forgetEmptyCollections() == 1)
        // A history that has ended is not spared.
        _ = try keeper.commit([.set(Self.note("u"), ["n": 2])])
        try Self.empty(engine, ["u"])
        #expect(try engine.forgetEmptyCollections() == 1)
        #expect(try engine.verify().problems == [])
    }

    // MARK: - Beside writers

    /// Threads that write and read through two engines, which know of each other as little as two processes do, and a thread that
    /// sweeps through either.
    @Test(arguments: [false, true]) func writersBesideSweeps(_ keepsHistory: Bool) throws {
        let directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        // Short enough that most of what was deleted is forgotten.
        if keepsHistory { options.history = HistoryLimits(window: .microseconds(500)) }
        let path = directory.path("test.db")
        let engines = [try Engine.open(path, options), try Engine.open(path, options)]
        let writers = 3
        let running = Atomic<Int>(writers)
        let forgotten = Atomic<Int>(0)
        let seed = SeededGenerator.printingSeed().seed
        DispatchQueue.concurrentPerform(iterations: writers + 1) { number in
            do {
                if number < writers {
                    defer { running.subtract(1, ordering: .sequentiallyConsistent) }
                    try Self.write(number, engines, SeededGenerator(seed: seed &+ UInt64(number)))
                } else {
                    var round = 0
                    // Where Dispatch has few threads, it may begin when the writers have ended.
                    repeat {
                        round += 1
                        let count = try engines[round % 2].forgetEmptyCollections()
                        forgotten.add(count, ordering: .relaxed)
                    } while running.load(ordering: .sequentiallyConsistent) > 0
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(forgotten.load(ordering: .relaxed) > 0)
        #expect(try engines[0].verify().problems == [])
        #expect(try engines[1].run(Self.group).documents.isEmpty)
    }

    /// Creates and deletes documents that no other thread touches, in collections of its own and in one that all share.
    private static func write(_ number: Int, _ engines: [Engine], _ seeded: SeededGenerator) throws {
        var random = seeded
        for _ in 0..<Rounds.of(400) {
            let user = random.chance(0.3) ? "shared" : "\(number)-\(random.int(0..<3))"
            let path = note(user, Text("of\(number)"))
            let value = Value.integer(Int64(random.int(0..<1_000)))
            _ = try random.pick(engines).commit([.set(path, ["n": value])])
            for engine in engines {
                #expect(try engine.document(path)?.fields["n" as Text] == value)
                #expect(try engine.run(group).documents.contains { $0.path == path && $0.fields["n" as Text] == value })
            }
            _ = try random.pick(engines).commit([Write(path, .delete)])
            for engine in engines {
                #expect(try engine.document(path) == nil)
                let isThere = try engine.recordAtOnce(path) { $0 != nil }
                #expect(isThere != true)
                #expect(try !engine.run(group).documents.contains { $0.path == path })
            }
        }
    }
}
