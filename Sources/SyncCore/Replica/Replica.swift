// SPDX-License-Identifier: Apache-2.0

/// The client's durable memory: documents as the program sees them, what the server last said of those that differ, the
/// queue of writes, and how far each target has come. Several clients may have it open.
package protocol Replica: AnyObject {
    var peers: any ReplicaPeers { get }

    /// Runs `body` as one transaction, while no other client has one. If it throws, or if the transaction cannot be made
    /// durable, the replica is as before.
    ///
    /// - Throws: what `body` throws, and a ``ReplicaError`` if the store fails.
    func transaction<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result
}

/// What a transaction is for.
package enum ReplicaOperation: String, Sendable, CaseIterable {
    case start = "Start"
    case lastSnapshotVersion = "Get last remote snapshot version"
    case nextBatch = "Get next mutation batch"
    case highestBatch = "Get highest unacknowledged batch id"
    case allocateTarget = "Allocate target"
    case releaseTarget = "Release target"
    case executeQuery = "Execute query"
    case applyRemoteEvent = "Apply remote event"
    case writeLocally = "Locally write mutations"
    case acknowledgeBatch = "Acknowledge batch"
    case rejectBatch = "Reject batch"
    case countAttempts = "Count attempts to send batches"
    case changeQueue = "Change the queue for the program"
    case changeUser = "Handle user change"
    case notifyViewChanges = "notifyLocalViewChanges"
    case loadBundle = "Load bundle"
    case collectGarbage = "Collect garbage"
    case pinTarget = "Pin target"
    case evictDocuments = "Evict documents"
    case look = "Look at what other clients have done"
    case request = "Request listens of the owner"
    case takeOver = "Take over as the owner"
}

/// The store failed. The operation can be tried again.
package struct ReplicaError: Error, Sendable, Hashable {
    package let message: String
    /// Whether what is stored cannot be read, so that trying again does not help.
    package let isDamage: Bool

    package init(_ message: String, isDamage: Bool = false) {
        self.message = message
        self.isDamage = isDamage
    }
}

/// Whose writes a queue holds. Nil stands for no user: anonymous access, or a service account.
package struct SyncUser: Sendable, Hashable {
    package let id: String?

    package init(_ id: String?) {
        self.id = id
    }
}
