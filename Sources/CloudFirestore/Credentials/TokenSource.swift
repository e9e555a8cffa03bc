// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import SyncCore
    internal import Synchronization

    /// Tokens for requests: each as long as it is fresh, and a new one when it is not, or when the server has refused it.
    ///
    /// Requests that need a token at the same time wait for one and the same fetch. A fetch that never returns makes
    /// requests fail after a while, and blocks nothing else.
    final class TokenSource: Sendable {
        /// Fetches a token.
        ///
        /// - Parameter isForced: whether a token that its owner has in a cache must not be used.
        typealias Fetch = @Sendable (_ isForced: Bool) async throws(SyncError) -> AccessToken

        private typealias Fetching = Task<Result<AccessToken, SyncError>, Never>

        private struct State {
            var token: AccessToken?
            /// Whether the server has refused the token.
            var isRefused = false
            var fetching: Fetching?
            /// Counts what makes a fetch that is going on worthless.
            var generation = 0
            /// The user that was told last; nil before the first, and when the program has said that it is another.
            var toldUser: SyncUser?
            var tellUser: (@Sendable (SyncUser?) -> Void)?
            var naming: Task<Void, Never>?
            var whenStopped: (@Sendable () -> Void)?

            /// Before anybody can use the token: what is sent with it is sent as that user.
            mutating func tellUser(of token: AccessToken) {
                let user = SyncUser(token.user)
                guard let tellUser, toldUser != user else { return }
                toldUser = user
                tellUser(user)
            }
        }

        /// The user, if all tokens name the same one.
        let user: SyncUser?
        /// What may be wrong with credentials that the server refuses.
        let note: String?
        private let clock: CredentialClock
        private let patience: Duration
        private let fetch: Fetch
        private let state = Mutex(State())

        /// - Parameters:
        ///   - user: the user whom all tokens name; nil if that is not known.
        ///   - patience: how long a fetch may take.
        init(
            _ clock: CredentialClock, user: SyncUser? = nil, note: String? = nil, patience: Duration = .seconds(30),
            _ fetch: @escaping Fetch
        ) {
            self.clock = clock
            self.user = user
            self.note = note
            self.patience = patience
            self.fetch = fetch
        }

        /// Tells the user as soon as a token says who it is, and whenever a later one says otherwise; nil when the program says
        /// that it has changed. Tries until there is a token.
        ///
        /// - Parameter tellUser: must not call the source.
        func start(_ tellUser: @escaping @Sendable (SyncUser?) -> Void) {
            state.withLock { state in
                state.tellUser = tellUser
                state.naming = nameUser()
                // A token may have come before there was anybody to tell.
                if let token = state.token { state.tellUser(of: token) }
            }
        }

        /// Nothing else may ask for a token meanwhile: while the user is not known, nothing is sent.
        private func nameUser() -> Task<Void, Never> {
            Task {
                var delay = Duration.seconds(1)
                while !Task.isCancelled {
                    if (try? await self.token()) != nil { return }
                    try? await Task.sleep(for: delay)
                    delay = min(delay * 1.5, .seconds(60))
                }
            }
        }

        func stop() {
            let (naming, fetching, whenStopped) = state.withLock { state in
                state.tellUser = nil
                defer { (state.naming, state.fetching, state.whenStopped) = (nil, nil, nil) }
                return (state.naming, state.fetching, state.whenStopped)
            }
            naming?.cancel()
            fetching?.cancel()
            whenStopped?()
        }

        /// Calls `body` when the source is stopped.
        func whenStopped(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenStopped = body } }

        /// The server has refused the token: the next one is another.
        func invalidate() { state.withLock { $0.isRefused = $0.token != nil } }

        /// The program says that another user has signed in, or nobody.
        func userDidChange() {
            state.withLock { state in
                state.generation += 1
                (state.token, state.fetching, state.toldUser) = (nil, nil, nil)
                guard let tellUser = state.tellUser else { return }
                tellUser(nil)
                state.naming?.cancel()
                state.naming = nameUser()
            }
        }

        @discardableResult
        func token() async throws(SyncError) -> AccessToken {
            while true {
                let (token, fetching, generation) = state.withLock { state in
                    if let token = state.token, !state.isRefused, token.isFresh(at: clock.now()) {
                        return (token as AccessToken?, nil as Fetching?, 0)
                    }
                    let fetching = state.fetching ?? startFetch(isForced: state.isRefused)
                    state.fetching = fetching
                    return (nil, fetching, state.generation)
                }
                if let token { return token }
                guard let result = await fetching?.value else { continue }
                let (isCurrent, fallback) = finish(result, generation)
                guard isCurrent else { continue }
                if let fallback { return fallback }
                return try result.get()
            }
        }

        /// Keeps what was fetched, unless the user has changed meanwhile.
        ///
        /// - Returns: whether the result counts, and the old token if there is no new one and it is still valid.
        private func finish(
            _ result: Result<AccessToken, SyncError>, _ generation: Int
        ) -> (isCurrent: Bool, fallback: AccessToken?) {
            state.withLock { state in
                guard state.generation == generation else { return (false, nil) }
                if case .success(let token) = result { state.tellUser(of: token) }
                if state.fetching != nil {
                    state.fetching = nil
                    if case .success(let token) = result { (state.token, state.isRefused) = (token, false) }
                }
                guard case .failure = result, let old = state.token, !state.isRefused, old.isValid(at: clock.now())
                else { return (true, nil) }
                return (true, old)
            }
        }

        private func startFetch(isForced: Bool) -> Fetching {
            Task { [fetch, patience] in
                await withTimeLimit(patience) {
                    do throws(SyncError) { return .success(try await fetch(isForced)) } catch { return .failure(error) }
                } orElse: {
                    .failure(
                        SyncError(
                            .unavailable,
                            "The program has not given an ID token for \(patience): its closure is slow or "
                                + "never returns."))
                }
            }
        }
    }

    /// The result of `body`, or after `limit` that of `orElse`. A body that ignores its cancellation goes on unheard.
    private func withTimeLimit<Result: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async -> Result, orElse: @escaping @Sendable () -> Result
    ) async -> Result {
        let (results, first) = AsyncStream.makeStream(of: Result.self)
        let tasks = [
            Task {
                first.yield(await body())
                first.finish()
            },
            Task {
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                first.yield(orElse())
                first.finish()
            },
        ]
        var result: Result?
        for await value in results {
            result = value
            break
        }
        for task in tasks { task.cancel() }
        return result ?? orElse()
    }
#endif
