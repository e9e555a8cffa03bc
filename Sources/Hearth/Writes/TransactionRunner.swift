// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs a transaction's block and commits, again where another write came between (W-28).
struct TransactionRunner {
    let database: Database
    let maximumAttempts: Int

    /// Waits; to be called on a thread that may.
    func run<R>(_ body: (Transaction) throws -> R) throws -> R {
        guard maximumAttempts > 0 else {
            throw FirestoreError.invalidArgument("Invalid maxAttempts: \(maximumAttempts)")
        }
        let engine = try database.engine()
        var attempt = 1
        while true {
            let isAlone = attempt > 1 && waitForTurn(attempt)
            defer { if isAlone { database.queues.repetition.unlock() } }
            let transaction = Transaction(database, engine)
            // The block's own error ends it.
            let result = try body(transaction)
            do throws(FirestoreError) {
                try transaction.commit()
                return result
            } catch {
                guard attempt < maximumAttempts, TransactionRunner.isTransient(error.status) else { throw error }
            }
            attempt += 1
        }
    }

    /// Backs off, twice as long each time, then lets repeated transactions through one by one. Not for ever: the block of one
    /// may wait for another.
    private func waitForTurn(_ attempt: Int) -> Bool {
        Thread.sleep(forTimeInterval: Double.random(in: 0..<0.001) * pow(2, Double(min(attempt, 10) - 2)))
        return database.queues.repetition.lock(before: Date(timeIntervalSinceNow: 0.1))
    }

    private static func isTransient(_ status: FirestoreErrorCode.Code) -> Bool {
        switch status {
        case .ok, .invalidArgument, .notFound, .permissionDenied, .outOfRange, .unimplemented, .dataLoss: false
        default: true
        }
    }
}
