// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Synchronization

    /// Those who want to hear of something, such as Listen streams of new rules.
    final class Observers: Sendable {
        private struct State {
            var observers: [UInt64: @Sendable () -> Void] = [:]
            var count: UInt64 = 0
        }

        private let state = Mutex(State())

        /// Calls `observer` on any thread, until ``remove(_:)``. It must not wait.
        func add(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
            state.withLock { state in
                state.count += 1
                state.observers[state.count] = observer
                return state.count
            }
        }

        func remove(_ id: UInt64) { state.withLock { _ = $0.observers.removeValue(forKey: id) } }

        func notify() {
            for observer in state.withLock({ $0.observers.values }) { observer() }
        }
    }
#endif
