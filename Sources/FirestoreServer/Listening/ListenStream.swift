// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol
    internal import Synchronization

    extension FirestoreService {
        /// Listen, over any stream of messages in both directions.
        ///
        /// - Parameter requests: ends when the client ends its side, which ends the call.
        func listen(
            _ requests: AsyncThrowingStream<ProtoListenRequest, any Error>, as credentials: Credentials,
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
            var rules: (source: RulesSource, observer: UInt64)?
            defer {
                subscription?.end()
                rules?.source.remove(rules?.observer ?? 0)
            }
            for await event in events {
                switch event {
                case .request(let request):
                    try await session.handle(request)
                    if subscription == nil, let database = session.listensTo {
                        subscription = Subscription(database.commits) { continuation.yield(.commit) }
                        rules = (database.rules, database.rules.add { continuation.yield(.rules) })
                        // Commits since the first state had nobody to tell.
                        try await session.catchUp()
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
        case request(ProtoListenRequest)
        case commit
        case rules
        case beat
        case end((any Error)?)
    }

    /// Asks for one look at the database, however many commits there were since the last.
    private final class Subscription: Sendable {
        let isPending = Atomic<Bool>(false)
        private let signal: CommitSignal
        private let id = Atomic<UInt64>(0)

        init(_ signal: CommitSignal, _ wake: @escaping @Sendable () -> Void) {
            self.signal = signal
            let number = signal.add { [weak self] in
                guard let self, !isPending.exchange(true, ordering: .sequentiallyConsistent) else { return }
                wake()
            }
            id.store(number, ordering: .relaxed)
        }

        func end() { signal.remove(id.load(ordering: .relaxed)) }
    }
#endif
