// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import Synchronization

/// One call in its asynchronous, callback and blocking forms. Writes use ``WriteJob``.
struct Job<R: Sendable>: Sendable {
    enum Kind {
        case read
        /// An import or a change of indexes.
        case maintenance
        /// Runs a block of the caller, which may call the database itself.
        case transaction
    }

    private let database: Database
    private let kind: Kind
    private let body: @Sendable () throws -> R
    /// Asks the client instead.
    private let ask: (@Sendable (SyncClient, @escaping @Sendable (Result<R, any Error>) -> Void) throws -> Void)?

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
    }

    /// A call that the client of a database with a remote answers. It waits on no queue, however long that takes.
    init(
        askingClientOf database: Database,
        _ ask: @escaping @Sendable (SyncClient, @escaping @Sendable (Result<R, any Error>) -> Void) throws -> Void
    ) {
        self.database = database
        kind = .read
        body = { throw FirestoreError(.internal, "The client answers this call.") }
        self.ask = ask
    }

    /// The blocking form.
    func wait() throws -> R {
        if ask != nil { return try waitForResult { submit($0) } }
        database.queues.waitForUnawaited(database)
        if case .maintenance = kind { return try database.queues.maintenance.sync(execute: body) }
        return try body()
    }

    /// The asynchronous form.
    nonisolated(nonsending) func value() async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: $0) }
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
        case .read: submit(deliver)
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
        let work: @Sendable () -> Void = { [body] in deliver(Result(catching: body)) }
        switch kind {
        case .maintenance:
            // Enqueued at once, so later calls run after it.
            queues.maintenance.async { [database] in
                queues.waitForUnawaitedWrites(database)
                work()
            }
        case .read: queues.afterUnawaited(database) { queues.reads.async(execute: work) }
        case .transaction: queues.afterUnawaited(database) { queues.transactions.async(execute: work) }
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
