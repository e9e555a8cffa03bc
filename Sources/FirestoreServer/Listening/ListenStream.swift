// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol
    internal import Synchronization

    extension FirestoreService {
        /// Listen, over any stream of messages in both directions.
        ///
        /// - Parameter requests: ends when the client ends its side, which ends the call.
        func listen(
            _ requests: AsyncThrowingStream<ListenRequest, any Error>, as credentials: Credentials,
            _ send: @escaping ListenSession.Send
        ) async throws {
            let (events, continuation) = AsyncStream.makeStream(of: ListenEvent.self)
            let reader = Task {
                do {
                    for try await request in requests { continuation.yield(.request(request)) }
                    continuation.yield(.end(nil))
                } catch {
                    continuation.yield(.end(error))
                }
            }
            let clock = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(15))
                    continuation.yield(.beat)
                }
            }
            defer {
                reader.cancel()
                clock.cancel()
            }
            var session = ListenSession(self, credentials, send)
            var subscription: Subscription?
            var rules: (observers: Observers, id: UInt64)?
            defer {
                subscription?.end()
                if let rules { rules.observers.remove(rules.id) }
            }
            for await event in events {
                switch event {
                case .request(let request):
                    try await session.handle(request)
                    if subscription == nil, let database = session.listensTo {
                        subscription = Subscription(database.commits) { continuation.yield(.commit) }
                        let observers = database.rules.observers
                        rules = (observers, observers.add { continuation.yield(.rules) })
                        // Commits and rules since the first state had nobody to tell.
                        try await session.judgeAgain()
                    }
                case .commit:
                    subscription?.isPending.store(false, ordering: .sequentiallyConsistent)
                    try await session.catchUp()
                case .rules: try await session.judgeAgain()
                case .beat: try await session.beat()
                case .end(let error):
                    if let error { throw error }
                    return
                }
            }
        }
    }

    private enum ListenEvent: Sendable {
        case request(ListenRequest)
        case commit
        case rules
        case beat
        case end((any Error)?)
    }

    /// Asks for one look at the database, however many commits there were since the last.
    private final class Subscription: Sendable {
        let isPending = Atomic<Bool>(false)
        private let commits: Observers
        private let id = Atomic<UInt64>(0)

        init(_ commits: Observers, _ wake: @escaping @Sendable () -> Void) {
            self.commits = commits
            let number = commits.add { [weak self] in
                guard let self, !isPending.exchange(true, ordering: .sequentiallyConsistent) else { return }
                wake()
            }
            id.store(number, ordering: .relaxed)
        }

        func end() { commits.remove(id.load(ordering: .relaxed)) }
    }
#endif
