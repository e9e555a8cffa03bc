// SPDX-License-Identifier: Apache-2.0

internal import SyncCore

// Single requests, which go to the server past the machine: transactions, aggregations, and queries that cannot be
// listened to. Without the server they fail.
extension SyncClient {
    func request<R: Sendable>(
        _ body: @escaping @Sendable (any RemoteTransport) async throws -> R,
        _ deliver: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        guard isNetworkEnabled else {
            let message = "This needs the server, and the network is disabled. Call enableNetwork first."
            return deliver(.failure(FirestoreError(.unavailable, message)))
        }
        Task { [transport] in
            do {
                deliver(.success(try await body(transport)))
            } catch let error as SyncError {
                deliver(.failure(FirestoreError(error)))
            } catch {
                deliver(.failure(error))
            }
        }
    }

    /// Blocks the calling thread, which must not be one of Swift's pool.
    func response<R: Sendable>(
        _ body: @escaping @Sendable (any RemoteTransport) async throws -> R
    ) throws -> R {
        try waitForResult { request(body, $0) }
    }
}
