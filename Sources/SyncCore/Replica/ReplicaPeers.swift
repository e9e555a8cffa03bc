// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// The clients that have one replica open, in all processes. One of them, the owner, talks with the server; the others are
/// guests.
///
/// What it tells is true at the moment of the call: a client that dies ceases to be present, and to be the owner.
package protocol ReplicaPeers: AnyObject {
    /// This client's number, which no other client that is present has. At least 1.
    var ownNumber: Int { get }
    /// Whether another client has the replica open.
    var areOthersPresent: Bool { get }
    /// Whether this other client has the replica open.
    func isPresent(_ client: Int) -> Bool
    /// Becomes the owner unless another client is.
    ///
    /// - Returns: whether this client is the owner, maybe already.
    func claim() throws(ReplicaError) -> Bool
    /// Ceases to be the owner.
    func resign()
    /// Says whether this client would be the owner. At first it would not.
    func stand(_ isCandidate: Bool) throws(ReplicaError)
    /// Whether another client would be the owner.
    var areOthersStanding: Bool { get }
    /// What the owner has told; nil if there is no owner, or if it has told nothing yet.
    var ownerState: OwnerState? { get }
    /// Tells something as the owner.
    func tell(_ state: OwnerState) throws(ReplicaError)
}

/// What the guests of a replica must know of its owner.
package struct OwnerState: Sendable, Hashable {
    /// Targets whose ``TargetData/session`` this is are complete and current. Greater than 0, and below 2^48.
    package var session: Int
    package var online: OnlineState

    package init(session: Int, online: OnlineState) {
        self.session = session
        self.online = online
    }
}

/// What other clients have done to a replica.
package struct ForeignChanges: Sendable {
    /// The number of the last change of others.
    package var last: Int
    /// Whether there may be more changes than those named here: all must be read again.
    package var isIncomplete = false
    package var documents: Set<DocumentPath> = []
    /// The targets whose data or documents have changed.
    package var targets: Set<Int> = []
    /// How batches have left the queue: nil for an acknowledged one.
    package var outcomes: [Int: SyncError?] = [:]
    package var isQueueChanged = false
    package var areRequestsChanged = false

    package init(last: Int) {
        self.last = last
    }

    /// Adds what came after.
    mutating func append(_ later: ForeignChanges) {
        last = later.last
        isIncomplete = isIncomplete || later.isIncomplete
        documents.formUnion(later.documents)
        targets.formUnion(later.targets)
        outcomes.merge(later.outcomes) { $1 }
        isQueueChanged = isQueueChanged || later.isQueueChanged
        areRequestsChanged = areRequestsChanged || later.areRequestsChanged
    }
}

/// A guest's wish that the owner listens to a query.
package struct TargetRequest: Sendable {
    /// The guest.
    package let client: Int
    package let query: SyncQuery
    /// Whether the server is to be asked. What only the cache is asked for is not to be forgotten.
    package var needsServer: Bool
    /// Why the server has refused it.
    package var refusal: SyncError?

    package init(client: Int, query: SyncQuery, needsServer: Bool, refusal: SyncError? = nil) {
        self.client = client
        self.query = query
        self.needsServer = needsServer
        self.refusal = refusal
    }
}
