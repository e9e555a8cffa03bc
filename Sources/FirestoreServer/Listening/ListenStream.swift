// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol

    extension FirestoreService {
        /// Listen, over any stream of messages in both directions.
        ///
        /// - Parameter requests: ends when the client ends its side, which ends the call.
        func listen(
            _ requests: AsyncThrowingStream<ListenRequest, any Error>, as credentials: Credentials,
            _ send: @escaping ListenSession.Send
        ) async throws {
            let (events, continuation) = AsyncStream.makeStream(of: ListenEvent.self)
            let (turns, handled) = AsyncStream.makeStream(of: Void.self)
            let reader = Task {
                do {
                    for try await request in requests {
                        continuation.yield(.request(request))
                        // Those behind it wait where their bytes are counted.
                        for await _ in turns { break }
                    }
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
            var session = ListenSession(self, credentials, wake: { continuation.yield(.commit) }, send)
            var rules: (observers: Observers, id: UInt64)?
            defer { if let rules { rules.observers.remove(rules.id) } }
            for await event in events {
                switch event {
                case .request(let request):
                    try await session.handle(request)
                    if rules == nil, let database = session.database {
                        let observers = database.rules.observers
                        rules = (observers, observers.add { continuation.yield(.rules) })
                        // Rules since the first state had nobody to tell.
                        try await session.judgeAgain()
                    }
                    handled.yield()
                // Another event may have seen to it.
                case .commit: if session.routed?.isDue ?? false { try await session.catchUp() }
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
#endif
