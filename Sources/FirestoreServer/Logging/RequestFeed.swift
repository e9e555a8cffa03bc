// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Synchronization

    /// A request that has ended, for those who watch.
    struct WatchedRequest: Sendable {
        /// Counted from 1.
        let number: UInt64
        /// When it began, by the machine's clock.
        let time: Timestamp
        /// `Commit`, `POST /v1/…:commit`.
        let method: String
        let status: StatusCode
        let duration: Duration
        let done: RequestRecord.Done
    }

    /// The last requests that ended while somebody watched.
    final class RequestFeed: Sendable {
        private struct State {
            var latest: [WatchedRequest] = []
            var count: UInt64 = 0
            var watchers: [UInt64: AsyncStream<WatchedRequest>.Continuation] = [:]
            var watcherCount: UInt64 = 0
        }

        private let state = Mutex(State())
        private let keeps: Bool
        private let isOn: Atomic<Bool>

        /// Requests that are kept for those who come later, and that may wait for one who reads slowly. Older ones are lost.
        static let capacity = 200

        /// - Parameter keeps: whether to keep requests also while nobody watches.
        init(keeps: Bool) {
            self.keeps = keeps
            isOn = Atomic(keeps)
        }

        /// Whether requests have to be added.
        var isWatched: Bool { isOn.load(ordering: .relaxed) }

        func add(
            _ method: String, at time: Timestamp, _ duration: Duration, _ status: StatusCode, _ record: RequestRecord
        ) {
            state.withLock { state in
                state.count += 1
                let request = WatchedRequest(
                    number: state.count, time: time, method: method, status: status, duration: duration,
                    done: record.done)
                if state.latest.count == RequestFeed.capacity { state.latest.removeFirst() }
                state.latest.append(request)
                for watcher in state.watchers.values { watcher.yield(request) }
            }
        }

        /// The last requests, and those to come until the task ends that reads them.
        func watch() -> (latest: [WatchedRequest], next: AsyncStream<WatchedRequest>) {
            let (stream, continuation) = AsyncStream.makeStream(
                of: WatchedRequest.self, bufferingPolicy: .bufferingNewest(RequestFeed.capacity))
            let (id, latest) = state.withLock { state in
                state.watcherCount += 1
                state.watchers[state.watcherCount] = continuation
                isOn.store(true, ordering: .relaxed)
                return (state.watcherCount, state.latest)
            }
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
            return (latest, stream)
        }

        private func remove(_ id: UInt64) {
            state.withLock { state in
                state.watchers[id] = nil
                isOn.store(keeps || !state.watchers.isEmpty, ordering: .relaxed)
            }
        }
    }
#endif
