// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Synchronization

    /// The transactions of one database that clients have begun. They hold no transaction of the engine: only a time, and
    /// what was read at it.
    final class TransactionTable: Sendable {
        fileprivate struct Entry {
            var kind: TransactionKind
            var hasRead = false
            let attempt: Attempt
            var lastUse: ContinuousClock.Instant
            let began: ContinuousClock.Instant
        }

        fileprivate struct State {
            var entries: [[UInt8]: Entry] = [:]
            /// Random, so that IDs of an earlier run of the server are known as such.
            let epoch = UInt64.random(in: .min ... .max)
            var count: UInt64 = 0
            var aborted: AbortedFootprints
            /// When those that are over are looked for again.
            var nextSweep: ContinuousClock.Instant?

            mutating func nextNumber() -> UInt64 {
                count += 1
                return count
            }
        }

        private let state: Mutex<State>
        private let now: @Sendable () -> ContinuousClock.Instant

        /// - Parameter abortedLimit: see ``AbortedFootprints``.
        init(
            abortedLimit: Int = AbortedFootprints.limit,
            now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
        ) {
            state = Mutex(State(aborted: AbortedFootprints(limit: abortedLimit)))
            self.now = now
        }

        /// A transaction may last 270 seconds, and be idle for 60 of them.
        fileprivate static let lifetime = Duration.seconds(270)
        fileprivate static let idleTime = Duration.seconds(60)
        private static let limit = 100_000

        /// A new attempt, and what the attempts before it read and wrote if the last one was aborted.
        ///
        /// - Parameter id: the ID of any earlier attempt; nil for a first one.
        func attempt(retrying id: [UInt8]?) -> (attempt: Attempt, former: Footprint?) {
            state.withLock { state in
                let number = state.nextNumber()
                guard let id, let former = state.attempt(of: id) else {
                    return (Attempt(number: number, first: number), nil)
                }
                return (Attempt(number: number, first: former.first), state.aborted[former.first])
            }
        }

        /// Notes that an attempt was aborted, or nil if it succeeded.
        func note(_ attempt: Attempt, aborted footprint: Footprint?) {
            let now = now()
            state.withLock { state in
                if let footprint {
                    state.aborted.add(footprint, to: attempt.first, at: now)
                } else {
                    state.aborted.remove(attempt.first)
                }
            }
        }

        /// Begins a transaction and returns its ID.
        func begin(_ kind: TransactionKind, _ attempt: Attempt) throws(RequestError) -> [UInt8] {
            let now = now()
            return try state.withLock { (state) throws(RequestError) in
                if state.nextSweep.map({ now >= $0 }) ?? true || state.entries.count >= TransactionTable.limit {
                    state.sweep(now)
                }
                guard state.entries.count < TransactionTable.limit else {
                    throw RequestError(.resourceExhausted, "Too many transactions are open.")
                }
                let id = [state.epoch, attempt.number, attempt.first].flatMap(\.bigEndianBytes) + [kind.mark]
                state.entries[id] = Entry(kind: kind, attempt: attempt, lastUse: now, began: now)
                return id
            }
        }

        /// The time of a transaction's reads. For one that may write, that is when it first reads: nothing that was committed before
        /// aborts it.
        ///
        /// - Parameter present: what a transaction has read that has read nothing, at the present.
        func time(
            of id: [UInt8], _ present: () throws(RequestError) -> ReadSet
        ) throws(RequestError) -> Timestamp {
            try use(id) { (entry) throws(RequestError) in
                if case .readWrite = entry.kind, !entry.hasRead { entry.kind = .readWrite(try present()) }
                entry.hasRead = true
                return entry.kind.time
            }
        }

        /// Adds to what a transaction has read.
        func note(_ id: [UInt8], _ add: (inout ReadSet) -> Void) throws(RequestError) {
            try use(id) { entry in
                guard case .readWrite(var reads) = entry.kind else { return }
                // Another reference to what was read would copy it.
                entry.kind = .readOnly(reads.time)
                add(&reads)
                entry.kind = .readWrite(reads)
            }
        }

        /// Ends a transaction, and returns what it has read.
        func end(_ id: [UInt8]) throws(RequestError) -> (kind: TransactionKind, attempt: Attempt) {
            let now = now()
            // Removed under the lock that finds it: of two calls that end it at once, one fails.
            return try state.withLock { (state) throws(RequestError) in
                let entry = try state.take(id, now)
                return (entry.kind, entry.attempt)
            }
        }

        /// Ends a transaction that commits nothing; nil if it has ended before.
        func discard(_ id: [UInt8]) throws(RequestError) -> Attempt? {
            try state.withLock { (state) throws(RequestError) in
                guard state.attempt(of: id) != nil else { throw TransactionTable.unknown }
                return state.entries.removeValue(forKey: id)?.attempt
            }
        }

        /// The number of transactions that have begun and not ended.
        var count: Int { state.withLock { $0.entries.count } }

        /// Whether no client knows the ID of a transaction, be it one that is over.
        var isUnused: Bool { state.withLock { $0.count == 0 } }

        /// Whether a client may go on with a transaction. Forgets those that are over.
        func hasOpen() -> Bool {
            let now = now()
            return state.withLock { state in
                state.sweep(now)
                return !state.entries.isEmpty
            }
        }

        /// Forgets all transactions, and returns their attempts.
        func removeAll() -> [Attempt] {
            state.withLock { state in
                defer { state.entries = [:] }
                state.aborted.removeAll()
                return state.entries.values.map(\.attempt)
            }
        }

        /// Forgets what aborted transactions have read. They have no turns of their own from now on.
        func forgetAborted() { state.withLock { $0.aborted.removeAll() } }

        private func use<R>(
            _ id: [UInt8], _ body: (inout Entry) throws(RequestError) -> R
        ) throws(RequestError) -> R {
            let now = now()
            return try state.withLock { (state) throws(RequestError) in
                // Not a copy, which would copy all that the transaction has read.
                var entry = try state.take(id, now)
                entry.lastUse = now
                defer { state.entries[id] = entry }
                return try body(&entry)
            }
        }

        /// Production aborts a transaction that may write, so that its client repeats it.
        static func expired(_ id: [UInt8]) -> RequestError {
            RequestError(
                id.last == TransactionKind.readOnlyMark ? .invalidArgument : .aborted,
                "The referenced transaction has expired or is no longer valid.")
        }

        /// Whether a table may have given an ID, such as that of an earlier run of the server.
        static func isID(_ id: [UInt8]) -> Bool { id.count == 25 }

        static let unknown = RequestError(.invalidArgument, "Invalid transaction.")
    }

    extension TransactionTable.State {
        /// Forgets the transactions that are over, with what they have read, as clients that end leave theirs open, and those that were
        /// aborted so long ago that nobody repeats them.
        fileprivate mutating func sweep(_ now: ContinuousClock.Instant) {
            entries = entries.filter { !$0.value.isOver(now) }
            aborted.removeAll(before: now - TransactionTable.lifetime)
            nextSweep = now + TransactionTable.idleTime
        }

        /// Takes the transaction out that has begun and is not over.
        fileprivate mutating func take(_ id: [UInt8], _ now: ContinuousClock.Instant) throws(RequestError)
            -> TransactionTable.Entry
        {
            guard let entry = entries[id], !entry.isOver(now) else {
                throw attempt(of: id) != nil ? TransactionTable.expired(id) : TransactionTable.unknown
            }
            entries[id] = nil
            return entry
        }

        /// The attempt in an ID; nil if this table has not given it. The first attempt is in the ID, as some clients name the first
        /// one at every retry and others the last one.
        fileprivate func attempt(of id: [UInt8]) -> Attempt? {
            guard TransactionTable.isID(id), UInt64(bigEndianAt: 0, in: id.span.bytes) == epoch else { return nil }
            let number = UInt64(bigEndianAt: 8, in: id.span.bytes)
            let first = UInt64(bigEndianAt: 16, in: id.span.bytes)
            guard 1 <= first, first <= number, number <= count else { return nil }
            return Attempt(number: number, first: first)
        }
    }

    extension TransactionTable.Entry {
        fileprivate func isOver(_ now: ContinuousClock.Instant) -> Bool {
            now - began > TransactionTable.lifetime || now - lastUse > TransactionTable.idleTime
        }
    }
#endif
