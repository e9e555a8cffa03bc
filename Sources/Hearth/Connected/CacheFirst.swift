// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import SyncCore

// Reads that ask the server only for what the cache lacks, and only for so long.

extension DocumentReference {
    func cacheFirstJob(_ deadline: Duration) -> Job<DocumentSnapshot> {
        let cancellation = Cancellation()
        return Job(askingClientOf: firestore, cancellation) { [self] client, deliver in
            let query = SyncQuery(document: try own())
            let end = ContinuousClock.now + deadline
            client.afterCalls {
                if let whole = try? self.wholeSnapshot(client.engine) { return deliver(.success(whole)) }
                client.get(query, until: end, cancellation) { result in
                    deliver(
                        Result {
                            guard let result else { return try self.cachedSnapshot(client.engine) }
                            return try self.snapshot(of: result.get(), client.database, .default)
                        })
                }
            }
        }
    }
}

extension Query {
    func cacheFirstJob(_ deadline: Duration) -> Job<QuerySnapshot> {
        let cancellation = Cancellation()
        return Job(askingClientOf: firestore, cancellation) { [self] client, deliver in
            let query = try syncQuery(client.database)
            let end = ContinuousClock.now + deadline
            client.inspect({ (machine) throws(ReplicaError) in
                try machine.whileComplete(query) {
                    Result<QuerySnapshot, any Error> { try self.cachedSnapshot(client.engine) }
                }
            }) { cached in
                if case .success(let snapshot?) = cached { return deliver(snapshot) }
                client.get(query, until: end, cancellation) { result in
                    deliver(
                        Result {
                            guard let result else { return try self.cachedSnapshot(client.engine) }
                            return try self.snapshot(of: result.get(), .default)
                        })
                }
            }
        }
    }
}

extension SyncClient {
    /// - Parameters:
    ///   - deadline: counts from the call, which may have waited for its turn.
    ///   - deliver: is given nil if the deadline passes first.
    fileprivate func get(
        _ query: SyncQuery, until deadline: ContinuousClock.Instant, _ cancellation: Cancellation,
        _ deliver: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>?) -> Void
    ) {
        let turn = Turn()
        let timeout = Task { [queue] in
            try await Task.sleep(until: deadline, clock: .continuous)
            if turn.take() { queue.async { deliver(nil) } }
        }
        // After the deadline, the read goes on, for the cache.
        get(query, cancellation) { result in
            guard turn.take() else { return }
            timeout.cancel()
            deliver(result)
        }
        cancellation.whenCancelled { timeout.cancel() }
    }
}
