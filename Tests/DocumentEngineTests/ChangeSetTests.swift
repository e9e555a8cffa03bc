// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

@Suite struct ChangeSetTests {
    /// The changes that an observer received.
    private final class Told: Sendable {
        private let sets = Mutex<[ChangeSet]>([])

        init(_ engine: Engine) {
            engine.changes.observe { [self] set in sets.withLock { $0.append(set) } }
        }

        func take() -> [ChangeSet] {
            sets.withLock { sets in
                defer { sets = [] }
                return sets
            }
        }
    }

    private let database: TemporaryDatabase
    private var engine: Engine { database.engine }

    init() throws { database = try TemporaryDatabase() }

    @Test func listsWhatACommitChanged() throws {
        let told = Told(engine)
        let first = try engine.commit([.set("c/a", ["n": 1]), .set("c/b", ["n": 1])])
        let second = try engine.commit([
            .set("c/a", ["n": 2]), .set("c/b", ["n": 1]), Write("c/missing", .delete), Write("c/b", .delete),
        ])
        let sets = told.take()
        #expect(
            sets.map { $0.commits?.flatMap(Self.text) } == [
                ["c/a: nil to 1", "c/b: nil to 1"], ["c/a: 1 to 2", "c/b: 1 to nil"],
            ])
        #expect(sets.map(\.commitTime) == [first.commitTime, second.commitTime])
        #expect(sets[1].transactionID == sets[0].transactionID + 1)
        #expect(sets[1].commits?[0][0].new?.createTime == first.commitTime)
        #expect(sets[1].commits?[0][0].new?.updateTime == second.commitTime)
        #expect(try engine.recordAndState("c/a").transactionID == sets[1].transactionID)
    }

    /// An observer receives commits that share a transaction one by one, even if the last one undoes the others.
    @Test func commitsThatShareATransactionAreToldOneByOne() throws {
        _ = try engine.commit([.set("c/b", ["n": 0])])
        let told = Told(engine)
        let done = DispatchSemaphore(value: 0)
        let before = engine.lastTransactionID
        try engine.write { (_, _, _) throws(EngineError) in
            // On another thread, because a write inside a write is a programming error.
            DispatchQueue.global().sync {
                for writes: [Write] in [
                    [.set("c/a", ["n": 1])], [Write("c/missing", .delete, precondition: .exists(true))],
                    [.set("c/a", ["n": 2]), .set("c/b", ["n": 1]), .set("c/a", ["n": 3])],
                    [.set("c/x", ["n": 1]), Write("c/x", .delete)],
                    [Write("c/a", .delete), .set("c/b", ["n": 0])],
                ] { engine.commit(writes) { _ in done.signal() } }
            }
        }
        for _ in 0..<5 { done.wait() }
        let sets = told.take()
        #expect(sets.map(\.transactionID) == [before + 1, before + 2])
        #expect(
            sets.last?.commits?.map(Self.text) == [
                ["c/a: nil to 1"], ["c/a: 1 to 3", "c/b: 0 to 1"], ["c/a: 3 to nil", "c/b: 1 to 0"],
            ])
    }

    /// A document that exists neither before nor after.
    @Test func whatComesAndGoesInATransactionIsTold() throws {
        let told = Told(engine)
        let done = DispatchSemaphore(value: 0)
        try engine.write { (_, _, _) throws(EngineError) in
            DispatchQueue.global().sync {
                engine.commit([.set("c/a", ["n": 1])]) { _ in done.signal() }
                engine.commit([Write("c/a", .delete)]) { _ in done.signal() }
            }
        }
        for _ in 0..<2 { done.wait() }
        #expect(told.take().last?.commits?.map(Self.text) == [["c/a: nil to 1"], ["c/a: 1 to nil"]])
    }

    @Test func aRefusedCommitIsNotTold() throws {
        let told = Told(engine)
        #expect(throws: EngineError.self) {
            try engine.commit([.set("c/a", [:]), Write("c/b", .delete, precondition: .exists(true))])
        }
        #expect(told.take().isEmpty)
    }

    /// The depth of the stack shows whether something accumulates between the feed and its observer.
    @Test func tellingCostsTheSameAfterManyCommits() throws {
        let depths = Mutex<[Int]>([])
        engine.changes.observe { set in
            let here = 0
            let depth = withUnsafePointer(to: here) { Int(bitPattern: $0) }
            depths.withLock { $0.append(depth) }
        }
        for number in 0..<50 { _ = try engine.commit([.set("c/a", ["n": .integer(Int64(number))])]) }
        #expect(Set(depths.withLock { $0 }).count == 1)
    }

    /// The map is so small that commits run twice.
    @Test func aCommitThatRunsAgainIsToldOnce() throws {
        let directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.mapSize = 256 << 10
        let engine = try Engine.open(directory.path("test.db"), options)
        let told = Told(engine)
        let mapSize = engine.environment.info.mapSize
        for number in 0..<40 {
            let text = String(repeating: "x", count: 20_000)
            _ = try engine.commit([
                .set(DocumentPath(ResourcePath(segments: ["c", Text("\(number)")])), ["s": .string(Text(text))])
            ])
        }
        #expect(engine.environment.info.mapSize > mapSize)
        #expect(told.take().map { $0.commits?.map(\.count) } == Array(repeating: [1], count: 40))
    }

    @Test(arguments: [10_000, 10_001]) func tooManyChangesAreNotListed(_ count: Int) throws {
        let told = Told(engine)
        _ = try engine.commit(
            (0..<count).map { .set(DocumentPath(ResourcePath(segments: ["c", Text("\($0)")])), [:]) })
        #expect(told.take().map { $0.commits?.map(\.count) } == [count <= 10_000 ? [count] : nil])
    }

    @Test func loadsAndIndexChangesAreNotListed() throws {
        let told = Told(engine)
        var documents: [(path: DocumentPath, fields: Fields)] = [("c/a", ["n": 1])]
        _ = try engine.load(next: { documents.popLast() }, reject: { _, _ in })
        let load = told.take()
        #expect(load.last?.commits == nil && !load.isEmpty)
        try engine.apply(IndexConfiguration(), prune: true)
        #expect(told.take().map { $0.commits == nil } == [true])
    }

    @Test func nothingIsToldWithoutAnObserver() throws {
        let told = Told(engine)
        engine.changes.observe(nil)
        _ = try engine.commit([.set("c/a", [:])])
        #expect(told.take().isEmpty)
    }

    private static func text(_ changes: [DocumentChange]) -> [String] {
        changes.map { change in
            let values = [change.old, change.new].map { document in
                if case .integer(let n)? = document?.fields["n" as Text] { "\(n)" } else { "nil" }
            }
            return "\(change.path): \(values[0]) to \(values[1])"
        }
    }
}
