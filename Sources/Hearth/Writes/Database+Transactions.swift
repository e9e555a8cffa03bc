// SPDX-License-Identifier: Apache-2.0

#if canImport(ObjectiveC)
    public import Foundation
#endif

/// Options of a transaction.
public final class TransactionOptions {
    /// How often the block runs at most before the transaction fails. At least 1; the default is 5.
    public var maxAttempts = 5

    /// Creates options with five attempts.
    public init() {}
}

extension TransactionOptions: Hashable {
    /// Whether both allow the same number of attempts.
    public static func == (lhs: TransactionOptions, rhs: TransactionOptions) -> Bool {
        lhs.maxAttempts == rhs.maxAttempts
    }

    /// Hashes the number of attempts. Do not change options that are in a set, or the keys of a dictionary.
    public func hash(into hasher: inout Hasher) { hasher.combine(maxAttempts) }
}

extension Database {
    /// Runs a transaction: reads, followed by writes that depend on them, applied atomically.
    ///
    /// ```swift
    /// let population = try await database.runTransaction { transaction in
    ///     let city = try transaction.getDocument(sanFrancisco)
    ///     let population = (city["population"] as? Int ?? 0) + 1
    ///     transaction.updateData(["population": population], forDocument: sanFrancisco)
    ///     return population
    /// }
    /// ```
    ///
    /// The block runs on a thread of Hearth. It runs again if another write has changed a document that it read, so it
    /// must have no other side effects. An error that it throws ends the transaction, and nothing is written.
    ///
    /// - Returns: the result of the successful run of the block.
    /// - Throws: errors of the block; ``FirestoreError``: after five attempts the error of the last one,
    ///   `invalidArgument` for an invalid write. With a remote, `CancellationError` if the task is cancelled; a commit that
    ///   was sent before may succeed all the same.
    @discardableResult
    public nonisolated(nonsending) func runTransaction<R: Sendable>(
        _ updateBlock: @escaping @Sendable (Transaction) throws -> R
    ) async throws -> R {
        try await transactionJob(attempts: 5, updateBlock).value()
    }

    /// Runs a transaction in FirebaseFirestore's form: the block reports an error by setting `errorPointer?.pointee`
    /// and returning nil.
    @discardableResult
    public nonisolated(nonsending) func runTransaction(
        _ updateBlock: @escaping @Sendable (_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any?
    ) async throws -> Any? {
        try await runTransaction(with: nil, block: updateBlock)
    }

    /// Runs a transaction with options, in FirebaseFirestore's form: the block reports an error by setting
    /// `errorPointer?.pointee` and returning nil.
    @discardableResult
    public nonisolated(nonsending) func runTransaction(
        with options: TransactionOptions?,
        block updateBlock: @escaping @Sendable (_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any?
    ) async throws -> Any? {
        try await transactionJob(options, updateBlock).value().value
    }

    /// Runs a transaction and calls `completion` with the block's result or an error, on
    /// ``FirestoreSettings/dispatchQueue``.
    @preconcurrency public func runTransaction(
        _ updateBlock: @escaping @Sendable (_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any?,
        completion: @escaping (_ result: Any?, _ error: (any Error)?) -> Void
    ) {
        runTransaction(with: nil, block: updateBlock, completion: completion)
    }

    /// Runs a transaction with options and calls `completion` with the block's result or an error, on
    /// ``FirestoreSettings/dispatchQueue``.
    @preconcurrency public func runTransaction(
        with options: TransactionOptions?,
        block updateBlock: @escaping @Sendable (_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any?,
        completion: @escaping (_ result: Any?, _ error: (any Error)?) -> Void
    ) {
        transactionJob(options, updateBlock).start { completion($0.success?.value, $0.failure) }
    }

    private func transactionJob<R: Sendable>(
        attempts: Int, _ updateBlock: @escaping @Sendable (Transaction) throws -> R
    ) -> Job<R> {
        guard !isConnected else {
            return Job(transactionOf: self) { [self] cancellation in
                try TransactionRunner(database: self, maximumAttempts: attempts, cancellation: cancellation)
                    .run(updateBlock)
            }
        }
        return Job(withoutEngine: self, .transaction) { [self] in
            try TransactionRunner(database: self, maximumAttempts: attempts).run(updateBlock)
        }
    }

    private func transactionJob(
        _ options: TransactionOptions?,
        _ updateBlock: @escaping @Sendable (Transaction, NSErrorPointer) -> Any?
    ) -> Job<BlockResult> {
        transactionJob(attempts: options?.maxAttempts ?? 5) { transaction in
            let (result, error) = callWithErrorPointer { updateBlock(transaction, $0) }
            if let error { throw error }
            return BlockResult(value: result)
        }
    }
}

/// The block creates the value and hands it to the caller, once. Nobody else holds it, unless the block shared it.
private struct BlockResult: @unchecked Sendable {
    let value: Any?
}

extension BlockingAPI where Base == Database {
    /// The blocking form of `runTransaction`. The block runs on the calling thread.
    @discardableResult
    public func runTransaction<R>(
        with options: TransactionOptions? = nil, _ updateBlock: (Transaction) throws -> R
    ) throws -> R {
        base.queues.waitForUnawaited(base)
        return try TransactionRunner(database: base, maximumAttempts: options?.maxAttempts ?? 5).run(updateBlock)
    }
}
