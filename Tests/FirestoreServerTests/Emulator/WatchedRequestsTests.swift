// SPDX-License-Identifier: Apache-2.0

#if Server
    import Dispatch
    import DocumentModel
    import Foundation
    import Glibc
    import Synchronization
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Those who watch requests while threads add them.
    @Suite(.timeLimit(.minutes(5))) struct WatchedRequestsTests {
        private let feed = RequestFeed(keeps: true)

        /// Whoever cancels a task has its lock while the feed forgets the watcher, and whoever adds a request wakes the task. All of them
        /// have threads of their own, so that a deadlock takes none from other tests.
        @Test func watchersThatLeave() async throws {
            let isDone = Atomic(false)
            Thread.detachNewThread { [feed] in
                while !isDone.load(ordering: .relaxed) {
                    feed.addOne()
                    usleep(20)
                }
            }
            Thread.detachNewThread { [feed] in
                for _ in 0..<300 { Self.comeAndLeave(feed) }
                isDone.store(true, ordering: .relaxed)
            }
            try await wait(for: "the watchers to leave") { isDone.load(ordering: .relaxed) }
        }

        private static func comeAndLeave(_ feed: RequestFeed) {
            let executor = OwnThread()
            let heard = DispatchSemaphore(value: 0)
            let watchers = (0..<20).map { _ in
                let next = feed.watch().next
                return Task(executorPreference: executor) {
                    var isFirst = true
                    for await _ in next {
                        if isFirst { heard.signal() }
                        isFirst = false
                    }
                }
            }
            // They wait again then.
            for _ in watchers { heard.wait() }
            for watcher in watchers { watcher.cancel() }
        }

        /// No more than the feed keeps, so that none is lost.
        @Test func requestsOfTwoThreads() async {
            let next = feed.watch().next
            for _ in 0..<2 {
                Thread.detachNewThread { [feed] in
                    for _ in 0..<RequestFeed.capacity / 2 { feed.addOne() }
                }
            }
            var numbers: [UInt64] = []
            for await request in next {
                numbers.append(request.number)
                if numbers.count == RequestFeed.capacity { break }
            }
            #expect(numbers == Array(1...UInt64(RequestFeed.capacity)))
        }

        /// The oldest are lost to who reads late, and to who comes late.
        @Test func requestsBeyondTheRoom() async {
            var requests = feed.watch().next.makeAsyncIterator()
            for _ in 0..<RequestFeed.capacity + 50 { feed.addOne() }
            var numbers = [await requests.next(isolation: nil)?.number, await requests.next(isolation: nil)?.number]
            for _ in 0..<3 { feed.addOne() }
            numbers.append(await requests.next(isolation: nil)?.number)
            #expect(numbers == [51, 52, 54])
            #expect(feed.watch().latest.map(\.number) == Array(54...253))
        }
    }

    extension RequestFeed {
        fileprivate func addOne() { add("GET /", at: .minimum, .zero, .ok, RequestRecord()) }
    }
#endif
