// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Synchronization

    /// Tells those who wait for a change of some state that it has changed. Read ``count``, then look at the state, then wait.
    final class Wakeups: Sendable {
        private struct State {
            var count: UInt64 = 0
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var count: UInt64 { state.withLock { $0.count } }

        /// Returns once there was a change after `count`, or the task is cancelled.
        func wait(after count: UInt64) async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        if state.count != count || Task.isCancelled { return true }
                        state.waiting.append(continuation)
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                wake()
            }
        }

        func wake() {
            let waiting = state.withLock { state in
                state.count += 1
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }
#endif
