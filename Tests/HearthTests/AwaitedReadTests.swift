// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Awaited reads that are answered without a change of threads.
@Suite struct AwaitedReadTests {
    /// Runs each piece of a task's work on one thread, and counts the pieces.
    private final class CountingExecutor: TaskExecutor {
        let jobs = Atomic<Int>(0)
        private let queue = DispatchQueue(label: "counting executor")

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.add(1, ordering: .relaxed)
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private let sizes = [0, 10, 1_000, 3_000, 20_000, 60_000, 900_000]

    private func filled() async throws -> Database {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        let database = try await Database.open(path: "", settings: settings)
        for (number, size) in sizes.enumerated() {
            let text = String(repeating: "x", count: size)
            try await database.document("documents/\(number)").setData(["number": number, "text": text])
        }
        return database
    }

    @Test func theyGiveWhatBlockingReadsGive() async throws {
        let database = try await filled()
        for number in -1...sizes.count {
            let reference = database.document("documents/\(number)")
            let expected = try await Task.detached { try blocking { try reference.sync.getDocument() } }.value
            for _ in 0..<2 { #expect(try await reference.getDocument() == expected) }
        }
        #expect(try await database.document("others/1").getDocument().exists == false)
    }

    /// A suspended task is enqueued again, so that the executor counts how often a read suspended.
    @Test func whatLiesInMemoryDoesNotSuspend() async throws {
        guard try tellsWhatIsInMemory() else { return }
        let database = try await filled()
        _ = try await database.document("documents/0").getDocument()
        let executor = CountingExecutor()
        let found = try await Task(executorPreference: executor) {
            let before = executor.jobs.load(ordering: .relaxed)
            var sum = 0
            for number in (0..<4).flatMap({ _ in 0..<5 }) {
                sum += try await database.document("documents/\(number)").getDocument().get("number", as: Int.self) ?? 0
            }
            return (sum, executor.jobs.load(ordering: .relaxed) - before)
        }.value
        #expect(found.0 == 40)
        #expect(found.1 == 0)
    }

    /// Also while the disk is slow: nobody has awaited the write.
    @Test func theySeeWritesWithACallbackBeforeThem() async throws {
        let database = try await filled()
        let counter = database.document("documents/counter")
        for number in 0..<200 {
            counter.setData(["number": number]) { _ in }
            #expect(try await counter.getDocument()["number"] as? Int == number)
        }
    }

    @Test func usersAreJudged() async throws {
        let database = try await filled()
        let own = database.asUser(.user("alice"))
        await #expect(throws: FirestoreError.self) { _ = try await own.document("documents/1").getDocument() }
    }

    @Test func aTerminatedDatabaseSaysSo() async throws {
        let database = try await filled()
        let document = database.document("documents/1")
        _ = try await document.getDocument()
        try await database.terminate()
        await #expect(throws: FirestoreError.self) { _ = try await document.getDocument() }
    }
}

/// The compiler refuses blocking calls in asynchronous functions.
private func blocking<R>(_ body: () throws -> R) rethrows -> R { try body() }
