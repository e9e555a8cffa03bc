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

    init(_ database: Database, _ writes: Result<[Write], FirestoreError>) {
        self.database = database
        self.writes = writes
    }

    /// The blocking form.
    func wait() throws {
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
        submit { result in
            // The write is finished once its outcome was delivered: a call that waits for it comes after that.
            defer {
                database.queues.unawaitedWrites.subtract(1, ordering: .sequentiallyConsistent)
                UnawaitedWrites.shared.end()
            }
            guard let callback else { return database.log(result.failure, of: description) }
            database.callbackQueue.async { callback(result.failure) }
        }
    }

    private func submit(_ deliver: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let database = database
        let writes = writes
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
