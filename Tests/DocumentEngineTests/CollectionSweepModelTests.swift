// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import LMDB
import QueryPlanner
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

/// Random commits, loads, clears and sweeps of collections and indexes through two engines of one file, against a model of the present
/// and of the past.
@Suite struct CollectionSweepModelTests {
    typealias Model = [DocumentPath: Int64]

    private static let group = Query.collectionGroup("notes")
    private static let ones = Query.collection("c").with { $0.filter = .field("n", .equal, 1) }

    /// The documents with a number, found by a field that no other number has.
    private static func numbered(_ number: Int64) -> Query {
        Query.collection("c").with { $0.filter = .field(FieldPath(["m", name(number)]), .equal, true) }
    }

    private static func name(_ number: Int64) -> Text { Text("of\(number)") }

    /// In microseconds.
    private static let window: UInt64 = 100_000_000

    private final class Subject {
        let directory: TemporaryDirectory
        let engines: [Engine]
        let clock: Clock
        var model: Model = [:]
        /// The states after some commits.
        var states: [(time: Timestamp, model: Model)] = []
        var forgotten = 0
        var forgottenIndexes = 0
        var pastReads = 0

        init(keepsHistory: Bool) throws {
            directory = try TemporaryDirectory()
            let clock = Clock()
            self.clock = clock
            var options = Engine.Options()
            options.durability = .mayLoseDatabase
            options.clock = { clock.now }
            if keepsHistory { options.history = HistoryLimits(window: .microseconds(CollectionSweepModelTests.window)) }
            let path = directory.path("test.db")
            engines = [try Engine.open(path, options), try Engine.open(path, options)]
        }

        /// The documents of the group, in the order of names.
        static func notes(_ model: Model) -> [DocumentPath] {
            model.keys.filter { $0.collection.group == "notes" }.sorted()
        }

        /// The documents of the collection at the root with a number.
        static func numbered(_ model: Model, _ number: Int64) -> [DocumentPath] {
            model.keys.filter { $0.collection.group == "c" && model[$0] == number }.sorted()
        }
    }

    private final class Clock: Sendable {
        private let time = Mutex(System.now())

        var now: UInt64 { time.withLock { $0 } }

        func pass(_ microseconds: UInt64) { time.withLock { $0 += microseconds } }
    }

    @Test(arguments: [false, true]) func twoEnginesAgreeWithAModel(_ keepsHistory: Bool) throws {
        var random = SeededGenerator.printingSeed()
        var (forgotten, forgottenIndexes, pastReads) = (0, 0, 0)
        for _ in 0..<Rounds.of(40) {
            let subject = try Subject(keepsHistory: keepsHistory)
            for _ in 0..<80 {
                subject.clock.pass(random.chance(0.1) ? Self.window / 2 : 1_000)
                try Self.change(subject, &random)
                for engine in subject.engines where random.chance(0.7) { try Self.check(engine, subject, &random) }
                if keepsHistory, random.chance(0.5) { try Self.checkPast(subject, &random) }
            }
            for engine in subject.engines { try Self.check(engine, subject, &random) }
            try Self.sweepToTheEnd(subject)
            #expect(try subject.engines[0].verify().problems == [])
            forgotten += subject.forgotten
            forgottenIndexes += subject.forgottenIndexes
            pastReads += subject.pastReads
        }
        #expect(forgotten > 0 && forgottenIndexes > 0)
        #expect(!keepsHistory || pastReads > 0)
    }

    // MARK: - Changes

    private static func change(_ subject: Subject, _ random: inout SeededGenerator) throws {
        let engine = random.pick(subject.engines)
        if random.chance(0.03) {
            try engine.clear()
            subject.model = [:]
            return
        }
        if random.chance(0.25) {
            if random.chance(0.5) {
                subject.forgotten += try engine.forgetEmptyCollections()
            } else {
                subject.forgottenIndexes += try engine.forgetEmptyIndexes()
            }
            return
        }
        let path = path(&random)
        if random.chance(0.55) {
            let time = try engine.commit([Write(path, .delete)]).commitTime
            subject.model[path] = nil
            subject.states.append((time, subject.model))
            return
        }
        let number = Int64(random.int(0..<3))
        let fields: Fields = ["n": .integer(number), "m": .map(Fields([Field(name(number), true)])!)]
        subject.model[path] = number
        if random.chance(0.07) {
            var rest = [(path: path, fields: fields)]
            _ = try engine.load(next: { rest.popLast() }, reject: { path, error in Issue.record("\(path): \(error)") })
        } else {
            let time = try engine.commit([.set(path, fields)]).commitTime
            subject.states.append((time, subject.model))
        }
    }

    private static func path(_ random: inout SeededGenerator) -> DocumentPath {
        let id: Text = random.pick(["a", "b"])
        if random.chance(0.3) { return DocumentPath(ResourcePath(segments: ["c", id])) }
        let user: Text = random.pick(["u", "v", "w", "x"])
        return DocumentPath(ResourcePath(segments: ["users", user, "notes", id]))
    }

    // MARK: - Checks

    private static func check(_ engine: Engine, _ subject: Subject, _ random: inout SeededGenerator) throws {
        let path = path(&random)
        let expected = subject.model[path].map { Value.integer($0) }
        let exists = try engine.recordAtOnce(path) { $0 != nil }
        #expect(exists == nil || exists == (expected != nil))
        #expect(try engine.document(path)?.fields["n" as Text] == expected)
        #expect(try engine.run(group).documents.map(\.path) == Subject.notes(subject.model))
        let rows = try engine.run(ones).documents.map(\.path)
        #expect(rows == Subject.numbered(subject.model, 1))
        let number = Int64(random.int(0..<3))
        let found = try engine.run(numbered(number)).documents.map(\.path)
        #expect(found == Subject.numbered(subject.model, number))
    }

    /// Documents, queries and changes at times within the window, which a clear and a load cut off.
    private static func checkPast(_ subject: Subject, _ random: inout SeededGenerator) throws {
        guard subject.states.count > 1 else { return }
        let engine = random.pick(subject.engines)
        let index = random.int(0..<subject.states.count - 1)
        let (state, next) = (subject.states[index], subject.states[index + 1])
        let paths = Array(subject.states.reduce(into: Set<DocumentPath>()) { $0.formUnion($1.model.keys) })
        let (records, changes): ([DocumentRecord?], [VersionChange])
        // Of a commit that changed nothing, no time is kept: it may be too old where the last that did can still be read.
        do throws(EngineError) {
            records = try engine.records(paths, at: state.time)
            changes = try engine.changes(since: state.time, upTo: next.time)
        } catch {
            guard case .refused(.failedPrecondition, _) = error else { throw error }
            return
        }
        subject.pastReads += 1
        for (path, record) in zip(paths, records) {
            let expected = state.model[path].map { Value.integer($0) }
            #expect(try record?.fields()["n" as Text] == expected)
        }
        let rows = try engine.run(.documents(group), at: state.time).documents.map(\.path)
        #expect(rows == Subject.notes(state.model))
        var model = state.model
        for change in changes {
            model[change.path] = nil
            if case .integer(let number)? = try change.new?.fields()["n" as Text] { model[change.path] = number }
        }
        #expect(model == next.model)
    }

    /// When everything is past, only collections with documents are known, and only indexes of their fields.
    private static func sweepToTheEnd(_ subject: Subject) throws {
        subject.clock.pass(2 * window)
        subject.forgotten += try subject.engines[0].forgetEmptyCollections()
        let notes = Subject.notes(subject.model)
        for engine in subject.engines {
            let result = try engine.run(group)
            #expect(try result.documents.map(\.path) == notes)
            #expect(result.counters.seeks <= Set(notes.map(\.collection)).count + 2)
        }
        subject.forgottenIndexes += try subject.engines[1].forgetEmptyIndexes()
        let groups = Dictionary(grouping: subject.model) { $0.key.collection.group }
        // Of `n`, `m` and each field in `m`.
        let expected = groups.values.reduce(0) { $0 + 2 + Set($1.map { $0.value }).count }
        for engine in subject.engines { #expect(try knownIndexes(engine) == expected) }
    }

    private static func knownIndexes(_ engine: Engine) throws -> Int {
        try engine.read { (transaction) throws(EngineError) in
            var count = 0
            try FieldIndexKey.forEach(&transaction) { (_, _, _) throws(EngineError) in count += 1 }
            return count
        }
    }
}
