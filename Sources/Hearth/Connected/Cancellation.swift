// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Ends a call to the client early, when the task that awaits it is cancelled.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var ends: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func requireWaiting() throws(FirestoreError) {
        if isCancelled { throw .taskWasCancelled }
    }

    /// Adds what to end. It ends now if the task was cancelled before.
    func whenCancelled(_ end: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.ends.append(end) }
            return state.isCancelled
        }
        if isLate { end() }
    }

    func cancel() {
        let ends = state.withLock { state in
            defer { state.ends = [] }
            state.isCancelled = true
            return state.ends
        }
        for end in ends { end() }
    }

    /// Blocks the calling thread, as long as the task is not cancelled.
    func sleep(seconds: Double) {
        let isCancelled = DispatchSemaphore(value: 0)
        whenCancelled { isCancelled.signal() }
        _ = isCancelled.wait(timeout: .now() + seconds)
    }
}

extension FirestoreError {
    /// What a block of a transaction is told whose caller waits no longer.
    static var taskWasCancelled: FirestoreError {
        FirestoreError(.cancelled, "The task that awaits this was cancelled.")
    }
}
