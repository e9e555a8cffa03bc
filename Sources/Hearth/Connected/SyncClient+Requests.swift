// SPDX-License-Identifier: Apache-2.0

internal import SyncCore

// Single requests, which go to the server past the machine: transactions, aggregations, and queries that cannot be
// listened to. Without the server they fail.
extension SyncClient {
    func request<R: Sendable>(
        _ cancellation: Cancellation?, _ body: @escaping @Sendable (any RemoteTransport) async throws -> R,
        _ deliver: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        do throws(FirestoreError) { try cancellation?.requireWaiting() } catch { return deliver(.failure(error)) }
        guard isNetworkEnabled else {
            let message = "This needs the server, and the network is disabled. Call enableNetwork first."
            return deliver(.failure(FirestoreError(.unavailable, message)))
        }
        let task = Task { [transport] in
            do {
                deliver(.success(try await body(transport)))
            } catch let error as SyncError {
                deliver(.failure(FirestoreError(error)))
            } catch {
                deliver(.failure(error))
            }
        }
        cancellation?.whenCancelled { task.cancel() }
    }

    /// Blocks the calling thread, which must not be one of Swift's pool.
    func response<R: Sendable>(
        _ cancellation: Cancellation?, _ body: @escaping @Sendable (any RemoteTransport) async throws -> R
    ) throws -> R {
        try waitForResult { deliver in
            let turn = Turn()
            cancellation?.whenCancelled {
                if turn.take() { deliver(.failure(FirestoreError.taskWasCancelled)) }
            }
            request(cancellation, body) { if turn.take() { deliver($0) } }
        }
    }
}
