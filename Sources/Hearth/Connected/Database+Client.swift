// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import Synchronization

extension Database {
    /// Whether the database keeps the offline data of a server's database.
    var isConnected: Bool { state.isConnected }

    /// The client of a database with a remote. The first call opens it.
    func client() throws(FirestoreError) -> SyncClient {
        guard user == nil else {
            throw FirestoreError(
                .failedPrecondition,
                "A database with a remote has no views for users (asUser): the server's security rules decide.")
        }
        guard isConnected else {
            throw FirestoreError(
                .failedPrecondition, "This needs a database with a remote: Database.open(path:settings:remote:).")
        }
        _ = try engine()
        guard let client = openClient else { throw .alreadyTerminated }
        return client
    }

    /// The client if it is open.
    var openClient: SyncClient? { state.withLock { $0.client } }

    /// Gives the client a call, after those before it.
    func ask<R>(
        _ call: @escaping @Sendable (SyncClient, @escaping @Sendable (Result<R, any Error>) -> Void) throws -> Void,
        _ deliver: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        queues.afterCalls(openEngine != nil) { [self] in
            do { try call(client(), deliver) } catch { deliver(.failure(error)) }
        }
    }

    /// Refuses what would change documents behind the back of the client, whose server would never hear of it.
    func requireNoRemote(for action: String) throws(FirestoreError) {
        guard isConnected else { return }
        throw FirestoreError(
            .failedPrecondition,
            "\(action) is not possible in a database with a remote: the documents are the server's. Write them with "
                + "setData, updateData and delete.")
    }
}

extension FirestoreError {
    static var alreadyTerminated: FirestoreError {
        FirestoreError(.failedPrecondition, "The client has already been terminated.")
    }
}

/// Blocks the calling thread until `start` has delivered.
func waitForResult<R: Sendable>(
    _ start: (@escaping @Sendable (Result<R, any Error>) -> Void) -> Void
) throws -> R {
    let outcome = Outcome<R>()
    start { outcome.deliver($0) }
    return try outcome.wait()
}

private final class Outcome<R: Sendable>: Sendable {
    private let result = Mutex<Result<R, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func deliver(_ result: Result<R, any Error>) {
        self.result.withLock { $0 = result }
        isThere.signal()
    }

    func wait() throws -> R {
        isThere.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("a result was delivered") }
        return try result.get()
    }
}
