// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import Synchronization

    /// Which documents commits have changed, for those who watch.
    final class ChangeNotices: Sendable {
        /// What has changed since the last look.
        enum Changed: Sendable {
            case documents(Set<DocumentPath>)
            /// So many, or not known which.
            case anything

            fileprivate mutating func add(_ changes: ChangeSet) {
                guard case .documents(var paths) = self, let commits = changes.commits else {
                    self = .anything
                    return
                }
                for commit in commits {
                    for change in commit.prefix(ChangeNotices.limit + 1) { paths.insert(change.path) }
                    guard paths.count <= ChangeNotices.limit else {
                        self = .anything
                        return
                    }
                }
                self = .documents(paths)
            }
        }

        private struct Watcher {
            let signal: AsyncStream<Void>.Continuation
            var pending = Changed.documents([])
        }

        private struct State {
            var watchers: [UInt64: Watcher] = [:]
            var count: UInt64 = 0
        }

        private let state = Mutex(State())
        private let isWatched = Atomic(false)

        /// The documents of a notice.
        private static let limit = 100

        func tell(_ changes: ChangeSet) {
            guard isWatched.load(ordering: .relaxed) else { return }
            let signals = state.withLock { state in
                for id in state.watchers.keys { state.watchers[id]?.pending.add(changes) }
                return state.watchers.values.map(\.signal)
            }
            // Not under the lock: this wants the locks of the watchers' tasks, which others have while they cancel them.
            for signal in signals { signal.yield() }
        }

        /// Passes on that anything may have changed, and from then on what changes, at most once in each `pause`, until the task is
        /// cancelled.
        func watch(every pause: Duration, _ body: (Changed) -> Void) async {
            let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let id = state.withLock { state in
                state.count += 1
                state.watchers[state.count] = Watcher(signal: continuation)
                isWatched.store(true, ordering: .relaxed)
                return state.count
            }
            body(.anything)
            for await _ in signals {
                body(take(id))
                try? await Task.sleep(for: pause)
            }
            state.withLock { state in
                state.watchers[id] = nil
                isWatched.store(!state.watchers.isEmpty, ordering: .relaxed)
            }
        }

        private func take(_ id: UInt64) -> Changed {
            state.withLock { state in
                defer { state.watchers[id]?.pending = .documents([]) }
                return state.watchers[id]?.pending ?? .anything
            }
        }
    }
#endif
