// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

extension Engine {
    /// Applies writes in order, atomically. When it returns, they are as durable as the environment's mode promises.
    ///
    /// Waits for all earlier commits. Calling it inside a read or write of the same thread is a programmer error.
    ///
    /// - Parameter check: who may refuse the commit.
    package func commit(_ writes: [Write], if check: CommitCheck? = nil) throws(EngineError) -> CommitResult {
        try scheduler.commit(writes, if: check)
    }

    /// Queues a commit and returns without waiting for it.
    ///
    /// - Parameter deliver: called once, on any thread, with the result, in the order of the calls. It must neither
    ///   wait nor write.
    package func commit(
        _ writes: [Write], if check: CommitCheck? = nil,
        then deliver: @escaping @Sendable (Result<CommitResult, EngineError>) -> Void
    ) {
        scheduler.commit(writes, if: check, then: deliver)
    }

    /// Calls `body` when all commits queued so far are done, successful or not. It must neither wait nor write.
    package func whenCommitted(_ body: @escaping @Sendable () -> Void) { scheduler.whenCommitted(body) }

    /// Runs `body` in its own write transaction; see ``TransactionScheduler/write(_:)``.
    func write<R>(
        _ body: (inout Transaction, Timestamp, inout ChangeLog) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        try scheduler.write(body)
    }
}
