// SPDX-License-Identifier: Apache-2.0

#if canImport(ObjectiveC)
    public import Foundation
#endif

/// How a transaction is run.
public final class TransactionOptions {
    /// How often the block is run at most before the transaction fails, at least 1.
    public var maxAttempts = 5

    /// Five attempts.
    public init() {}
}

extension Database {
    /// Runs a transaction: reads, then writes that depend on what was read, all or nothing.
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
    /// The block runs on a thread of Hearth's own and may run several times, when another write changed a document that it had
    /// read: it must have no other effects (W-29). Whatever it throws ends the transaction, with nothing written.
    ///
    /// - Returns: what the block returned when it succeeded.
    /// - Throws: what the block throws; ``FirestoreError``: after five attempts that of the last (W-28), `invalidArgument` for
    ///   an impossible write.
    @discardableResult
    public nonisolated(nonsending) func runTransaction<R: Sendable>(
        _ updateBlock: @escaping @Sendable (Transaction) throws -> R
    ) async throws -> R {
        try await transactionJob(attempts: 5, updateBlock).value()
    }

    /// The same as FirebaseFirestore spells it: the block reports an error by setting `errorPointer?.pointee` and returning nil.
    @discardableResult
    public nonisolated(nonsending) func runTransaction(
        _ updateBlock: @escaping @Sendable (_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any?
    ) async throws -> Any? {
        try await runTransaction(with: nil, block: updateBlock)
    }

    /// The same with options.
    @discardableResult
    public nonisolated(nonsending) func runTransaction(
        with options: TransactionOptions?,
        block updateBlock: @escaping @Sendable (_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any?
    ) async throws -> Any? {
        try await transactionJob(options, updateBlock).value().value
    }

    /// The same with a callback, which gets what the block returned, or an error.
    @preconcurrency public func runTransaction(
        _ updateBlock: @escaping @Sendable (_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Any?,
        completion: @escaping (_ result: Any?, _ error: (any Error)?) -> Void
    ) {
        runTransaction(with: nil, block: updateBlock, completion: completion)
    }

    /// The same with options.
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
        Job(withoutEngine: self, .transaction) { [self] in
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

/// Made by the block and handed to the caller, once: nobody else holds it, or it was shared by the block itself.
private struct BlockResult: @unchecked Sendable {
    let value: Any?
}

extension Synchronous where Base == Database {
    /// `runTransaction`, blocking, with options if they are given; the block runs on this thread.
    @discardableResult
    public func runTransaction<R>(
        with options: TransactionOptions? = nil, _ updateBlock: (Transaction) throws -> R
    ) throws -> R {
        base.queues.waitForUnawaited(base)
        return try TransactionRunner(database: base, maximumAttempts: options?.maxAttempts ?? 5).run(updateBlock)
    }
}
