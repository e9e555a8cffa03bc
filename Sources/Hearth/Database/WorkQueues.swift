// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import Foundation
internal import Synchronization

/// The queues on which a database works, so that no thread of Swift's cooperative pool waits for the disk.
///
/// Invariants:
/// - Writes are applied in the order in which they were requested, whatever their form. The engine's commit queue
///   ensures this; `calls` ensures it for calls made before the file is open.
/// - A read sees the writes with a callback that were requested before it, which nobody has awaited. Other writes do
///   not delay it.
/// - Code of the caller does not run on these queues. Blocks of transactions run on ``TransactionThreads``.
final class WorkQueues: Sendable {
    /// Calls with a callback, until the file is open.
    let calls = DispatchQueue(label: "hearth.calls")
    let reads = DispatchQueue(label: "hearth.reads", attributes: .concurrent)
    /// Imports and index changes, one after another.
    let maintenance = DispatchQueue(label: "hearth.maintenance")
    /// Resumes index builds of earlier programs. Nobody waits for it but who ends the database.
    let builds = DispatchQueue(label: "hearth.builds")
    /// Delivers commits to listeners.
    let listeners = DispatchQueue(label: "hearth.listeners")
    let conflicts = ConflictLock()
    /// The number of calls on `calls`.
    private let waitingCalls = Atomic<Int>(0)
    /// The number of unfinished writes with a callback.
    let unawaitedWrites = Atomic<Int>(0)
    /// The number of unfinished maintenance calls with a callback.
    let unawaitedMaintenance = Atomic<Int>(0)

    /// Whether no earlier call is one that a read must see.
    var isIdle: Bool { waitingCalls.load(ordering: .sequentiallyConsistent) == 0 && !hasUnawaited }

    /// Whether a call with a callback is unfinished.
    private var hasUnawaited: Bool {
        // See ``Database/Shared/isConnected``.
        @inline(never) @_effects(releasenone)
        get {
            unawaitedWrites.load(ordering: .sequentiallyConsistent) > 0
                || unawaitedMaintenance.load(ordering: .sequentiallyConsistent) > 0
        }
    }

    /// Runs `body` after the calls that wait for the file to open, or now if there are none and `isOpen` is true.
    func afterCalls(_ isOpen: Bool, _ body: @escaping @Sendable () -> Void) {
        if isOpen, waitingCalls.load(ordering: .sequentiallyConsistent) == 0 { return body() }
        waitingCalls.add(1, ordering: .sequentiallyConsistent)
        calls.async { [self] in
            body()
            waitingCalls.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Waits for the calls that wait for the file to open.
    func waitForCalls() {
        if waitingCalls.load(ordering: .sequentiallyConsistent) > 0 { calls.sync {} }
    }

    /// Runs `body`, which must not block, when the calls with a callback so far are finished.
    func afterUnawaited(_ database: Database, _ body: @escaping @Sendable () -> Void) {
        if unawaitedMaintenance.load(ordering: .sequentiallyConsistent) > 0 {
            maintenance.async { self.afterUnawaitedWrites(database, body) }
        } else {
            afterUnawaitedWrites(database, body)
        }
    }

    private func afterUnawaitedWrites(_ database: Database, _ body: @escaping @Sendable () -> Void) {
        guard unawaitedWrites.load(ordering: .sequentiallyConsistent) > 0 else { return body() }
        afterCalls(database.openEngine != nil) {
            if let client = database.openClient { return client.afterCalls(body) }
            guard let engine = database.openEngine else { return body() }
            engine.whenCommitted(body)
        }
    }

    /// Runs `body`, which must not block, when the commits and the calls with a callback so far are finished.
    func afterCommits(_ database: Database, _ body: @escaping @Sendable () -> Void) {
        afterUnawaited(database) {
            self.afterCalls(database.openEngine != nil) {
                guard let engine = database.openEngine else { return body() }
                engine.whenCommitted(body)
            }
        }
    }

    /// Waits for the calls with a callback so far.
    func waitForUnawaited(_ database: Database) {
        if hasUnawaited { wait(for: database, WorkQueues.afterUnawaited) }
    }

    /// Waits for the writes with a callback so far. For the maintenance queue, which may block.
    func waitForUnawaitedWrites(_ database: Database) {
        guard unawaitedWrites.load(ordering: .sequentiallyConsistent) > 0 else { return }
        wait(for: database, WorkQueues.afterUnawaitedWrites)
    }

    // Not inlined: callers would count references to what the waiting needs, for the few reads that wait.
    @inline(never)
    private func wait(
        for database: Database, _ after: (WorkQueues) -> (Database, @escaping @Sendable () -> Void) -> Void
    ) {
        let isDone = DispatchSemaphore(value: 0)
        after(self)(database) { isDone.signal() }
        isDone.wait()
    }
}
