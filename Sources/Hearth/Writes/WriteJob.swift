// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import Synchronization

/// One commit in its asynchronous, callback and blocking forms.
struct WriteJob: Sendable {
    private let database: Database
    /// Without writes there is no commit.
    private let writes: Result<[Write], FirestoreError>
    private let milestone: WriteMilestone

    init(
        _ database: Database, _ writes: Result<[Write], FirestoreError>,
        until milestone: WriteMilestone = .acknowledged
    ) {
        self.database = database
        self.writes = writes
        self.milestone = milestone
    }

    /// The blocking form.
    func wait() throws {
        try database.requireOutsideLogHandler()
        guard !database.isConnected else { return try waitForResult { queue($0) } }
        let writes = try writes.get()
        guard !writes.isEmpty else { return }
        database.queues.waitForCalls()
        let engine = try database.engine()
        let check = database.check(commit: writes)
        do throws(EngineError) { _ = try engine.commit(writes, if: check) } catch { throw FirestoreError(error) }
    }

    /// The asynchronous form, which is suspended until the commit is done.
    nonisolated(nonsending) func value() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            guard !database.isConnected else { return queue { continuation.resume(with: $0) } }
            submit { continuation.resume(with: $0) }
        }
    }

    /// The form with an optional callback. Without one, a failure is logged, because no caller would be told.
    func start(_ completion: (((any Error)?) -> Void)?, describedAs description: @autoclosure () -> String) {
        let callback = completion.map(Callback.init)
        let description = description()
        let database = database
        UnawaitedWrites.shared.begin()
        database.queues.unawaitedWrites.add(1, ordering: .sequentiallyConsistent)
        if database.isConnected { return startQueued(callback, description) }
        submit { result in
            // The write is finished once its outcome was delivered: a call that waits for it comes after that.
            defer { WriteJob.settle(database) }
            guard let callback else { return database.log(result.failure, of: description) }
            database.callbackQueue.async { callback(result.failure) }
        }
    }

    private static func settle(_ database: Database) {
        database.queues.unawaitedWrites.subtract(1, ordering: .sequentiallyConsistent)
        UnawaitedWrites.shared.end()
    }

    private func submit(_ finish: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let database = database
        let writes = writes
        let deliver: @Sendable (Result<Void, any Error>) -> Void = { result in
            database.afterListeners { finish(result) }
        }
        database.queues.afterCalls(database.openEngine != nil) {
            do throws(FirestoreError) {
                let engine = try database.engine()
                switch writes {
                case .success(let writes) where !writes.isEmpty:
                    engine.commit(writes, if: database.check(commit: writes)) {
                        deliver($0.map { _ in }.mapError { FirestoreError($0) })
                    }
                case .success: engine.whenCommitted { deliver(.success(())) }
                case .failure(let error): engine.whenCommitted { deliver(.failure(error)) }
                }
            } catch {
                deliver(.failure(error))
            }
        }
    }
}

// MARK: - With a remote

extension WriteJob {
    private func queue(_ deliver: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let tell: @Sendable (FirestoreError?) -> Void = { error in
            deliver(error.map { .failure($0) } ?? .success(()))
        }
        switch milestone {
        case .stored: queue(settled: tell, finished: { _ in })
        case .acknowledged: queue(settled: { _ in }, finished: tell)
        }
    }

    /// A program that ends has done its part once the writes are in the queue.
    private func startQueued(_ callback: Callback<(any Error)?>?, _ description: String) {
        let callbackQueue = callback.map { _ in database.callbackQueue }
        queue(
            settled: { [database] _ in WriteJob.settle(database) },
            finished: { [weak database] error in
                guard let callback, let callbackQueue else { return database?.log(error, of: description) ?? () }
                callbackQueue.async { callback(error) }
            })
    }

    /// Gives the writes to the client, if they are such that the server may take them. Both closures are called once,
    /// `settled` first.
    private func queue(
        settled: @escaping @Sendable (FirestoreError?) -> Void,
        finished: @escaping @Sendable (FirestoreError?) -> Void
    ) {
        database.queues.afterCalls(database.openEngine != nil) { [database, writes] in
            do throws(FirestoreError) {
                let client = try database.client()
                do throws(FirestoreError) {
                    let writes = try writes.get()
                    do throws(EngineError) { try Write.validate(writes, in: client.database) } catch {
                        throw FirestoreError(error)
                    }
                    client.write(writes, settled: settled, finished: finished)
                } catch {
                    client.afterCalls { [error] in
                        settled(error)
                        finished(error)
                    }
                }
            } catch {
                settled(error)
                finished(error)
            }
        }
    }
}
