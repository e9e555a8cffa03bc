// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    extension FirestoreService {
        /// BeginTransaction.
        func beginTransaction(_ mode: TransactionMode, in id: DatabaseID) async throws(RequestError) -> [UInt8] {
            try await begin(mode, in: try await databases.database(id))
        }

        /// Begins a transaction. One that repeats an aborted attempt first waits for its turn.
        func begin(
            _ mode: TransactionMode, in database: ServedDatabase
        ) async throws(RequestError) -> [UInt8] {
            var former: [UInt8]?
            if case .readWrite(let retrying) = mode { former = retrying }
            if let former, !TransactionTable.isID(former) { throw TransactionTable.unknown }
            let (attempt, footprint) = database.transactions.attempt(retrying: former)
            if let footprint { await database.turns.enter(attempt.number, footprint) }
            do throws(RequestError) {
                return try database.transactions.begin(try await database.transactionKind(mode), attempt)
            } catch {
                database.turns.leave(attempt.number)
                throw error
            }
        }

        /// Rollback. One of a transaction that is over does nothing, as in the emulator: a client also rolls back after a commit
        /// that failed, and would report an error of that instead of the commit's.
        func rollback(_ transaction: [UInt8], in id: DatabaseID) async throws(RequestError) {
            let database = try await databases.database(id)
            guard let attempt = try database.transactions.discard(transaction) else { return }
            database.turns.leave(attempt.number)
        }
    }

    extension ServedDatabase {
        /// The time at which a transaction reads.
        func readTime(of transaction: [UInt8]) throws(RequestError) -> Timestamp {
            try transactions.time(of: transaction, beginReading)
        }

        /// Forgets all transactions, whose reads are of data that is gone, with their turns.
        func forgetTransactions() {
            for attempt in transactions.removeAll() { turns.leave(attempt.number) }
        }

        private func beginReading() throws(RequestError) -> ReadSet {
            do throws(EngineError) { return try engine.beginReading() } catch { throw RequestError(error) }
        }

        fileprivate func transactionKind(_ mode: TransactionMode) async throws(RequestError) -> TransactionKind {
            switch mode {
            case .readWrite: return .readWrite(try beginReading())
            case .readOnly(nil): return .readOnly(try readTime())
            case .readOnly(let time?):
                try await settle(time)
                return .readOnly(time)
            }
        }

        /// Commits the writes of an attempt, if what it read has not changed.
        func commit(
            _ writes: [Write], _ attempt: Attempt, validating reads: ReadSet, if check: CommitCheck?
        ) async throws(RequestError) -> CommitResult {
            defer { turns.leave(attempt.number) }
            do throws(RequestError) {
                if turns.mustYield(writes, by: attempt.number) { throw ServedDatabase.contention }
                let result = try await queued { deliver throws(EngineError) in
                    try engine.commit(writes, validating: reads, if: check, then: deliver)
                }
                transactions.note(attempt, aborted: nil)
                return result
            } catch {
                if error.status == .aborted { transactions.note(attempt, aborted: Footprint(reads, writes)) }
                throw error
            }
        }

        /// Commits writes that depend on no reads. They wait while another transaction has its turn there.
        func commit(
            _ writes: [Write], if check: CommitCheck? = nil
        ) async throws(RequestError) -> CommitResult {
            guard turns.mustYield(writes, by: nil) else {
                return try await queued { deliver throws(EngineError) in engine.commit(writes, if: check, then: deliver)
                }
            }
            let attempt = transactions.attempt(retrying: nil).attempt
            await turns.enter(attempt.number, Footprint(nil, writes))
            defer { turns.leave(attempt.number) }
            return try await queued { deliver throws(EngineError) in engine.commit(writes, if: check, then: deliver) }
        }

        private func queued(
            _ commit: (@escaping @Sendable (Result<CommitResult, EngineError>) -> Void) throws(EngineError) -> Void
        ) async throws(RequestError) -> CommitResult {
            let result: Result<CommitResult, EngineError> = await withCheckedContinuation { continuation in
                do throws(EngineError) {
                    try commit { continuation.resume(returning: $0) }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            do throws(EngineError) { return try result.get() } catch { throw RequestError(error) }
        }

        private static let contention = RequestError(
            .aborted, "Too much contention on these documents. Please try again.")
    }
#endif
