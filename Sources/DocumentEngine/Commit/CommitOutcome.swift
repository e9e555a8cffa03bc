// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import Synchronization

/// The result of a commit, for the thread that waits for it.
final class CommitOutcome: Sendable {
    private struct State: Sendable {
        var result: Result<CommitResult, EngineError>?
        /// Made only by a thread that has to wait: one that led its own commit has the result.
        var waiter: DispatchSemaphore?
    }

    private let state = Mutex(State())

    @Sendable func set(_ new: Result<CommitResult, EngineError>) {
        let waiter = state.withLock { state in
            state.result = new
            return state.waiter
        }
        waiter?.signal()
    }

    func wait() throws(EngineError) -> CommitResult {
        let waiter = state.withLock { state in
            if state.result == nil { state.waiter = DispatchSemaphore(value: 0) }
            return state.waiter
        }
        waiter?.wait()
        guard let result = state.withLock({ $0.result }) else { fatalError("A commit ended without a result.") }
        return try result.get()
    }
}
