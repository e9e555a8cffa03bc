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
            /// Also the number of the last request.
            var count: UInt64 = 0
            var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
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
            let watchers = state.withLock { state in
                state.count += 1
                let request = WatchedRequest(
                    number: state.count, time: time, method: method, status: status, duration: duration,
                    done: record.done)
                if state.latest.count == RequestFeed.capacity { state.latest.removeFirst() }
                state.latest.append(request)
                return Array(state.watchers.values)
            }
            // Not under the lock: this wants the locks of the watchers' tasks, and who cancels one has that and wants this one.
            for watcher in watchers { watcher.yield() }
        }

        /// The last requests, and those to come until the task ends that reads them.
        func watch() -> (latest: [WatchedRequest], next: WatchedRequests) {
            let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let (id, latest, last) = state.withLock { state in
                state.watcherCount += 1
                state.watchers[state.watcherCount] = continuation
                isOn.store(true, ordering: .relaxed)
                return (state.watcherCount, state.latest, state.count)
            }
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
            return (latest, WatchedRequests(feed: self, signals: signals, last: last))
        }

        /// The first request after one that is not lost, if there is one.
        fileprivate func request(after number: UInt64) -> WatchedRequest? {
            state.withLock { state in
                guard number < state.count, let first = state.latest.first?.number else { return nil }
                return state.latest[number < first ? 0 : Int(number - first) + 1]
            }
        }

        private func remove(_ id: UInt64) {
            state.withLock { state in
                state.watchers[id] = nil
                isOn.store(keeps || !state.watchers.isEmpty, ordering: .relaxed)
            }
        }
    }

    /// Requests as they end, in the order of their numbers. Who adds one only wakes those who wait, and they take it from the feed:
    /// of two that are added at once, either may wake them first.
    struct WatchedRequests: AsyncSequence, Sendable {
        typealias Element = WatchedRequest
        typealias Failure = Never

        fileprivate let feed: RequestFeed
        /// Has one element if there may be a request. It ends with the task or with the last copy of it.
        fileprivate let signals: AsyncStream<Void>
        /// The number of the last request before them.
        fileprivate let last: UInt64

        func makeAsyncIterator() -> Iterator {
            Iterator(feed: feed, signals: signals.makeAsyncIterator(), last: last)
        }

        struct Iterator: AsyncIteratorProtocol {
            typealias Element = WatchedRequest
            typealias Failure = Never

            fileprivate let feed: RequestFeed
            fileprivate var signals: AsyncStream<Void>.Iterator
            fileprivate var last: UInt64

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> WatchedRequest? {
                while !Task.isCancelled {
                    if let request = feed.request(after: last) {
                        last = request.number
                        return request
                    }
                    guard await signals.next(isolation: actor) != nil else { return nil }
                }
                return nil
            }
        }
    }
#endif
