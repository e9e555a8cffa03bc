// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import Foundation
    import SyncCore
    import Synchronization
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// When tokens are fetched, and whom they name.
    @Suite struct TokenSourceTests {
        /// A clock and a provider that tests set.
        private final class Provider: Sendable {
            struct State: Sendable {
                var now: Int64 = 1_000
                var fetches: [Bool] = []
                var user: String? = "alice"
                var error: SyncError?
                var users: [SyncUser?] = []
            }

            let state = Mutex(State())

            var clock: CredentialClock { CredentialClock { self.state.withLock { $0.now } } }

            func source(patience: Duration = .seconds(3_600)) -> TokenSource {
                TokenSource(clock, patience: patience) { (isForced: Bool) async throws(SyncError) in
                    let (error, token) = self.state.withLock { state in
                        state.fetches.append(isForced)
                        return (
                            state.error,
                            AccessToken(value: "t\(state.fetches.count)", user: state.user, expiry: state.now + 3_600)
                        )
                    }
                    if let error { throw error }
                    return token
                }
            }

            var fetches: [Bool] { state.withLock { $0.fetches } }
            var users: [SyncUser?] { state.withLock { $0.users } }
        }

        private final class EventList: Sendable {
            private let events = Mutex<[String]>([])
            var all: [String] { events.withLock { $0 } }

            func append(_ event: String) { events.withLock { $0.append(event) } }
        }

        @Test func refreshedFiveMinutesBeforeExpiry() async throws {
            let provider = Provider()
            let source = provider.source()
            #expect(try await source.token().value == "t1")
            provider.state.withLock { $0.now += 3_300 }
            #expect(try await source.token().value == "t1")
            provider.state.withLock { $0.now += 1 }
            #expect(try await source.token().value == "t2")
            #expect(provider.fetches == [false, false])
        }

        @Test func refusedTokens() async throws {
            let provider = Provider()
            let source = provider.source()
            _ = try await source.token()
            source.invalidate()
            #expect(try await source.token().value == "t2")
            #expect(try await source.token().value == "t2")
            #expect(provider.fetches == [false, true])
        }

        /// A provider that fails for a while is no reason to fail as long as the token is valid.
        @Test func failingProviders() async throws {
            let provider = Provider()
            let source = provider.source()
            _ = try await source.token()
            provider.state.withLock {
                $0.now += 3_400
                $0.error = SyncError(.unavailable, "no network")
            }
            #expect(try await source.token().value == "t1")
            provider.state.withLock { $0.now += 200 }
            await #expect(throws: SyncError(.unavailable, "no network")) { try await source.token() }
            provider.state.withLock { $0.error = nil }
            #expect(try await source.token().value == "t4")
            // A refused one is not used in spite of the failure.
            source.invalidate()
            provider.state.withLock { $0.error = SyncError(.unavailable, "no network") }
            await #expect(throws: SyncError.self) { try await source.token() }
        }

        @Test func changesOfTheUser() async throws {
            let provider = Provider()
            let source = provider.source()
            source.start { user in provider.state.withLock { $0.users.append(user) } }
            try await wait(for: "the first user") { provider.users == [SyncUser("alice")] }
            source.invalidate()
            _ = try await source.token()
            // Another token of the same user is no news.
            #expect(provider.users == [SyncUser("alice")])
            provider.state.withLock { $0.user = nil }
            source.userDidChange()
            #expect(provider.users.prefix(2) == [SyncUser("alice"), nil], "at once, before the next token")
            try await wait(for: "the sign-out") { provider.users == [SyncUser("alice"), nil, SyncUser(nil)] }
            source.stop()
            provider.state.withLock { $0.user = "bob" }
            source.userDidChange()
            _ = try await source.token()
            #expect(provider.users.count == 3)
        }

        /// Without a user nothing is sent, so that no request asks for a token either.
        @Test func aUserWhoseFirstTokenFails() async throws {
            let provider = Provider()
            let source = provider.source()
            source.start { user in provider.state.withLock { $0.users.append(user) } }
            try await wait(for: "the first user") { provider.users == [SyncUser("alice")] }
            provider.state.withLock {
                $0.user = "bob"
                $0.error = SyncError(.unavailable, "no network")
            }
            source.userDidChange()
            // Another attempt follows in a second, which may have passed.
            try await wait(for: "the failure") { provider.fetches.count >= 2 }
            provider.state.withLock { $0.error = nil }
            try await wait(for: "the user") { provider.users == [SyncUser("alice"), nil, SyncUser("bob")] }
            source.stop()
        }

        /// Two requests wait for one token; one of them tells whose it is.
        @Test func theUserIsToldBeforeAnybodyHasTheToken() async throws {
            let source = Provider().source()
            let events = EventList()
            source.start { _ in
                Thread.sleep(forTimeInterval: 0.05)
                events.append("user")
            }
            let requests = (0..<4).map { _ in
                Task {
                    try await source.token()
                    events.append("token")
                }
            }
            for request in requests { try await request.value }
            source.stop()
            #expect(events.all == ["user", "token", "token", "token", "token"])
        }

        /// What a fetch for the former user brings is dropped.
        @Test func changesDuringAFetch() async throws {
            let gate = AsyncStream<Void>.makeStream()
            let count = Mutex(0)
            let source = TokenSource(.system, patience: .seconds(3_600)) { (_: Bool) async throws(SyncError) in
                let number = count.withLock {
                    $0 += 1
                    return $0
                }
                if number == 1 { for await _ in gate.stream { break } }
                return AccessToken(value: "t\(number)", user: "u\(number)")
            }
            let first = Task { try await source.token() }
            try await wait(for: "the first fetch") { count.withLock { $0 } == 1 }
            source.userDidChange()
            #expect(try await source.token().user == "u2")
            gate.continuation.finish()
            #expect(try await first.value.user == "u2")
        }

        @Test func providersThatNeverReturn() async throws {
            let source = TokenSource(.system, patience: .milliseconds(1)) { (_: Bool) async throws(SyncError) in
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
                return .none
            }
            await #expect(throws: SyncError.self) { try await source.token() }
            // Nor is the next request blocked.
            await #expect(throws: SyncError.self) { try await source.token() }
        }
    }
#endif
