// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// The records of a replica inside a transaction.
package protocol ReplicaRecords: AnyObject {
    var header: ReplicaHeader { get throws(ReplicaError) }
    func setHeader(_ header: ReplicaHeader) throws(ReplicaError)

    // MARK: Documents

    /// An uncached document if nothing is known.
    func document(at path: DocumentPath) throws(ReplicaError) -> CachedDocument
    /// Stores ``CachedDocument/local`` where queries find it, and the rest beside it unless the document is plain.
    func setDocument(_ document: CachedDocument) throws(ReplicaError)
    /// Forgets the document and when it was last used.
    func removeDocument(at path: DocumentPath) throws(ReplicaError)
    /// The local documents that the query has as its rows, at most its limit, in the order of execution.
    func rows(of query: SyncQuery) throws(ReplicaError) -> [SyncDocument]

    // MARK: The queue

    /// Those who had batches, refused or not, when the transaction began; maybe others.
    func users() throws(ReplicaError) -> Set<SyncUser>
    /// The user's first batch with a greater number.
    func batch(after id: Int, of user: SyncUser) throws(ReplicaError) -> MutationBatch?
    /// In ascending order.
    func batches(of user: SyncUser) throws(ReplicaError) -> [MutationBatch]
    /// The user's batches with these numbers that write the document, in ascending order.
    func batches(
        writing path: DocumentPath, of user: SyncUser, numbered numbers: Range<Int>
    ) throws(ReplicaError) -> [MutationBatch]
    /// Adds the batch, or replaces the one with its number, which writes the same documents.
    func setBatch(_ batch: MutationBatch, of user: SyncUser) throws(ReplicaError)
    func removeBatch(_ id: Int, of user: SyncUser) throws(ReplicaError)
    /// Whether a batch of any user writes the document.
    func isQueued(_ path: DocumentPath) throws(ReplicaError) -> Bool
    /// The user's batches that the server has refused, in ascending order.
    func rejectedBatches(of user: SyncUser) throws(ReplicaError) -> [RejectedBatch]
    func rejectedBatch(_ id: Int, of user: SyncUser) throws(ReplicaError) -> RejectedBatch?
    func setRejectedBatch(_ batch: RejectedBatch, of user: SyncUser) throws(ReplicaError)
    func removeRejectedBatch(_ id: Int, of user: SyncUser) throws(ReplicaError)

    // MARK: Targets

    func target(_ canonicalID: String) throws(ReplicaError) -> TargetData?
    func setTarget(_ target: TargetData) throws(ReplicaError)
    /// Removes the target and its keys.
    func removeTarget(_ id: Int) throws(ReplicaError)
    /// The documents that the server has said match the target, in order, but no more than `limit`.
    func keys(of target: Int, atMost limit: Int) throws(ReplicaError) -> [DocumentPath]
    func addKeys(_ paths: Set<DocumentPath>, to target: Int) throws(ReplicaError)
    func removeKeys(_ paths: Set<DocumentPath>, from target: Int) throws(ReplicaError)
    /// Whether the document matches any target.
    func isInTarget(_ path: DocumentPath) throws(ReplicaError) -> Bool
    /// The targets that the document matches.
    func targets(containing path: DocumentPath) throws(ReplicaError) -> [TargetData]
    /// The targets listed in ``SyncTarget/widerCoverages``, in no particular order. That one itself may be among them.
    func targets(thatMayCover target: SyncTarget) throws(ReplicaError) -> [TargetData]

    // MARK: Last uses

    /// Notes when the document ceased to be part of a target, a view or a write.
    func setLastUse(_ sequence: Int, of path: DocumentPath) throws(ReplicaError)
    /// The smallest of the last uses of all targets that are not pinned and of all documents in no target, ascending.
    func leastUses(_ limit: Int) throws(ReplicaError) -> [Int]
    /// The targets that are not pinned and were last used at or before `sequence`, in the order of their uses, but no more than
    /// `limit`. The cost does not grow with the number of pinned ones.
    func targets(usedUpTo sequence: Int, atMost limit: Int) throws(ReplicaError) -> [TargetData]
    /// The documents in no target last used at or before `sequence`, in the order of their uses, but no more than `limit`.
    func documents(usedUpTo sequence: Int, atMost limit: Int) throws(ReplicaError) -> [DocumentPath]
    /// Removes those of the first `count` last uses whose documents are in a target: each gets another when it leaves its
    /// last target.
    ///
    /// - Returns: whether there were any.
    func dropUsesInTargets(amongFirst count: Int) throws(ReplicaError) -> Bool
    /// The bytes in use.
    var size: Int { get throws(ReplicaError) }

    // MARK: Other clients

    /// What other clients have committed after their change with this number; only the last number for nil.
    func foreignChanges(after number: Int?) throws(ReplicaError) -> ForeignChanges
    /// Notes for other clients how a batch leaves the queue: with an error, or acknowledged.
    func noteOutcome(of batch: Int, _ error: SyncError?)
    /// Lets other clients look, even if nothing else changes.
    func announce()
    /// Those of all guests, in no particular order.
    func requests() throws(ReplicaError) -> [TargetRequest]
    /// Adds the request, or replaces the one of the same client and query.
    func setRequest(_ request: TargetRequest) throws(ReplicaError)
    func removeRequest(of client: Int, _ query: SyncQuery) throws(ReplicaError)

    // MARK: Bundles

    func bundle(_ id: String) throws(ReplicaError) -> BundleRecord?
    func setBundle(_ bundle: BundleRecord) throws(ReplicaError)
    /// Forgets that the bundle was loaded.
    func removeBundle(_ id: String) throws(ReplicaError)
    func namedQuery(_ name: String) throws(ReplicaError) -> NamedQuery?
    func setNamedQuery(_ query: NamedQuery) throws(ReplicaError)
}

extension ReplicaRecords {
    /// The user's batches that write the document, in ascending order.
    package func batches(writing path: DocumentPath, of user: SyncUser) throws(ReplicaError) -> [MutationBatch] {
        try batches(writing: path, of: user, numbered: 0..<Int.max)
    }

    /// The documents that the server has said match the target.
    func keys(of target: Int) throws(ReplicaError) -> Set<DocumentPath> { Set(try keys(of: target, atMost: .max)) }

    /// Stores a document of the server that no program has used yet. Collection finds documents by their uses, and forgets
    /// those first that have the oldest: none is older than this one.
    package func storeUnused(_ document: SyncDocument) throws(ReplicaError) {
        try setDocument(CachedDocument(base: document))
        try setLastUse(0, of: document.path)
    }
}

/// What a replica knows of itself.
package struct ReplicaHeader: Sendable, Hashable {
    /// Whose overlays the documents carry.
    package var user: SyncUser
    /// From this number on, batches of ``user`` belong to the user whom credentials name next; nil if they have named ``user``.
    package var unclaimedFrom: Int?
    /// The time of the last consistent state that the server has sent.
    package var lastSnapshotVersion: Timestamp
    package var highestTarget: Int
    package var highestBatch: Int
    /// The number of the last transaction that used documents.
    package var highestSequence: Int
    /// Whether something in the replica cannot be read. It is made anew when it is opened next.
    package var isDamaged = false
    /// The markers of commits that have left the queue, to be deleted by the next commit with one.
    package var spentMarkers: [CommitMarker] = []
    /// What the replica knows of the whole database, if a push has made it.
    package var whole: WholeState?

    package init(
        user: SyncUser = SyncUser(nil), lastSnapshotVersion: Timestamp = .noVersion, highestTarget: Int = 0,
        highestBatch: Int = 0, highestSequence: Int = 0
    ) {
        self.user = user
        self.lastSnapshotVersion = lastSnapshotVersion
        self.highestTarget = highestTarget
        self.highestBatch = highestBatch
        self.highestSequence = highestSequence
    }
}

/// A target and how far its listen has come.
package struct TargetData: Sendable {
    package let target: SyncTarget
    /// The number by which the client knows the target. The numbers on the wire are others.
    package let id: Int
    package var sequence: Int
    /// When ``resumeToken`` was true.
    package var snapshotVersion: Timestamp
    package var resumeToken: [UInt8]
    /// When the documents that the replica has of the target were all that matched; ``Timestamp/noVersion`` if some are
    /// missing.
    package var completeVersion: Timestamp
    /// Whether collection spares the target, and so its documents.
    package var isPinned: Bool
    /// The owner's session in which the server has said that the target is complete and current; 0 if it has not, or no
    /// longer.
    package var session: Int

    package init(
        _ target: SyncTarget, id: Int, sequence: Int, snapshotVersion: Timestamp = .noVersion,
        resumeToken: [UInt8] = [], completeVersion: Timestamp = .noVersion, isPinned: Bool = false, session: Int = 0
    ) {
        self.target = target
        self.id = id
        self.sequence = sequence
        self.snapshotVersion = snapshotVersion
        self.resumeToken = resumeToken
        self.completeVersion = completeVersion
        self.isPinned = isPinned
        self.session = session
    }

    /// Whether a listen goes on from what the replica has.
    var resumes: Bool { !resumeToken.isEmpty || snapshotVersion > .noVersion }

    /// What the replica has of the target is wrong: no listen may resume from it, not even after a crash.
    mutating func distrust() {
        resumeToken = []
        snapshotVersion = .noVersion
        completeVersion = .noVersion
        session = 0
    }
}

/// A bundle that was loaded, and of which nothing was forgotten since.
package struct BundleRecord: Sendable, Hashable {
    package let id: String
    package let createTime: Timestamp

    package init(id: String, createTime: Timestamp) {
        self.id = id
        self.createTime = createTime
    }
}

/// A query of a bundle.
package struct NamedQuery: Sendable {
    package let name: String
    package let query: SyncQuery
    package let readTime: Timestamp

    package init(name: String, query: SyncQuery, readTime: Timestamp) {
        self.name = name
        self.query = query
        self.readTime = readTime
    }
}
