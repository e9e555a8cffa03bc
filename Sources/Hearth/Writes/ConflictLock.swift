// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs transactions side by side until two conflict. The one that must repeat then runs alone, so that any number of
/// transactions on one document succeed within their few attempts.
///
/// It is a shared and exclusive lock with a timeout: a transaction that has waited for a second continues without it.
/// Blocks should not wait for each other, but if they do, there is no deadlock.
final class ConflictLock: @unchecked Sendable {  // The condition guards the mutable state.
    private let condition = NSCondition()
    private var sharedCount = 0
    private var isExclusive = false
    private var waitingForExclusive = 0

    /// Whether this thread runs a transaction's block, in which another transaction must not wait for the lock.
    @TaskLocal private static var isInside = false

    func run<R>(alone: Bool, _ body: () throws -> R) rethrows -> R {
        guard !ConflictLock.isInside else { return try body() }
        let isGranted = alone ? beginExclusive() : beginShared()
        defer { if isGranted { end(alone: alone) } }
        return try ConflictLock.$isInside.withValue(true, operation: body)
    }

    /// Transactions that wait to run alone come first.
    private func beginShared() -> Bool {
        wait(while: { isExclusive || waitingForExclusive > 0 }, then: { sharedCount += 1 })
    }

    private func beginExclusive() -> Bool {
        condition.withLock { waitingForExclusive += 1 }
        defer {
            condition.withLock {
                waitingForExclusive -= 1
                condition.broadcast()
            }
        }
        return wait(while: { isExclusive || sharedCount > 0 }, then: { isExclusive = true })
    }

    /// False if a second was not enough.
    private func wait(while isBlocked: () -> Bool, then enter: () -> Void) -> Bool {
        condition.withLock {
            let limit = Date(timeIntervalSinceNow: 1)
            while isBlocked() {
                guard condition.wait(until: limit) else { return false }
            }
            enter()
            return true
        }
    }

    private func end(alone: Bool) {
        condition.withLock {
            if alone { isExclusive = false } else { sharedCount -= 1 }
            condition.broadcast()
        }
    }
}
