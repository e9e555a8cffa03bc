// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Synchronization
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// How long transactions last, by a clock of the test.
    @Suite struct TransactionTableTests {
        private final class Clock: Sendable {
            private let time = Mutex(ContinuousClock.now)

            var now: ContinuousClock.Instant { time.withLock { $0 } }

            func advance(_ duration: Duration) { time.withLock { $0 += duration } }
        }

        private let clock = Clock()
        private let table: TransactionTable

        init() {
            table = TransactionTable { [clock] in clock.now }
        }

        private func begin() throws -> [UInt8] {
            try table.begin(.readOnly(Timestamp(seconds: 1, nanoseconds: 0)!), table.attempt(retrying: nil).attempt)
        }

        private func time(of id: [UInt8], in other: TransactionTable? = nil) throws -> Timestamp {
            // It is of a transaction that may write.
            try (other ?? table).time(of: id) { () throws(RequestError) in throw RequestError(.unknown, "the present") }
        }

        private let expired = RequestError(
            .invalidArgument, "The referenced transaction has expired or is no longer valid.")

        @Test func idleOnesExpire() throws {
            let id = try begin()
            clock.advance(.seconds(59))
            _ = try time(of: id)
            clock.advance(.seconds(59))
            _ = try time(of: id)
            clock.advance(.seconds(61))
            #expect(throws: expired) { try time(of: id) }
        }

        @Test func usedOnesExpireAfterFourAndAHalfMinutes() throws {
            let id = try begin()
            for _ in 0..<5 {
                clock.advance(.seconds(50))
                _ = try time(of: id)
            }
            clock.advance(.seconds(21))
            #expect(throws: expired) { try table.end(id) }
        }

        /// An attempt that reads other documents than the one before has its turn with those of both.
        @Test func abortedAttemptsAddUp() throws {
            let first = table.attempt(retrying: nil).attempt
            let id = try table.begin(.readOnly(Timestamp(seconds: 1, nanoseconds: 0)!), first)
            let paths = try ["c/a", "c/b"].map { try DocumentPath(parsing: $0) }
            for path in paths { table.note(first, aborted: Footprint(documents: [path])) }
            let (second, former) = table.attempt(retrying: id)
            #expect(former?.documents == Set(paths))
            table.note(second, aborted: nil)
            #expect(table.attempt(retrying: id).former == nil)
        }

        /// Whether what an aborted attempt has read is still known.
        private func isKnown(_ id: [UInt8]) -> Bool { table.attempt(retrying: id).former != nil }

        private func abort() throws -> [UInt8] {
            let id = try begin()
            let path = try DocumentPath(parsing: "c/a")
            table.note(try table.end(id).attempt, aborted: Footprint(documents: [path]))
            return id
        }

        /// Clients that give up say nothing of it.
        @Test(arguments: [false, true]) func abortedOnesAreForgotten(_ isIdle: Bool) throws {
            let id = try abort()
            clock.advance(.seconds(269))
            if isIdle { #expect(!table.hasOpen()) } else { _ = try begin() }
            #expect(isKnown(id))
            clock.advance(.seconds(61))
            if isIdle { #expect(!table.hasOpen()) } else { _ = try begin() }
            #expect(!isKnown(id))
        }

        /// What they have read is gone.
        @Test func abortedOnesAreForgottenWithAllOthers() throws {
            let (first, second) = try (abort(), abort())
            #expect(isKnown(first) && isKnown(second))
            _ = table.removeAll()
            #expect(!isKnown(first) && !isKnown(second))
        }

        /// Some clients name the last attempt at every retry, and not the first.
        @Test func attemptsNameTheLastOne() throws {
            let paths = try ["c/a", "c/b"].map { try DocumentPath(parsing: $0) }
            var ids: [[UInt8]] = []
            for path in paths {
                let (attempt, former) = table.attempt(retrying: ids.last)
                #expect(former?.documents == (ids.isEmpty ? nil : [paths[0]]))
                ids.append(try table.begin(.readOnly(Timestamp(seconds: 1, nanoseconds: 0)!), attempt))
                table.note(attempt, aborted: Footprint(documents: [path]))
            }
            let (last, former) = table.attempt(retrying: ids[1])
            #expect(former?.documents == Set(paths))
            table.note(last, aborted: nil)
            #expect(table.attempt(retrying: ids[0]).former == nil)
        }

        /// They are no longer counted then.
        @Test func expiredOnesCanBeDiscarded() throws {
            let id = try begin()
            clock.advance(.seconds(61))
            #expect(try table.discard(id) != nil)
            #expect(try table.discard(id) == nil)
            #expect(table.count == 0)
        }

        /// Clients that end leave them open.
        @Test func expiredOnesAreForgotten() throws {
            for _ in 0..<100 { _ = try begin() }
            clock.advance(.seconds(61))
            _ = try begin()
            #expect(table.count == 1)
        }

        /// Eight times as many reads take about eight times as long. If each copied those before it, they would take 64 times as long.
        @Test func theTimeGrowsWithTheNumberOfReads() async throws {
            let registry = try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource())
            let none = try await registry.database(DatabaseID(project: "p")).engine.beginReading()
            let paths = try (0..<16_000).map { try DocumentPath(parsing: "c/d\($0)") }
            let growth = growth(from: 2_000, to: 16_000) { count in
                let id = (try? table.begin(.readWrite(none), table.attempt(retrying: nil).attempt)) ?? []
                for path in paths.prefix(count) { try? table.note(id) { $0.add(path) } }
                guard case .readWrite(let reads)? = try? table.end(id).kind else {
                    Issue.record("the transaction has ended")
                    return
                }
                #expect(Footprint(reads, []).documents == Set(paths.prefix(count)))
            }
            #expect(growth < 20, "\(growth)")
        }

        /// Those of an earlier run of the server, too.
        @Test func othersAreUnknown() throws {
            let id = try begin()
            let unknown = RequestError(.invalidArgument, "Invalid transaction.")
            #expect(throws: unknown) { try time(of: id, in: TransactionTable()) }
            #expect(throws: unknown) { try time(of: Array(id.dropLast())) }
            #expect(throws: unknown) { try TransactionTable().discard(id) }
        }
    }
#endif
