// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

/// Commits that share a transaction keep their own results, times and refusals.
@Suite struct CommitQueueTests {
    private let database: TemporaryDatabase
    private var engine: Engine { database.engine }
    private let counter: DocumentPath = "c/counter"

    init() throws {
        database = try TemporaryDatabase()
    }

    private func path(_ number: Int) -> DocumentPath {
        DocumentPath(ResourcePath(segments: ["c", Text("\(number)")]))
    }

    private func increment(_ path: DocumentPath) -> Write {
        Write(path, .update(.empty, mask: [], transforms: [FieldTransform(FieldPath(["n"]), .increment(.integer(1)))]))
    }

    /// Commits that arrive during another write transaction are written together after it, in one LMDB transaction.
    private func together(_ commits: [[Write]]) throws -> [Result<CommitResult, EngineError>] {
        let results = Mutex([Result<CommitResult, EngineError>?](repeating: nil, count: commits.count))
        let done = DispatchSemaphore(value: 0)
        try engine.write { (_, _, _) throws(EngineError) in
            // On another thread, because a write inside a write is a programming error.
            DispatchQueue.global().sync {
                for (index, writes) in commits.enumerated() {
                    engine.commit(writes) { result in
                        results.withLock { $0[index] = result }
                        done.signal()
                    }
                }
            }
        }
        for _ in commits { done.wait() }
        return results.withLock { $0.map { $0! } }
    }

    @Test func waitingCommitsShareATransaction() throws {
        let before = engine.environment.info.lastTransactionID
        let told = Mutex<[[Int]?]>([])
        engine.changes.observe { set in told.withLock { $0.append(set.commits?.map(\.count)) } }
        let results = try together((0..<100).map { [.set(path($0), ["n": .integer(Int64($0))]), increment(counter)] })
        // One commit is that of the other write transaction.
        #expect(engine.environment.info.lastTransactionID == before + 2)
        #expect(told.withLock { $0 } == [[], Array(repeating: 2, count: 100)])
        let times = try results.map { try $0.get().commitTime }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        for (index, time) in times.enumerated() {
            let document = try #require(try engine.document(path(index)))
            #expect(document.updateTime == time && document.createTime == time)
        }
        let sums = try results.map { try $0.get().results[1].transformResults[0] }
        #expect(sums == (1...100).map { .integer($0) })
        let document = try #require(try engine.document(counter))
        #expect(document.createTime == times.first && document.updateTime == times.last)
        #expect(document.fields["n" as Text] == .integer(100))
    }

    /// A refused commit leaves nothing, not even a new collection's number, and does not affect others.
    @Test func aRefusedCommitHarmsNobody() throws {
        _ = try engine.commit([.set("c/1", ["n": .integer(0)])])
        let results = try together([
            [increment("c/1")],
            [
                .set("c/2", ["n": .integer(1)]), increment("c/1"),
                Write("new/1", .delete, precondition: .exists(true)),
            ],
            [.set("c/3", [:]), Write("c/2", .update([:], mask: nil, transforms: []), precondition: .exists(false))],
            [
                Write("c/3", .delete),
                Write("c/3", .update(["x": .null], mask: nil, transforms: []), precondition: .exists(false)),
            ],
            [increment("c/1"), Write("c/1", .verify, precondition: .updateTime(Timestamp(microseconds: 7)!))],
            [increment("c/1")],
        ])
        let codes = results.map { result -> StatusCode? in
            if case .failure(let error) = result { error.status } else { nil }
        }
        #expect(codes == [nil, .notFound, nil, nil, .failedPrecondition, nil])
        #expect(try engine.document("c/1")?.fields["n" as Text] == .integer(2))
        #expect(try engine.document("c/2")?.fields == .empty)
        let thirdTime = try results[3].get().commitTime
        let third = try #require(try engine.document("c/3"))
        #expect(third.fields["x" as Text] == .null)
        #expect(third.createTime == thirdTime)
        #expect(try engine.collectionIDs(under: nil) == ["c"])
    }

    /// An LMDB failure that occurs while the stores change aborts the shared transaction. The other commits run again
    /// alone.
    @Test func aFailureEndsOnlyItsOwnCommit() throws {
        _ = try engine.commit([.set("c/damaged", ["a": .integer(1)]), .set("c/sound", ["a": .integer(1)])])
        try removeEntries(of: "c/damaged")
        database.verifiesAtEnd = false
        let results = try together([
            [.set("c/sound", ["a": .integer(2)])], [Write("c/damaged", .delete)], [.set("c/new", ["a": .integer(3)])],
        ])
        guard case .failure(.damaged) = results[1] else {
            Issue.record("the damage was not noticed: \(results[1])")
            return
        }
        #expect(throws: Never.self) { _ = try (results[0].get(), results[2].get()) }
        #expect(try engine.document("c/sound")?.fields["a" as Text] == .integer(2))
        #expect(try engine.document("c/damaged") != nil)
        let report = try engine.verify()
        #expect(report.problems.first == "c/damaged lacks an index entry", "\(report.problems)")
    }

    private func removeEntries(of path: DocumentPath) throws {
        let id = Array("damaged".utf8)
        try engine.environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            let cursor = try cursors.open(engine.stores.fieldEntries)
            while try cursors.next(cursor) {
                let key = [UInt8](copying: cursors.key(cursor))
                if key.count > id.count, Array(key.dropLast().suffix(id.count)) == id { try cursors.delete(cursor) }
            }
        }
    }

    /// Blocking callers on many threads and callers that do not wait, at the same time: every commit is applied once,
    /// in order.
    @Test func manyThreads() throws {
        let done = DispatchGroup()
        let engine = engine
        let write = increment(counter)
        for thread in 0..<16 {
            DispatchQueue(label: "test.\(thread)").async(group: done) {
                for number in 0..<50 {
                    if (number + thread) % 2 == 0 {
                        _ = try! engine.commit([write])
                    } else {
                        done.enter()
                        engine.commit([write]) { _ in done.leave() }
                    }
                }
            }
        }
        done.wait()
        #expect(try engine.document(counter)?.fields["n" as Text] == .integer(16 * 50))
    }

    @Test func aBarrierComesAfterWhatWasAskedBefore() throws {
        let count = Mutex(0)
        let seen = Mutex(-1)
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<20 { engine.commit([increment(counter)]) { _ in count.withLock { $0 += 1 } } }
        engine.whenCommitted {
            seen.withLock { $0 = count.withLock { $0 } }
            done.signal()
        }
        done.wait()
        #expect(seen.withLock { $0 } == 20)
    }

    /// Also after one that is running, when nothing else waits.
    @Test func barriersRunOneAfterAnother() {
        let queue = CommitQueue()
        let order = Mutex<[Int]>([])
        #expect(queue.add(CommitQueue.Member(writes: [], deliver: { _ in })))
        queue.whenDone {
            queue.whenDone { order.withLock { $0.append(2) } }
            order.withLock { $0.append(1) }
        }
        #expect(queue.next(commitDelay: 0)?.count == 1)
        #expect(queue.next(commitDelay: 0) == nil)
        #expect(order.withLock { $0 } == [1, 2])
        queue.whenDone { order.withLock { $0.append(3) } }
        #expect(order.withLock { $0 } == [1, 2, 3])
    }

    /// A commit without changes writes nothing, and its time does not go back.
    @Test func whatChangesNothingIsNotWritten() throws {
        let first = try engine.commit([.set("c/1", ["a": .integer(1)])])
        let before = engine.environment.info.lastTransactionID
        let second = try engine.commit([.set("c/1", ["a": .integer(1)]), Write("c/1", .verify), Write("c/2", .delete)])
        #expect(engine.environment.info.lastTransactionID == before)
        #expect(second.commitTime > first.commitTime)
        #expect(second.results[0].updateTime == first.commitTime)
    }

    /// Simulates a clock that was an hour ahead when a commit changed nothing, and was corrected afterwards.
    @Test func aCommitIsLaterThanOneThatChangedNothing() throws {
        let ahead = System.now() + 3_600_000_000
        engine.scheduler.lastCommitTime.store(ahead, ordering: .relaxed)
        let first = try engine.commit([Write("c/2", .delete)])
        let second = try engine.commit([.set("c/1", ["a": .integer(1)])])
        #expect(first.commitTime > Timestamp(microseconds: Int64(ahead))!)
        #expect(second.commitTime > first.commitTime)
    }

    @Test func writingInsideARead() async {
        await #expect(processExitsWith: .failure) {
            let database = try TemporaryDatabase()
            _ = try database.engine.read { (_) throws(EngineError) in
                try database.engine.commit([.set("a/b", [:])])
            }
        }
    }
}
