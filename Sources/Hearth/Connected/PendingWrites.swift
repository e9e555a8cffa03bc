// SPDX-License-Identifier: Apache-2.0

internal import SyncCore

/// Writes of one call, or of one batch, that the server has not answered.
public struct PendingWrite: Sendable, Identifiable {
    /// Ascending in the order in which the writes are sent. No number is used twice in a file.
    public let id: Int
    /// The documents that it writes, in the order of their paths.
    public let documents: [DocumentReference]
    /// When it was made, by the clock of this device.
    public let time: Timestamp
    /// How often it was sent, or was about to be. Only a write that never was can be cancelled.
    public let attempts: Int

    init(_ batch: MutationBatch, in database: Database) {
        id = batch.id
        documents = batch.references(in: database)
        time = Timestamp(batch.localWriteTime)
        attempts = batch.attempts
    }
}

extension MutationBatch {
    func references(in database: Database) -> [DocumentReference] {
        paths.map { DocumentReference(database, $0) }.sorted { $0.path < $1.path }
    }
}

extension Database {
    /// The writes of the current user that wait for the server, those of earlier runs too, in the order in which they are
    /// sent.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` in a database without a remote.
    public nonisolated(nonsending) func pendingWrites() async throws -> [PendingWrite] {
        let job = Job<[PendingWrite]>(askingClientOf: self) { client, deliver in
            client.inspect({ (machine) throws(ReplicaError) in try machine.pendingWrites() }) { result in
                deliver(result.map { batches in batches.map { PendingWrite($0, in: self) } })
            }
        }
        return try await job.value()
    }

    /// Takes a write out of the queue before it is sent. Documents show it no longer, and later writes no longer build on
    /// it; whoever waits for it gets the error `cancelled`.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` for a write that was sent, as the server may have committed it;
    ///   `notFound` for one that is not pending any more.
    public nonisolated(nonsending) func cancel(_ write: PendingWrite) async throws {
        try await Job(changing: self) { _, call in .cancelWrite(batch: write.id, call: call) }.value()
    }
}
