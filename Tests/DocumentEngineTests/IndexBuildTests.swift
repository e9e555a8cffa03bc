// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentEngine
import DocumentModel
import Foundation
import IndexCatalog
import LMDB
import QueryPlanner
import Synchronization
import TestSupport
import Testing

/// Indexes that are built while others write. Each database verifies itself, which proves that the entries are exactly
/// those of an index that is built at once.
@Suite struct IndexBuildTests {
    private static let generator = DocumentGenerator()

    /// Random writes of existing documents and of new ones.
    private static func writes(_ count: Int, _ random: inout SeededGenerator) -> [Write] {
        var writes: [DocumentPath: Write] = [:]
        for _ in 0..<count {
            let path = generator.path(&random)
            writes[path] = random.chance(0.3) ? Write(path, .delete) : .set(path, generator.fields(&random))
        }
        return Array(writes.values)
    }

    private static func fill(_ engine: Engine, _ count: Int, _ random: inout SeededGenerator) throws {
        for start in stride(from: 0, to: count, by: 400) {
            let documents = generator.documents(min(400, count - start), &random)
            _ = try engine.commit(documents.map { Write.set($0.key, $0.value) })
        }
    }

    private func expectSound(_ engine: Engine) throws {
        let report = try engine.verify()
        #expect(report.problemCount == 0, "\(report.problems)")
    }

    /// Threads remember the definitions each for itself.
    @Test func allThreadsSeeAChange() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        let fields = ["a", "b", "c"].map { IndexField(FieldPath([$0]), .order(.ascending)) }
        for count in [0, 2, 1, 3] {
            let definitions = (0..<count).map {
                IndexDefinition(
                    collectionGroup: "g", scope: .collection, fields: [fields[$0]], nameDirection: .ascending)
            }
            try engine.apply(IndexConfiguration(indexes: definitions), prune: true)
            let seen = Mutex<Set<Int?>>([])
            DispatchQueue.concurrentPerform(iterations: 64) { _ in
                let found = try? engine.catalog().composites.count
                seen.withLock { _ = $0.insert(found) }
            }
            #expect(seen.withLock { $0 } == [count])
        }
    }

    /// Changes of composites and overrides follow one another, with writes between any two steps of each.
    @Test func buildsWithWritesBetween() throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(10) {
            let database = try TemporaryDatabase()
            let engine = database.engine
            try Self.fill(engine, 1_200, &random)
            for _ in 0..<4 {
                let configuration = IndexConfigurationGenerator().configuration(&random)
                var steps = 0
                try engine.apply(configuration, prune: random.chance(0.7)) { progress in
                    #expect((0...1).contains(progress.fraction))
                    steps += 1
                    do throws(EngineError) {
                        _ = try engine.commit(Self.writes(20, &random))
                    } catch {
                        Issue.record(error)
                    }
                }
                #expect(try engine.catalog().composites.allSatisfy { $0.state == .ready })
                try expectSound(engine)
            }
        }
    }

    @Test func buildsWhileAnotherThreadWrites() async throws {
        var random = SeededGenerator.printingSeed()
        let database = try TemporaryDatabase()
        let engine = database.engine
        try Self.fill(engine, 2_000, &random)
        let progress = Progress()
        let seed = UInt64.random(in: 0 ... .max, using: &random)
        async let writer: Void = onThread {
            var random = SeededGenerator(seed: seed)
            while !progress.isDone.load(ordering: .relaxed) {
                _ = try engine.commit(Self.writes(5, &random))
                progress.written.add(1, ordering: .relaxed)
            }
        }
        try await wait(for: "the writer's first commits") { progress.written.load(ordering: .relaxed) >= 3 }
        for _ in 0..<5 {
            try engine.apply(IndexConfigurationGenerator().configuration(&random), prune: true)
            try expectSound(engine)
        }
        progress.isDone.store(true, ordering: .relaxed)
        try await writer
    }

    /// Runs `body` on its own thread, because a task would occupy one of the few threads that all tests share.
    private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    private final class Progress: Sendable {
        let isDone = Atomic<Bool>(false)
        let written = Atomic<Int>(0)
    }

    private static let wanted = IndexConfiguration(
        indexes: [
            IndexDefinition(
                collectionGroup: "c", scope: .collection,
                fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.descending))],
                nameDirection: .descending)
        ],
        fieldOverrides: [
            FieldOverride(
                collectionGroup: "c", path: "s",
                indexes: [SingleFieldIndex(.ascending, .collection), SingleFieldIndex(.ascending, .collectionGroup)])
        ])

    /// Which queries are served before, at every step of the change, and after.
    @Test func I_24_buildingIndexesServeNothingAndDroppedOnesAreGoneAtOnce() throws {
        var random = SeededGenerator.printingSeed()
        let database = try TemporaryDatabase()
        let engine = database.engine
        try Self.fill(engine, 1_500, &random)
        let composite = #"c.where("a",">",0).orderBy("a").orderBy("b","desc")"#
        let group = #"collectionGroup("c").orderBy("s")"#
        let descending = #"c.orderBy("s","desc")"#

        #expect(try outcome(composite, engine) == .missing)
        #expect(try outcome(group, engine) == .missing)
        #expect(try outcome(descending, engine) == .served)
        var steps = 0
        try engine.apply(Self.wanted, prune: true) { _ in
            steps += 1
            do {
                #expect(try outcome(composite, engine) == .building)
                #expect(try outcome(group, engine) == .building)
                #expect(try outcome(descending, engine) == .missing)
                #expect(try outcome(#"c.orderBy("s")"#, engine) == .served)
            } catch {
                Issue.record(error)
            }
        }
        #expect(steps > 2)
        #expect(try outcome(composite, engine) == .served)
        #expect(try outcome(group, engine) == .served)
        #expect(try outcome(descending, engine) == .missing)
        try engine.apply(IndexConfiguration(), prune: true) { _ in
            do {
                #expect(try outcome(composite, engine) == .missing)
                #expect(try outcome(group, engine) == .missing)
                #expect(try outcome(descending, engine) == .building)
            } catch {
                Issue.record(error)
            }
        }
        #expect(try outcome(descending, engine) == .served)
        #expect(try engine.environment.statistics(of: engine.stores.compositeEntries).entries == 0)
    }

    private enum QueryOutcome { case served, missing, building }

    private func outcome(_ text: String, _ engine: Engine) throws -> QueryOutcome {
        let query = try QueryText.parse(text, database: engine.database)
        do throws(QueryError) {
            _ = try engine.run(query)
            return .served
        } catch .planning(.missingIndex(let error)) {
            return error.isBuilding ? .building : .missing
        } catch {
            throw error
        }
    }

    /// The builder is killed at a random step of a change of composites and overrides. Writes continue, and the next
    /// call finishes the change.
    @Test func killedBuildsAreResumed() async throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(10) {
            let directory = try TemporaryDirectory()
            let path = directory.path("killed.db")
            let steps = random.int(1..<8)
            let seed = UInt64.random(in: 0 ... .max, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, steps = steps as Int, seed = seed as UInt64] in
                var random = SeededGenerator(seed: seed)
                let engine = try Engine.open(path)
                try Self.fill(engine, 1_500, &random)
                try engine.apply(IndexConfigurationGenerator().configuration(&random), prune: true)
                var step = 0
                try engine.apply(Self.wanted, prune: true) { _ in
                    step += 1
                    _ = try? engine.commit(Self.writes(20, &random))
                    if step == steps { kill(getpid(), SIGKILL) }
                }
                kill(getpid(), SIGKILL)
            }
            let engine = try Engine.open(path)
            try expectSound(engine)
            _ = try engine.commit(Self.writes(50, &random))
            try expectSound(engine)
            if random.chance(0.5) {
                try resumeInSteps(engine)
            } else {
                try engine.apply(Self.wanted, prune: true)
            }
            let catalog = try engine.catalog()
            #expect(catalog.composites.map(\.state) == [.ready])
            #expect(!catalog.isBuilding)
            try expectSound(engine)
        }
    }

    /// Ends the build after one step, then after two, and so on.
    private func resumeInSteps(_ engine: Engine) throws {
        for limit in 1...100 where try engine.hasUnfinishedBuild() {
            var steps = 0
            do throws(EngineError) {
                let isDone = try engine.resumeIndexBuilds { (_) throws(EngineError) in
                    steps += 1
                    if steps == limit { throw .refused(.cancelled, "Enough.") }
                }
                #expect(isDone)
            } catch {
                #expect(error.status == .cancelled)
                try expectSound(engine)
            }
        }
    }

    /// Builds killed at any moment, even inside a commit, are resumed.
    @Test func buildsKilledAtAnyMomentAreResumed() async throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(10) {
            let directory = try TemporaryDirectory()
            let path = directory.path("killed.db")
            let delay = random.int(0..<120_000)
            let seed = UInt64.random(in: 0 ... .max, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, delay = delay as Int, seed = seed as UInt64] in
                var random = SeededGenerator(seed: seed)
                let engine = try Engine.open(path)
                try Self.fill(engine, 1_500, &random)
                DispatchQueue.global().async {
                    usleep(UInt32(delay))
                    kill(getpid(), SIGKILL)
                }
                while true {
                    try engine.apply(IndexConfigurationGenerator().configuration(&random), prune: true) { _ in
                        _ = try? engine.commit(Self.writes(5, &random))
                    }
                }
            }
            let engine = try Engine.open(path)
            try expectSound(engine)
            _ = try engine.commit(Self.writes(50, &random))
            try engine.resumeIndexBuilds()
            #expect(try !engine.catalog().isBuilding)
            try expectSound(engine)
        }
    }

    /// Writers of another process also maintain the side log, because they read the definitions in every transaction.
    @Test func anotherProcessWritesMeanwhile() async throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let path = directory.path("shared.db")
        let engine = try Engine.open(path)
        try Self.fill(engine, 1_500, &random)
        let progress = Progress()
        let seeds = (0..<2).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
        let buildSeed = seeds[0]
        async let builds: Void = onThread {
            var random = SeededGenerator(seed: buildSeed)
            var count = 0
            while !progress.isDone.load(ordering: .relaxed) || count == 0 {
                try engine.apply(IndexConfigurationGenerator().configuration(&random), prune: true)
                count += 1
            }
        }
        let seed = seeds[1]
        await #expect(processExitsWith: .success) { [path = path as String, seed = seed as UInt64] in
            var random = SeededGenerator(seed: seed)
            let engine = try Engine.open(path)
            for _ in 0..<150 { _ = try engine.commit(Self.writes(5, &random)) }
        }
        progress.isDone.store(true, ordering: .relaxed)
        try await builds
        try expectSound(engine)
    }
}
