// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What a client knows of the others that have its replica open.
struct ReplicaSharing {
    /// Whether this client talks with the server.
    var isOwner = true
    /// The owner's session: in the owner its own, in a guest the one that it has seen last; 0 for none.
    var session = 0
    /// Whether others have been told that this client would be the owner.
    fileprivate(set) var isCandidate = false
    /// How many sessions this client has begun as the owner.
    fileprivate var sessions = 0
    /// The number of the last change of others that was seen; nil before the first transaction.
    fileprivate var seen: Int?
    /// What others have changed and views do not show yet.
    fileprivate(set) var news: ForeignChanges?
    /// Whether the owner has changed the user.
    fileprivate(set) var isUserChanged = false

    mutating func takeNews() -> (changes: ForeignChanges, isUserChanged: Bool)? {
        guard news != nil || isUserChanged else { return nil }
        defer { (news, isUserChanged) = (nil, false) }
        return (news ?? ForeignChanges(last: seen ?? 0), isUserChanged)
    }

    /// Changes that could not be shown yet.
    mutating func restore(_ changes: ForeignChanges) {
        var all = changes
        if let news { all.append(news) }
        news = all
    }
}

extension LocalStore {
    // MARK: Others' changes

    /// Every transaction begins with what others have committed before it, so that no memory is older than the file.
    func noteForeignChanges(_ records: any ReplicaRecords) throws(ReplicaError) {
        let changes = try records.foreignChanges(after: sharing.seen)
        let isFirst = sharing.seen == nil
        if !sharing.isOwner { try adoptUser(records) }
        isUserAwaited = try records.header.unclaimedFrom != nil
        if isFirst || changes.isEmpty { return sharing.seen = changes.last }
        try refresh(changes.isIncomplete ? Set(targets.keys) : changes.targets, records)
        sharing.seen = changes.last
        if sharing.news == nil { sharing.news = changes } else { sharing.news?.append(changes) }
    }

    /// A replica shows one user's writes: those of the user that the owner has.
    private func adoptUser(_ records: any ReplicaRecords) throws(ReplicaError) {
        let shown = try records.header.user
        guard shown != user else { return }
        user = shown
        sharing.isUserChanged = true
    }

    /// What the owner stores of a target is newer than what a guest has in memory. In the owner it is the other way
    /// round, but for pins.
    private func refresh(_ ids: Set<Int>, _ records: any ReplicaRecords) throws(ReplicaError) {
        for id in ids {
            guard let active = targets[id], let stored = try records.target(active.target.canonicalID) else { continue }
            if sharing.isOwner { targets[id]?.isPinned = stored.isPinned } else { targets[id] = stored }
        }
    }

    /// Finds out what others have committed.
    func look() throws(ReplicaError) {
        try read(.look) { (_: any ReplicaRecords) throws(ReplicaError) in }
    }

    /// The documents as the program sees them now.
    func localDocuments(at paths: Set<DocumentPath>) throws(ReplicaError) -> DocumentChanges {
        guard !paths.isEmpty else { return [:] }
        return try read(.look) { (records: any ReplicaRecords) throws(ReplicaError) in
            var documents: DocumentChanges = [:]
            for path in paths { documents[path] = try records.document(at: path).local }
            return documents
        }
    }

    /// What the replica has of active targets, with the documents that the server has said match each.
    func stored(
        _ ids: some Sequence<Int>
    ) throws(ReplicaError) -> (version: Timestamp, targets: [(data: TargetData, keys: Set<DocumentPath>)]) {
        try read(.look) { (records: any ReplicaRecords) throws(ReplicaError) in
            var found: [(data: TargetData, keys: Set<DocumentPath>)] = []
            for id in ids {
                guard let data = targets[id] else { continue }
                found.append((data, try records.keys(of: id)))
            }
            return (try records.header.lastSnapshotVersion, found)
        }
    }

    /// How batches have left the queue whose end nobody has noted. One that has left no trace counts as
    /// acknowledged: another client may also have cancelled or dropped it, which nothing tells.
    func outcomes(of batches: Set<Int>) throws(ReplicaError) -> [Int: SyncError?] {
        try read(.look) { (records: any ReplicaRecords) throws(ReplicaError) in
            var outcomes: [Int: SyncError?] = [:]
            var rejected: [Int: SyncError] = [:]
            var gone = batches
            // A batch may have become another user's since it was queued, who need not be shown any more.
            for user in try records.users() {
                gone.subtract(try records.batches(of: user).map(\.id))
                for batch in try records.rejectedBatches(of: user) { rejected[batch.batch.id] = batch.cause }
            }
            for id in gone { outcomes.updateValue(rejected[id], forKey: id) }
            return outcomes
        }
    }

    // MARK: The owner

    /// Whether the owner says that the target is complete and current.
    func isCurrent(_ target: TargetData) -> Bool { target.session > 0 && target.session == sharing.session }

    /// Lets guests know whether the server is reached. Offline, no target is current any longer.
    func tell(_ state: OnlineState) throws(ReplicaError) {
        if state == .offline || sharing.session == 0 {
            sharing.sessions += 1
            sharing.session = replica.peers.ownNumber << 16 | sharing.sessions & 0xFFFF
        }
        try replica.peers.tell(OwnerState(session: sharing.session, online: state))
        try announce()
    }

    /// Lets others look at what is not in a transaction.
    private func announce() throws(ReplicaError) {
        guard replica.peers.areOthersPresent else { return }
        try read(.look) { (records: any ReplicaRecords) throws(ReplicaError) in records.announce() }
    }

    /// Lets others know whether this client would be the owner. One that does not hear of it keeps the streams.
    func stand(_ isCandidate: Bool) {
        guard isCandidate != sharing.isCandidate, (try? replica.peers.stand(isCandidate)) != nil else { return }
        sharing.isCandidate = isCandidate
        if isCandidate, !sharing.isOwner { try? announce() }
    }

    /// Begins the life as a guest.
    func resign() {
        replica.peers.resign()
        sharing.isOwner = false
        sharing.session = 0
    }

    /// Ends the life as a guest. What the replica has of targets is what the owner has left.
    func takeOver() throws(ReplicaError) {
        try write(.takeOver) { (transaction: StoreTransaction) throws(ReplicaError) in
            let records = transaction.records
            try refresh(Set(targets.keys), records)
            // The server sends all documents of these, and does not name those that are gone.
            for target in targets.values where !target.resumes {
                try transaction.forgetKeys(of: target, atMost: .max)
            }
        }
        sharing.isOwner = true
        sharing.session = 0
    }

    /// The requests of guests that are present. Those of clients that are gone end.
    func requests() throws(ReplicaError) -> [TargetRequest] {
        try read(.request) { (records: any ReplicaRecords) throws(ReplicaError) in
            var living: [TargetRequest] = []
            for request in try records.requests() where request.client != replica.peers.ownNumber {
                if replica.peers.isPresent(request.client) {
                    living.append(request)
                } else {
                    try records.removeRequest(of: request.client, request.query)
                }
            }
            return living
        }
    }

    func refuse(_ client: Int, _ query: SyncQuery, _ error: SyncError) throws(ReplicaError) {
        try read(.request) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.setRequest(TargetRequest(client: client, query: query, needsServer: true, refusal: error))
        }
    }

    // MARK: A guest

    /// This client's requests that the owner has refused.
    func refusedRequests() throws(ReplicaError) -> [TargetRequest] {
        try read(.look) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.requests().filter { $0.client == replica.peers.ownNumber && $0.refusal != nil }
        }
    }

    /// - Parameter wishes: whether each query needs the server; nil for one that has ended.
    func request(_ wishes: [SyncQuery: Bool?]) throws(ReplicaError) {
        let client = replica.peers.ownNumber
        try read(.request) { (records: any ReplicaRecords) throws(ReplicaError) in
            for (query, needsServer) in wishes {
                if let needsServer {
                    try records.setRequest(TargetRequest(client: client, query: query, needsServer: needsServer))
                } else {
                    try records.removeRequest(of: client, query)
                }
            }
        }
    }
}

extension StoreTransaction {
    /// What must not be forgotten: the targets that clients use, and the documents that they show. Before anything is
    /// changed, as queries must run.
    func referencesOfAllClients(
        _ active: some Sequence<Int>, _ pins: ReferenceSet
    ) throws(ReplicaError) -> (targets: Set<Int>, documents: ReferenceSet) {
        var targets = Set(active)
        var documents = pins
        for request in try records.requests() {
            for row in try records.rows(of: request.query) { documents.insert(row.path, 0) }
            guard let target = try records.target(request.query.target.canonicalID) else { continue }
            targets.insert(target.id)
        }
        return (targets, documents)
    }
}

extension ForeignChanges {
    fileprivate var isEmpty: Bool {
        !isIncomplete && documents.isEmpty && targets.isEmpty && outcomes.isEmpty && !isQueueChanged
            && !areRequestsChanged
    }
}
