// SPDX-License-Identifier: Apache-2.0

internal import SyncCore

/// Writes of one call, or of one batch, that the server has refused. They are kept, over restarts, until they are tried
/// again or dropped.
public struct RejectedWrite: Sendable, Identifiable {
    /// The number that it had among the pending writes.
    public let id: Int
    /// The documents that it was to write, in the order of their paths.
    public let documents: [DocumentReference]
    /// When it was made, by the clock of this device.
    public let time: Timestamp
    /// When the refusal arrived, by the clock of this device.
    public let rejectTime: Timestamp
    /// Why the server has refused it.
    public let error: FirestoreError

    init(_ rejected: RejectedBatch, in database: Database) {
        id = rejected.batch.id
        documents = rejected.batch.references(in: database)
        time = Timestamp(rejected.batch.localWriteTime)
        rejectTime = Timestamp(rejected.time)
        error = FirestoreError(rejected.cause)
    }
}

extension Database {
    /// The writes of the current user that the server has refused, oldest first.
    ///
    /// A refused write has ended with an error for whoever waited for it, and no document shows it. After a restart nobody
    /// waits: this list is how a program learns of it.
    ///
    /// - Throws: ``FirestoreError``: `failedPrecondition` in a database without a remote.
    public nonisolated(nonsending) func rejectedWrites() async throws -> [RejectedWrite] {
        let job = Job<[RejectedWrite]>(askingClientOf: self) { client, deliver in
            client.inspect({ (machine) throws(ReplicaError) in try machine.rejectedWrites() }) { result in
                deliver(result.map { batches in batches.map { RejectedWrite($0, in: self) } })
            }
        }
        return try await job.value()
    }

    /// Makes a refused write again, behind all others. It is pending then, with another number, and documents show it.
    ///
    /// Returns when it is stored, and does not wait for the server. If the server refuses it again, it is among
    /// ``rejectedWrites()`` again.
    ///
    /// - Throws: ``FirestoreError``: `notFound` for one that was tried again or dropped.
    public nonisolated(nonsending) func retry(_ write: RejectedWrite) async throws {
        let job = Job<Void>(askingClientOf: self) { client, deliver in
            let number = client.nextNumber()
            client.submit(.retryRejectedWrite(batch: write.id, write: number)) {
                $0.writes[number] = SyncWaiters.Write(
                    settled: { deliver($0.map { .failure($0) } ?? .success(())) }, finished: { _ in })
            }
        }
        try await job.value()
    }

    /// Forgets a refused write.
    ///
    /// - Throws: ``FirestoreError``: `notFound` for one that was tried again or dropped.
    public nonisolated(nonsending) func drop(_ write: RejectedWrite) async throws {
        try await Job(changing: self) { _, call in .dropRejectedWrite(batch: write.id, call: call) }.value()
    }
}
