// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentEngine
import DocumentModel
import Foundation
import LMDB
import ReplicaStore
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// When a client forgets what it has not used for long.
@Suite struct CollectionTimeTests {
    /// What was to run later, and when. It runs when a test says so.
    private final class Plan: Sendable {
        private let items = Mutex<[(milliseconds: Int, work: @Sendable () -> Void)]>([])

        var schedule: SyncClient.Schedule {
            { [self] _, milliseconds, work in
                items.withLock { $0.append((milliseconds, work)) }
                return {}
            }
        }

        /// The waits of more than half a minute, which are those of collections.
        var waits: [Int] { items.withLock { $0.map(\.milliseconds).filter { $0 > 30_000 } } }

        func runLast(on queue: DispatchQueue) {
            let last = items.withLock { $0.last { $0.milliseconds > 30_000 }?.work }
            queue.sync { last?() }
        }
    }

    private func client(_ plan: Plan, _ cache: any LocalCacheSettings, _ directory: TemporaryDirectory) throws
        -> SyncClient
    {
        let settings = Sample.settings
        settings.cacheSettings = cache
        var options = Engine.Options()
        options.identity = FakeServer.database
        options.durability = .mayLoseDatabase
        return try SyncClient(
            EngineReplica(directory.path("r.db"), options), try FakeServer().remote, settings.values, { _, _ in },
            schedule: plan.schedule)
    }

    @Test func everyFiveMinutesAfterTheFirst() throws {
        let directory = try TemporaryDirectory()
        let plan = Plan()
        let client = try client(plan, PersistentCacheSettings(), directory)
        client.queue.sync {}
        #expect(plan.waits == [60_000])
        plan.runLast(on: client.queue)
        #expect(plan.waits == [60_000, 300_000])
        plan.runLast(on: client.queue)
        #expect(plan.waits == [60_000, 300_000, 300_000])
        client.stop()
        plan.runLast(on: client.queue)
        #expect(plan.waits.count == 3, "nothing follows the end")
    }

    @Test func cachesWithoutALimitAreNeverCollected() throws {
        let directory = try TemporaryDirectory()
        for (name, cache) in [
            ("unlimited", PersistentCacheSettings(sizeBytes: -1) as any LocalCacheSettings),
            ("eager", MemoryCacheSettings()),
        ] {
            let plan = Plan()
            let client = try client(plan, cache, directory)
            client.queue.sync {}
            #expect(plan.waits.isEmpty, "\(name)")
            client.stop()
        }
    }
}
