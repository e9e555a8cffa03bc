// SPDX-License-Identifier: Apache-2.0

/// State under a lock, with a condition to wait for, which `Mutex` does not have.
// Unchecked: the compiler cannot see that `state` is used only between lock and unlock.
@safe
final class Monitor<State>: @unchecked Sendable {
    private let condition = System.Condition()
    private var state: State

    init(_ state: State) {
        self.state = state
    }

    deinit { condition.destroy() }

    func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        condition.lock()
        defer { condition.unlock() }
        return try body(&state)
    }

    /// Waits until `isReady` holds, then runs `body` under the same lock.
    func wait<R, E: Error>(
        until isReady: (State) -> Bool, then body: (inout State) throws(E) -> R
    ) throws(E) -> R {
        condition.lock()
        defer { condition.unlock() }
        while !isReady(state) { condition.wait() }
        return try body(&state)
    }

    func wakeAll() {
        condition.wakeAll()
    }
}
