// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import Synchronization

/// One call in its asynchronous, callback and blocking forms. Writes use ``WriteJob``.
struct Job<R: Sendable>: Sendable {
    enum Kind {
        case read
        /// No work but its answer, in the order of such calls.
        case answer
        /// No work but its answer, after the commits so far.
        case afterCommits
        /// An import or a change of indexes.
        case maintenance
        /// Runs a block of the caller, which may call the database itself.
        case transaction
    }

    private let database: Database
    private let kind: Kind
    private let body: @Sendable () throws -> R
    /// Asks the client instead.
    private let ask: Ask?
    /// Ends the call when the task that awaits it is cancelled; nil for calls that end soon by themselves.
    private let cancellation: Cancellation?

    typealias Ask = @Sendable (SyncClient, @escaping @Sendable (Result<R, any Error>) -> Void) throws -> Void

    /// Work of the administrator, which views for users refuse.
    init(
        _ database: Database, _ kind: Kind, _ body: @escaping @Sendable (Engine) throws -> R
    ) {
        self.init(withoutEngine: database, kind) {
            try database.requireAdministrator()
            return try body(try database.engine())
        }
    }

    /// Work that asks the security rules itself.
    init(
        guarded database: Database, _ kind: Kind, _ body: @escaping @Sendable (Engine) throws -> R
    ) {
        self.init(withoutEngine: database, kind) { try body(try database.engine()) }
    }

    /// Work that does not need the engine.
    init(withoutEngine database: Database, _ kind: Kind, _ body: @escaping @Sendable () throws -> R) {
        self.database = database
        self.kind = kind
        self.body = body
        ask = nil
        cancellation = nil
    }

    /// A transaction of a database with a remote: work that asks the client, and may wait long for it.
    init(transactionOf database: Database, _ body: @escaping @Sendable (Cancellation) throws -> R) {
        let cancellation = Cancellation()
        self.database = database
        kind = .transaction
        self.body = { try body(cancellation) }
        ask = nil
        self.cancellation = cancellation
    }

    /// A call that the client of a database with a remote answers. It waits on no queue, however long that takes.
    ///
    /// - Parameter cancellation: what `ask` tells how to end a call that waits for the server.
    init(askingClientOf database: Database, _ cancellation: Cancellation? = nil, _ ask: @escaping Ask) {
        self.database = database
        kind = .read
        body = { throw FirestoreError(.internal, "The client answers this call.") }
        self.ask = ask
        self.cancellation = cancellation
    }

    /// The blocking form.
    func wait() throws -> R {
        try database.requireOutsideLogHandler()
        if ask != nil { return try waitForResult { submit($0) } }
        database.queues.waitForUnawaited(database)
        switch kind {
        case .afterCommits: return try waitForResult { submit($0) }
        case .maintenance: return try database.queues.maintenance.sync(execute: body)
        case .read, .answer, .transaction: return try body()
        }
    }

    /// The asynchronous form.
    nonisolated(nonsending) func value() async throws -> R {
        guard let cancellation else {
            return try await withCheckedThrowingContinuation { continuation in
                submit { continuation.resume(with: $0) }
            }
        }
        let turn = Turn()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                cancellation.whenCancelled {
                    if turn.take() { continuation.resume(throwing: CancellationError()) }
                }
                guard !cancellation.isCancelled else { return }
                submit { if turn.take() { continuation.resume(with: $0) } }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// The form with a callback.
    func start(_ completion: @escaping (Result<R, any Error>) -> Void) {
        let callback = Callback(completion)
        startUnawaited { [database] result in
            database.callbackQueue.async { callback(result) }
        }
    }

    private func startUnawaited(_ deliver: @escaping @Sendable (Result<R, any Error>) -> Void) {
        let queues = database.queues
        switch kind {
        case .read, .answer, .afterCommits: submit(deliver)
        case .transaction:
            UnawaitedWrites.shared.begin()
            submit {
                deliver($0)
                UnawaitedWrites.shared.end()
            }
        case .maintenance:
            UnawaitedWrites.shared.begin()
            queues.unawaitedMaintenance.add(1, ordering: .sequentiallyConsistent)
            submit {
                queues.unawaitedMaintenance.subtract(1, ordering: .sequentiallyConsistent)
                deliver($0)
                UnawaitedWrites.shared.end()
            }
        }
    }

    private func submit(_ deliver: @escaping @Sendable (Result<R, any Error>) -> Void) {
        if let ask { return database.ask(ask, deliver) }
        let queues = database.queues
        let work: @Sendable () -> Void = { [database, kind, body] in
            let result = Result(catching: body)
            switch kind {
            case .read, .answer: deliver(result)
            case .afterCommits, .maintenance, .transaction: database.afterListeners { deliver(result) }
            }
        }
        switch kind {
        case .maintenance:
            // Enqueued at once, so later calls run after it.
            queues.maintenance.async { [database] in
                queues.waitForUnawaitedWrites(database)
                work()
            }
        case .read: queues.afterUnawaited(database) { queues.reads.async(execute: work) }
        case .answer: queues.afterUnawaited(database, work)
        case .afterCommits: queues.afterCommits(database, work)
        case .transaction: queues.afterUnawaited(database) { TransactionThreads.run(work) }
        }
    }
}

extension Job where R == Void {
    /// The form with an optional callback. Without one, a failure is logged, because no caller would be told.
    func start(_ completion: (((any Error)?) -> Void)?, describedAs description: @autoclosure () -> String) {
        if let completion { return start { completion($0.failure) } }
        let description = description()
        startUnawaited { [database] in database.log($0.failure, of: description) }
    }
}

extension Result {
    var success: Success? { try? get() }

    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
