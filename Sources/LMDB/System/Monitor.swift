// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// State under a lock, with a condition to wait for, which `Mutex` does not have.
// Unchecked: the compiler cannot see that `state` is used only between lock and unlock.
@safe
final class Monitor<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Waits until `isReady` holds, then runs `body` under the same lock.
    func wait<R, E: Error>(
        until isReady: (State) -> Bool, then body: (inout State) throws(E) -> R
    ) throws(E) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isReady(state) { unsafe pthread_cond_wait(condition, mutex) }
        return try body(&state)
    }

    func wakeAll() {
        unsafe pthread_cond_broadcast(condition)
    }
}
