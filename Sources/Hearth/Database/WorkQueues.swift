// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import Foundation
internal import Synchronization

/// The threads on which a database works, so that no thread of Swift's pool ever waits for the disk.
///
/// Laws kept here:
/// - Writes are applied one after another in the order in which they were asked for, whatever their form.
/// - A read sees the writes that were asked for before it, also those that nobody has waited for.
/// - No code of the caller's runs on these queues but the blocks of transactions, which run on `transactions`.
final class WorkQueues: Sendable {
    let writes = DispatchQueue(label: "hearth.writes")
    let reads = DispatchQueue(label: "hearth.reads", attributes: .concurrent)
    let transactions = DispatchQueue(label: "hearth.transactions", attributes: .concurrent)
    let turns = TransactionTurns()
    /// Writes that are asked for and not yet applied.
    let waitingWrites = Atomic<Int>(0)

    func asynchronouslyWrite(_ body: @escaping @Sendable () -> Void) {
        waitingWrites.add(1, ordering: .sequentiallyConsistent)
        writes.async { [self] in
            body()
            waitingWrites.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    func write(_ body: () throws(EngineError) -> Void) throws(EngineError) {
        let result = writes.sync { Result { () throws(EngineError) in try body() } }
        try result.get()
    }

    /// Runs `body` on `queue`, after the writes asked for so far.
    func asynchronouslyRead(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        guard waitingWrites.load(ordering: .sequentiallyConsistent) > 0 else { return queue.async(execute: body) }
        writes.async { queue.async(execute: body) }
    }

    /// Waits for the writes asked for so far.
    func waitForWrites() {
        guard waitingWrites.load(ordering: .sequentiallyConsistent) > 0 else { return }
        writes.sync {}
    }
}

/// One call, from which its three forms are made.
struct Job<R: Sendable>: Sendable {
    enum Kind {
        case read, write
        /// Runs a block of the caller's, which may itself call the database.
        case transaction
    }

    private let database: Database
    private let kind: Kind
    private let body: @Sendable () throws -> R

    init(
        _ database: Database, _ kind: Kind, _ body: @escaping @Sendable (Engine) throws -> R
    ) {
        self.init(withoutEngine: database, kind) { try body(try database.engine()) }
    }

    /// Work that does without the engine.
    init(withoutEngine database: Database, _ kind: Kind, _ body: @escaping @Sendable () throws -> R) {
        self.database = database
        self.kind = kind
        self.body = body
    }

    /// The blocking form.
    func wait() throws -> R {
        switch kind {
        case .write: return try database.queues.writes.sync(execute: body)
        case .read, .transaction:
            database.queues.waitForWrites()
            return try body()
        }
    }

    /// The asynchronous form.
    nonisolated(nonsending) func value() async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: $0) }
        }
    }

    /// The form with a callback.
    func start(_ completion: @escaping @Sendable (Result<R, any Error>) -> Void) {
        let database = database
        submit { result in
            database.settings.dispatchQueue.async { completion(result) }
        }
    }

    private func submit(_ deliver: @escaping @Sendable (Result<R, any Error>) -> Void) {
        let work: @Sendable () -> Void = { [body] in deliver(Result(catching: body)) }
        switch kind {
        case .write: database.queues.asynchronouslyWrite(work)
        case .read: database.queues.asynchronouslyRead(on: database.queues.reads, work)
        case .transaction: database.queues.asynchronouslyRead(on: database.queues.transactions, work)
        }
    }
}

extension Job where R == Void {
    /// The form with a callback that may be left out; a failure that nobody would hear of is said on standard error.
    func start(_ completion: (@Sendable ((any Error)?) -> Void)?, describedAs description: @autoclosure () -> String) {
        guard completion == nil else { return start { completion?($0.failure) } }
        let description = description()
        submit { result in
            guard let error = result.failure else { return }
            FileHandle.standardError.write(Data("\(description) failed: \(error.localizedDescription)\n".utf8))
        }
    }
}

extension Result {
    var success: Success? { try? get() }

    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
