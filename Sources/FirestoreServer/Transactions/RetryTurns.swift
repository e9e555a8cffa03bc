// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import Synchronization

    /// Lets transactions that repeat an aborted attempt wait for their turns; see ``RetryQueue``.
    final class RetryTurns: Sendable {
        typealias ID = RetryQueue.ID

        private struct State {
            var queue = RetryQueue()
            var waiting: [ID: CheckedContinuation<Void, Never>] = [:]
            var hasTimer = false
        }

        private let state = Mutex(State())
        private let start = ContinuousClock.now

        private var now: Duration { ContinuousClock.now - start }

        /// Returns when the turn has begun. ``leave(_:)`` ends it.
        func enter(_ id: ID, _ footprint: Footprint) async {
            await withCheckedContinuation { continuation in
                let hasTurn = state.withLock { state in
                    if state.queue.enter(id, footprint, at: now) { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if hasTurn { continuation.resume() }
                startTimer()
            }
        }

        func leave(_ id: ID) {
            resume { $0.leave(id, at: now) }
        }

        /// Whether a commit must wait for another transaction's turn.
        func mustYield(_ writes: [Write], by id: ID?) -> Bool {
            state.withLock { $0.queue.mustYield(writes, by: id) }
        }

        private func resume(_ change: (inout RetryQueue) -> [ID]) {
            let continuations = state.withLock { state in
                change(&state.queue).compactMap { state.waiting.removeValue(forKey: $0) }
            }
            for continuation in continuations { continuation.resume() }
        }

        /// Ends the turns of clients that have died.
        private func startTimer() {
            let expiry = state.withLock { state -> Duration? in
                guard !state.hasTimer, let expiry = state.queue.nextExpiry else { return nil }
                state.hasTimer = true
                return expiry
            }
            guard let expiry else { return }
            Task { [weak self, time = start + expiry] in
                try? await Task.sleep(until: time, clock: .continuous)
                guard let self else { return }
                resume { $0.expire(at: self.now) }
                state.withLock { $0.hasTimer = false }
                startTimer()
            }
        }
    }
#endif
