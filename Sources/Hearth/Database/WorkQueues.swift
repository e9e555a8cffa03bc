// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import Foundation
internal import Synchronization

/// The threads on which a database works, so that no thread of Swift's pool ever waits for the disk.
///
/// Laws kept here:
/// - Writes are applied in the order in which they were asked for, whatever their form. The engine's commit queue keeps it;
///   `calls` keeps it among calls made before the file is open.
/// - A read sees the writes asked for with a callback before it, which nobody has waited for. Other writes do not hold it up.
/// - No code of the caller's runs on these queues but the blocks of transactions, which run on `transactions`.
final class WorkQueues: Sendable {
    /// Calls with a callback, until the file is open.
    let calls = DispatchQueue(label: "hearth.calls")
    let reads = DispatchQueue(label: "hearth.reads", attributes: .concurrent)
    let transactions = DispatchQueue(label: "hearth.transactions", attributes: .concurrent)
    /// Imports and changes of the indexes, one after another.
    let maintenance = DispatchQueue(label: "hearth.maintenance")
    /// Takes commits to listeners.
    let listeners = DispatchQueue(label: "hearth.listeners")
    let turns = TransactionTurns()
    /// Calls on `calls`.
    private let waitingCalls = Atomic<Int>(0)
    /// Writes asked for with a callback that are not done yet.
    let unawaitedWrites = Atomic<Int>(0)
    /// Maintenance asked for with a callback that is not done yet.
    let unawaitedMaintenance = Atomic<Int>(0)

    /// Runs `body` after the calls that wait for the file to be opened: now, if there are none and `isOpen`.
    func afterCalls(_ isOpen: Bool, _ body: @escaping @Sendable () -> Void) {
        if isOpen, waitingCalls.load(ordering: .sequentiallyConsistent) == 0 { return body() }
        waitingCalls.add(1, ordering: .sequentiallyConsistent)
        calls.async { [self] in
            body()
            waitingCalls.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Waits for the calls that wait for the file to be opened.
    func waitForCalls() {
        if waitingCalls.load(ordering: .sequentiallyConsistent) > 0 { calls.sync {} }
    }

    /// Runs `body`, which must not wait, when what was asked for with a callback so far is done.
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
            guard let engine = database.openEngine else { return body() }
            engine.whenCommitted(body)
        }
    }

    /// Waits for what was asked for with a callback so far.
    func waitForUnawaited(_ database: Database) {
        guard
            unawaitedWrites.load(ordering: .sequentiallyConsistent) > 0
                || unawaitedMaintenance.load(ordering: .sequentiallyConsistent) > 0
        else { return }
        let isDone = DispatchSemaphore(value: 0)
        afterUnawaited(database) { isDone.signal() }
        isDone.wait()
    }

    /// Waits for the writes asked for with a callback so far. For the maintenance queue, which may wait.
    func waitForUnawaitedWrites(_ database: Database) {
        guard unawaitedWrites.load(ordering: .sequentiallyConsistent) > 0 else { return }
        let isDone = DispatchSemaphore(value: 0)
        afterUnawaitedWrites(database) { isDone.signal() }
        isDone.wait()
    }
}
