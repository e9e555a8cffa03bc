// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs a transaction's block and commits. Repeats both if another write came between (W-28).
struct TransactionRunner {
    let database: Database
    let maximumAttempts: Int
    var cancellation: Cancellation?

    /// Blocks the calling thread.
    func run<R>(_ body: (Transaction) throws -> R) throws -> R {
        guard maximumAttempts > 0 else {
            throw FirestoreError.invalidArgument("Invalid maxAttempts: \(maximumAttempts)")
        }
        let engine = try database.engine()
        let client = database.isConnected ? try database.client() : nil
        var attempt = 1
        while true {
            try cancellation?.requireWaiting()
            let outcome = try database.queues.conflicts.run(alone: attempt > 1) {
                let transaction = Transaction(database, engine, client, cancellation)
                // An error of the block ends the transaction.
                let result = try body(transaction)
                return Result(deferring: { () throws(FirestoreError) in
                    try transaction.commit()
                    return result
                })
            }
            guard let error = outcome.failure, attempt < maximumAttempts, TransactionRunner.isTransient(error.status)
            else { return try outcome.get() }
            let delay = TransactionRunner.delay(after: attempt, onServer: client != nil)
            if let cancellation {
                cancellation.sleep(seconds: delay)
            } else {
                Thread.sleep(forTimeInterval: delay)
            }
            attempt += 1
        }
    }

    /// In seconds. It grows each time, because of writes outside transactions, which take no turns. A server is given as
    /// much time as the official clients give it.
    private static func delay(after attempt: Int, onServer: Bool) -> Double {
        guard onServer else { return Double.random(in: 0..<0.001) * pow(2, Double(min(attempt, 10))) }
        return min(pow(1.5, Double(attempt - 1)), 60) * Double.random(in: 0.5..<1.5)
    }

    private static func isTransient(_ status: FirestoreErrorCode.Code) -> Bool {
        switch status {
        case .ok, .invalidArgument, .notFound, .permissionDenied, .outOfRange, .unimplemented, .dataLoss: false
        default: true
        }
    }
}
