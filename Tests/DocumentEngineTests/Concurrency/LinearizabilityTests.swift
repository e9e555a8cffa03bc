// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import LMDB
import TestSupport
import Testing

/// Random concurrent commits and reads are linearizable: they equal those of a plain dictionary, one after another
/// (W-5, W-32).
@Suite struct LinearizabilityTests {
    @Test func severalTasks() async throws {
        let seed = SeededGenerator.printingSeed().seed
        let database = try TemporaryDatabase()
        let history = try await Self.run(clients: 8, each: 150, database.engine, seed: seed)
        #expect(history.events.count == 8 * 150)
        #expect(history.contradiction() == nil)
    }

    @Test func twoProcesses() async throws {
        let seed = SeededGenerator.printingSeed().seed
        let database = try TemporaryDatabase()
        let path = database.path
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String, seed = seed as UInt64] in
                var options = Engine.Options()
                options.durability = .mayLoseDatabase
                let engine = try Engine.open(path, options)
                // Both processes have started. Otherwise they would work one after the other.
                _ = try engine.commit([.set("ready/child", [:])])
                try await wait(for: "the parent's beginning") { try engine.document("ready/parent") != nil }
                let history = try await LinearizabilityTests.run(clients: 4, each: 150, engine, seed: seed &+ 1_000)
                try JSONEncoder().encode(history).write(to: URL(filePath: path + ".history"))
            }
        }()
        // Tests that wait for processes may occupy all threads of Swift's pool, and the child waits for this answer.
        let engine = database.engine
        Thread.detachNewThread {
            while (try? engine.document("ready/child")) == nil { usleep(200) }
            _ = try? engine.commit([.set("ready/parent", [:])])
        }
        try await wait(for: "the child's beginning") { try engine.document("ready/parent") != nil }
        var history = try await Self.run(clients: 4, each: 150, database.engine, seed: seed)
        await other
        let file = URL(filePath: path + ".history")
        let childs = try JSONDecoder().decode(History.self, from: Data(contentsOf: file))
        let overlap = childs.events.filter { $0.start < history.events.map(\.end).max()! }.count
        print("twoProcesses: \(overlap) of the child's \(childs.events.count) calls while the parent was at work")
        history.events += childs.events
        #expect(history.events.count == 2 * 4 * 150)
        #expect(history.contradiction() == nil)
    }

    /// Checks the checker: it rejects impossible histories.
    @Test func contradictionsAreSeen() {
        func event(
            _ start: UInt64, _ end: UInt64, _ action: History.Event.Action, _ answer: History.Event.Answer
        ) -> History.Event { History.Event(start: start, end: end, action: action, answer: answer) }
        let one = History.Write(document: 0, operation: .increment("a", 1), precondition: nil)
        func document(_ value: Int64, _ time: Int64) -> History.Event.Answer {
            .document(.init(fields: ["a": value], createTime: 10, updateTime: time))
        }
        let first = event(1, 5, .commit([one]), .committed(10, [10]))
        let second = event(2, 6, .commit([one]), .committed(20, [20]))
        func contradicts(_ events: History.Event...) -> Bool {
            History(events: [first, second] + events).contradiction() != nil
        }
        #expect(!contradicts(event(3, 4, .read(0), .document(nil))))
        #expect(!contradicts(event(3, 4, .read(0), document(1, 10))))
        #expect(!contradicts(event(7, 8, .read(0), document(2, 20))))
        // Lost, stale, invented, in the wrong order.
        #expect(contradicts(event(7, 8, .read(0), document(1, 20))))
        #expect(contradicts(event(7, 8, .read(0), document(1, 10))))
        #expect(contradicts(event(0, 0, .read(0), document(1, 10))))
        #expect(contradicts(event(7, 8, .commit([one]), .committed(15, [15]))))
        #expect(contradicts(event(7, 8, .commit([one]), .refused(5))))
    }

    private static func run(
        clients: Int, each count: Int, _ engine: Engine, seed: UInt64
    ) async throws -> History {
        try await withThrowingTaskGroup(of: History.self) { group in
            for number in 0..<clients {
                group.addTask {
                    var client = Client(engine, seed: seed &+ UInt64(number))
                    try await client.run(count)
                    return client.history
                }
            }
            var history = History()
            for try await part in group { history.events += part.events }
            return history
        }
    }
}
