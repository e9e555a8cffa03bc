// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import LMDB
import QueryPlanner
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

@Suite struct HistoryUpkeepTests {
    // MARK: - Times

    @Test func refusedTimes() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        let created = try engine.earliestReadTime()
        func refusal(_ microseconds: Int64) -> String? {
            do throws(EngineError) {
                _ = try engine.record("c/a", at: Timestamp(microseconds: microseconds)!)
                return nil
            } catch {
                return "\(error.status.name): \(error.message)"
            }
        }
        #expect(refusal(created.microseconds) == nil)
        #expect(
            refusal(created.microseconds - 1)
                == "INVALID_ARGUMENT: The requested 'read_time' cannot be before database creation time.")
        #expect(
            refusal(Int64(System.now()) + 60_000_000)
                == "INVALID_ARGUMENT: The requested 'read_time' cannot be in the future.")
        #expect(refusal(-1)?.hasPrefix("INVALID_ARGUMENT") == true)
    }

    @Test func aQueryIsRefusedForItsTimeToo() throws {
        let database = try TemporaryDatabase(history: HistoryLimits(byteLimit: 0))
        let first = try database.engine.commit([.set("c/a", [:])])
        _ = try database.engine.commit([.set("c/a", ["n": 1])])
        _ = try database.engine.commit([.set("c/a", ["n": 2])])
        let query = QueryRequest.documents(Query(from: CollectionSelector(collectionID: "c")))
        #expect { try database.engine.run(query, at: first.commitTime) } throws: { error in
            guard case QueryError.engine(.refused(.failedPrecondition, let message)) = error else { return false }
            return message == "The requested 'read_time' is too old."
        }
    }

    /// A database opened without history neither reads nor validates, and writes as many pages as ever.
    @Test func withoutHistory() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        #expect(!engine.keepsHistory && engine.stores.history == nil)
        _ = try engine.commit([.set("c/a", [:])])
        #expect(throws: EngineError.self) { try engine.readTime() }
        #expect(throws: EngineError.self) { try engine.record("c/a", at: .minimum) }
        #expect(try engine.incarnation() == 0)
        #expect(throws: Never.self) { try engine.environment.openStores(["documents"], create: false) }
        #expect(throws: (any Error).self) { try engine.environment.openStores(["history"], create: false) }
    }

    /// Reads at the present see every commit that has returned, and repeat.
    @Test func thePresentIsSettled() async throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        let path: DocumentPath = "c/counter"
        _ = try engine.commit([.set(path, ["n": 0])])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<200 {
                        let write = Write(
                            path, .update(.empty, mask: [], transforms: [FieldTransform("n", .increment(.integer(1)))]))
                        let result = try engine.commit([write])
                        let now = try engine.readTime()
                        #expect(now >= result.commitTime)
                        let record = try engine.record(path, at: now)
                        let again = try engine.record(path, at: now)
                        #expect(try record?.updateTime() ?? .minimum >= result.commitTime)
                        #expect(try record?.updateTime() ?? .maximum <= now)
                        #expect(try record?.updateTime() == again?.updateTime())
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try engine.document(path)?.fields["n" as Text] == .integer(800))
    }

    /// A time that a client chose is in the past for good once it was read, even if it is later than the last commit.
    @Test func aChosenTimeIsSettled() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        _ = try engine.commit([.set("c/a", ["n": 1])])
        let chosen = Timestamp(microseconds: Int64(System.now()))!
        #expect(try engine.record("c/a", at: chosen) != nil)
        let result = try engine.commit([Write("c/a", .delete)])
        #expect(result.commitTime > chosen)
        #expect(try engine.record("c/a", at: chosen) != nil)
        #expect(try engine.record("c/a", at: result.commitTime) == nil)
    }

    /// While a commit is being written, the present is before it, and a read at its time waits for it.
    @Test func aCommitUnderWayIsNotYetPast() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        let answer = Mutex<Timestamp?>(nil)
        let done = DispatchSemaphore(value: 0)
        let time = try engine.write { (transaction, commitTime, log) throws(EngineError) in
            let present = DispatchQueue.global().sync { try? engine.readTime() }
            #expect(present.map { $0 < commitTime } ?? false)
            Thread.detachNewThread {
                let record = try? engine.record("c/a", at: commitTime)
                answer.withLock { $0 = try? record?.updateTime() }
                done.signal()
            }
            // It ends now only if the read does not wait; then the answer below is wrong.
            if done.wait(timeout: .now() + .milliseconds(20)) == .success { done.signal() }
            let catalog = try engine.catalogs.read(&transaction)
            var applier = try WriteApplier(
                catalog, cached: .init(catalogVersion: catalog.version), database: engine.database, &transaction)
            _ = try applier.apply([.set("c/a", [:])], at: commitTime, &log, transaction).get()
            _ = try applier.finish(placingPages: false, &transaction)
            return commitTime
        }
        done.wait()
        #expect(answer.withLock { $0 } == time)
    }

    /// The first commit after more than the window: who reads meanwhile, at the present, finds the history that it needs.
    @Test func thePresentIsReadableAfterALongRest() throws {
        let directory = try TemporaryDirectory()
        let time = Mutex(System.now())
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.history = HistoryLimits()
        options.clock = { time.withLock { $0 } }
        let engine = try Engine.open(directory.path("test.db"), options)
        let first = try engine.commit([.set("c/a", [:])]).commitTime
        time.withLock { $0 += 7_200_000_000 }
        // The present, while another process has the file open.
        #expect(try engine.record("c/a", at: first) != nil)
        try engine.write { (_, commitTime, _) throws(EngineError) in
            let isReadable = DispatchQueue.global().sync {
                let present = try? engine.readTime()
                return present.map { present in
                    present < commitTime && (try? engine.record("c/a", at: present)) != nil
                }
            }
            #expect(isReadable == true)
        }
        #expect(throws: EngineError.self) { try engine.record("c/a", at: first) }
    }

    // MARK: - Upkeep

    /// The size is bounded, by little work in each commit, and what was dropped is refused, also after the file is opened again.
    @Test func theOldestIsDroppedBeyondTheSize() throws {
        let directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.history = HistoryLimits(byteLimit: 100_000)
        let path = directory.path("test.db")
        var times: [Timestamp] = []
        do {
            let engine = try Engine.open(path, options)
            for number in 0..<400 {
                let text = Value.string(Text(String(repeating: "x", count: 1_000)))
                times.append(try engine.commit([.set("c/a", ["n": .integer(Int64(number)), "x": text])]).commitTime)
            }
            #expect(try 80...100 ~= engine.historyCount())
        }
        let engine = try Engine.open(path, options)
        let floor = try engine.earliestReadTime()
        for (number, time) in times.enumerated() {
            if time >= floor {
                #expect(try engine.record("c/a", at: time)?.fields()["n" as Text] == .integer(Int64(number)))
            } else {
                #expect(throws: EngineError.self) { try engine.record("c/a", at: time) }
            }
        }
        #expect(times[200] < floor && floor < times[330])
        #expect(try engine.verify().problemCount == 0)
    }

    /// What is older than the window is dropped, a few entries in each commit.
    @Test func theOldestIsDroppedAfterTheWindow() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("test.db")
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.history = .long
        _ = try Engine.open(path, options)
            .commit((0..<100).map { .set(CollectionPath.c.document(Text("\($0)")), [:]) })
        options.history?.window = .zero
        let engine = try Engine.open(path, options)
        var counts = [try engine.historyCount()]
        for number in 0..<10 {
            _ = try engine.commit([.set("c/0", ["n": .integer(Int64(number))])])
            counts.append(try engine.historyCount())
        }
        // Each commit adds one and drops 18 at most.
        #expect(counts == [100, 83, 66, 49, 32, 15, 0, 0, 0, 0, 0])
    }

    /// A commit by a program that keeps no history is noticed, and reads before it are refused.
    @Test func aGapIsNoticed() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("test.db")
        var plain = Engine.Options()
        plain.durability = .mayLoseDatabase
        var options = plain
        options.history = .long
        let first = try Engine.open(path, options).commit([.set("c/a", ["n": 1])]).commitTime
        let incarnation = try Engine.open(path, options).incarnation()
        let reads = try Engine.open(path, options).beginReading()
        #expect(try Engine.open(path, options).record("c/a", at: first) != nil)
        let second = try Engine.open(path, plain).commit([.set("c/a", ["n": 2])]).commitTime
        let engine = try Engine.open(path, options)
        #expect(throws: EngineError.self) { try engine.record("c/a", at: first) }
        #expect(throws: EngineError.self) { try engine.changes(since: first, upTo: second) }
        #expect(throws: EngineError.self) { try engine.commit([.set("c/b", [:])], validating: reads) }
        #expect(try engine.incarnation() == incarnation)
        // The history begins again.
        let third = try engine.commit([.set("c/a", ["n": 3])]).commitTime
        let opened = try engine.earliestReadTime()
        #expect(second <= opened && opened < third)
        #expect(try engine.record("c/a", at: opened)?.fields()["n" as Text] == 2)
    }

    /// Only by a database without commits: of others somebody may know documents.
    @Test func theFirstIncarnationIsTaken() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("written.db")
        var options = Engine.Options()
        options.firstIncarnation = 7
        _ = try Engine.open(path, options).commit([.set("c/a", [:])])
        options.history = .long
        let written = try Engine.open(path, options)
        #expect(try written.incarnation() != 7)
        #expect(try written.creationTime() == nil)
        let engine = try Engine.open(directory.path("new.db"), options)
        #expect(try engine.incarnation() == 7)
        let created = try #require(try engine.creationTime())
        #expect(try engine.readTime() >= created)
        try engine.clear()
        #expect(try engine.incarnation() != 7)
    }

    /// The same while both have the file open in one process.
    @Test func aGapBetweenTwoCommitsIsNoticed() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("test.db")
        var plain = Engine.Options()
        plain.durability = .mayLoseDatabase
        var options = plain
        options.history = .long
        let engine = try Engine.open(path, options)
        let other = try Engine.open(path, plain)
        let first = try engine.commit([.set("c/a", ["n": 1])]).commitTime
        let reads = try engine.beginReading()
        _ = try other.commit([.set("c/a", ["n": 2])])
        #expect(throws: EngineError.self) { try engine.record("c/a", at: first) }
        #expect(throws: EngineError.self) { try engine.commit([.set("c/b", [:])], validating: reads) }
        let third = try engine.commit([.set("c/a", ["n": 3])]).commitTime
        #expect(throws: EngineError.self) { try engine.record("c/a", at: first) }
        #expect(try engine.record("c/a", at: third)?.fields()["n" as Text] == 3)
    }

    /// Changes of indexes and empty writes do not interrupt the history; a load of new collections does.
    @Test func onlyUnknownChangesInterrupt() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        let first = try engine.commit([.set("c/a", ["n": 1])]).commitTime
        try engine.setDataVersion(1)
        try engine.apply(.init(indexes: []), prune: true)
        _ = try engine.commit([.set("c/a", ["n": 2])])
        #expect(try engine.record("c/a", at: first)?.fields()["n" as Text] == 1)
        var rest: [DocumentPath] = ["c/a", "c/b"]
        _ = try engine.load(next: { rest.popLast().map { ($0, ["n": 3]) } }, reject: { _, _ in })
        #expect(try engine.record("c/a", at: first)?.fields()["n" as Text] == 1)
        rest = ["d/a", "d/b"]
        _ = try engine.load(next: { rest.popLast().map { ($0, ["n": 3]) } }, reject: { _, _ in })
        #expect(throws: EngineError.self) { try engine.record("c/a", at: first) }
        let now = try engine.readTime()
        #expect(try engine.record("d/a", at: now) != nil)
    }

    /// Damage of the history is an error, and never a wrong answer.
    @Test func damageIsNoticed() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        let first = try engine.commit([.set("c/a", ["n": 1])]).commitTime
        let second = try engine.commit([.set("c/a", ["n": 2])]).commitTime
        let store = try #require(engine.stores.history)
        let keys = [HistoryHead.key, HistoryEntry.key(.init(UInt64(second.microseconds)))]
        let reader = try engine.requireHistory().reader
        let document = DocumentKey.bytes(of: "a", in: 1)
        let time = UInt64(first.microseconds)
        func isNoticed(_ key: [UInt8], _ index: Int) -> Bool {
            var isNoticed = false
            // Undone, because a commit without history would be noticed by itself.
            try? engine.tamper { (transaction) throws(EngineError) in
                var value = [UInt8](copying: try transaction.get(key.span.bytes, from: store)!)
                if index < value.count { value[index] ^= 0x10 }
                let cursor = try transaction.open(store)
                try transaction.put(cursor, key.span.bytes, value.span.bytes)
                transaction.close(cursor)
                do throws(EngineError) {
                    try reader.requireReadable(time, windowStart: 0, transaction)
                    _ = try reader.firstChange(of: document, after: time, &transaction)
                } catch {
                    if case .damaged = error { isNoticed = true }
                }
                throw .unusable("undone")
            }
            return isNoticed
        }
        for key in keys {
            let count = try engine.read { (transaction) throws(EngineError) in
                try transaction.get(key.span.bytes, from: store)!.byteCount
            }
            #expect((0..<count).allSatisfy { isNoticed(key, $0) })
            #expect(!isNoticed(key, count))
        }
    }

    /// A verification of the file sees a change that nobody could find, and a wrong size.
    @Test func aDamagedHistoryDoesNotVerify() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("test.db")
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.history = .long
        func problems(removing first: UInt8) throws -> [String] {
            _ = try Engine.open(path, options).commit([.set("c/a", [:]), .set("c/b", [:])])
            #expect(try Engine.verify(fileAt: path).problems == [])
            try remove(first)
            defer { try? Engine.open(path, options).clear() }
            return try Engine.verify(fileAt: path).problems
        }
        func remove(_ first: UInt8) throws {
            let engine = try Engine.open(path, options)
            let store = try #require(engine.stores.history)
            try engine.tamper { (transaction) throws(EngineError) in
                let cursor = try transaction.open(store)
                guard try transaction.seek(cursor, [first].span.bytes) else { return }
                try transaction.delete(cursor)
            }
        }
        let unlisted = "the history's list by documents is not that of its changes"
        let size = "the history has another size than its head says"
        #expect(try problems(removing: 1) == [unlisted])
        #expect(try problems(removing: 2) == [unlisted, size])
        #expect(try problems(removing: 0) == [size])
        // The history has begun again.
        let engine = try Engine.open(path, options)
        let first = try engine.commit([.set("c/a", ["n": 1])]).commitTime
        _ = try engine.commit([.set("c/a", ["n": 2])])
        #expect(try engine.record("c/a", at: first)?.fields()["n" as Text] == 1)
    }

    // MARK: - Validation

    /// A validation reads no more than what has changed, however much there is.
    @Test func validationReadsTheChangesOnly() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        _ = try engine.commit((0..<500).map { .set(CollectionPath.c.document(Text("\($0)")), ["n": 1]) })
        var reads = try engine.beginReading()
        for number in 0..<500 { reads.add(CollectionPath.c.document(Text("\(number)"))) }
        reads.add(
            try engine.run(
                .documents(Query(from: CollectionSelector(collectionID: "c"), filter: .field("n", .equal, 1))),
                at: reads.time))
        for number in 0..<7 { _ = try engine.commit([.set(CollectionPath.c.document(Text("new\(number)")), ["n": 2])]) }
        let history = try engine.requireHistory()
        let (isCurrent, entriesRead) = try engine.read { (transaction) throws(EngineError) in
            var validator = ReadValidator(reads, history.reader)
            let isCurrent = try validator.isCurrent(after: [], &transaction)
            return (isCurrent, validator.entriesRead)
        }
        #expect(isCurrent && entriesRead == 7)
    }

    /// Rows behind the last row of a limited query do not matter, and neither do other documents.
    @Test func whatConflicts() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        _ = try engine.commit((1...5).map { .set(CollectionPath.c.document(Text("\($0)")), ["n": .integer($0)]) })
        var query = Query(from: CollectionSelector(collectionID: "c"), orders: [Order("n")])
        query.limit = 3
        func isCommitted(_ change: [Write]) throws -> Bool {
            var reads = try engine.beginReading()
            reads.add(try engine.run(.documents(query), at: reads.time))
            reads.add("d/read")
            _ = try engine.commit(change)
            do {
                _ = try engine.commit([.set("d/written", [:])], validating: reads)
                return true
            } catch EngineError.refused(.aborted, let message) {
                #expect(message == "Too much contention on these documents. Please try again.")
                return false
            }
        }
        #expect(try isCommitted([.set("c/6", ["n": 6]), Write("c/5", .delete), .set("d/written", ["n": 1])]))
        #expect(try isCommitted([.set("c/1", ["m": 1]), .set("c/1", ["n": 1])]) == false)
        #expect(try isCommitted([.set("c/0", ["n": 0]), Write("c/0", .delete)]))
        #expect(try isCommitted([.set("c/0", ["n": 0])]) == false)
        #expect(try isCommitted([Write("c/0", .delete)]) == false)
        #expect(try isCommitted([.set("d/read", [:])]) == false)
    }

    // MARK: - Clearing and restoring

    @Test func clearingDeletesEverythingButIndexes() throws {
        let long = Text(String(repeating: "long", count: 300))
        for history in [HistoryLimits.long, nil] {
            let database = try TemporaryDatabase(
                indexes: IndexConfiguration(indexes: [
                    IndexDefinition(
                        collectionGroup: "c", scope: .collection,
                        fields: [IndexField("a", .order(.ascending)), IndexField("b", .order(.ascending))],
                        nameDirection: .ascending)
                ]), history: history)
            let engine = database.engine
            // Long keys in the stores of documents, entries and collections.
            let names = [
                "c/\(long.string)1", "c/\(long.string)2", "c/x/\(long.string)/y", "c/x/\(long.string)b/y", "c/a",
            ]
            let fields: Fields = ["a": .string(long), "b": 1]
            for _ in 0..<2 {
                _ = try engine.commit(try names.map { .set(try DocumentPath(parsing: $0), fields) })
                #expect(try PastModel.documents(of: engine).count == 5)
                let incarnation = try engine.incarnation()
                try engine.clear()
                #expect(try PastModel.documents(of: engine).isEmpty)
                #expect(try engine.collectionIDs(under: nil).isEmpty)
                #expect(try engine.catalog().composites.count == 1)
                #expect(try engine.incarnation() != incarnation)
                #expect(try engine.verify().problemCount == 0)
            }
        }
    }

    @Test func clearingEndsTransactionsAndTellsListeners() throws {
        let database = try TemporaryDatabase(history: .long)
        let engine = database.engine
        let first = try engine.commit([.set("c/a", [:])]).commitTime
        let reads = try engine.beginReading()
        let told = Mutex<[Bool]>([])
        engine.changes.observe { set in told.withLock { $0.append(set.commits == nil) } }
        try engine.clear()
        #expect(told.withLock { $0 } == [true])
        #expect(throws: EngineError.self) { try engine.commit([.set("c/b", [:])], validating: reads) }
        #expect(throws: EngineError.self) { try engine.record("c/a", at: first) }
        #expect(try engine.record("c/a", at: engine.readTime()) == nil)
    }

    /// Restoring gives back every document with its times, as often as wanted, and times in between mean the restored state.
    @Test func restoringUndoesEveryChange() throws {
        try check(count: Rounds.of(200), generate: PastCase.init, shrink: \.simpler) { input in
            let database = try TemporaryDatabase(indexes: input.indexes, history: .long)
            let engine = database.engine
            let model = try input.run(engine)
            // From the last state to the first.
            for state in model.states.reversed() {
                for _ in 0..<2 {
                    let incarnation = try engine.incarnation()
                    try engine.restore(to: state.time)
                    if try engine.incarnation() == incarnation { return "the incarnation is the same" }
                    let found = try PastModel.documents(of: engine)
                    let isSame =
                        found.count == state.documents.count
                        && found.allSatisfy { state.documents[$0.key]?.isIdentical(to: $0.value) ?? false }
                    for later in model.states where later.time > state.time {
                        let past = try PastModel.documents(of: engine, named: later.documents.keys, at: later.time)
                        if past.count != later.documents.keys.filter({ state.documents[$0] != nil }).count {
                            return "the undone state of \(later.time) can be read"
                        }
                    }
                    if !isSame { return "restored to \(state.time): \(found.keys), was \(state.documents.keys)" }
                    _ = try engine.commit([.set("c/other", ["n": 1]), Write("c/a1", .delete)])
                }
            }
            let report = try engine.verify()
            return report.problemCount == 0 ? nil : "\(report.problems)"
        }
    }
}

extension CollectionPath {
    fileprivate static let c = CollectionPath(ResourcePath(segments: ["c"]))
}
