// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The result of one query: what it shows, what the server has said matches, and what of it is doubtful.
struct View {
    let query: SyncQuery
    private(set) var documents = DocumentSet()
    /// The documents that the server has said match.
    private(set) var syncedKeys: Set<DocumentPath>
    private(set) var isSynced = false
    private(set) var isCurrent = false
    private var limboKeys: Set<DocumentPath> = []
    /// Whether ``limboKeys`` is right but for what changes. It is not while the server has yet to send documents.
    private var knowsLimbo = false
    private var hasSnapshot = false
    private var mutatedKeys: Set<DocumentPath> = []
    /// Documents with an acknowledged write of which the server's listen has told nothing yet.
    private var awaited: [DocumentPath: SyncDocument] = [:]

    var isAwaiting: Bool { !awaited.isEmpty }

    /// Whether this may change the view. A view that was reset waits for the next event in which its target is current.
    func isNews(_ change: TargetChange) -> Bool {
        change.changesDocuments || change.isCurrent != isCurrent || isCurrent && !knowsLimbo
    }

    init(_ query: SyncQuery, syncedKeys: Set<DocumentPath>) {
        self.query = query
        self.syncedKeys = syncedKeys
    }

    // MARK: Changes of documents

    /// The view's documents after some have changed.
    struct Draft {
        fileprivate(set) var documents: DocumentSet
        fileprivate(set) var mutatedKeys: Set<DocumentPath>
        fileprivate(set) var awaited: [DocumentPath: SyncDocument]
        fileprivate(set) var changes = DocumentChangeSet()
        /// Whether documents outside the view may belong to it now, within its limit.
        fileprivate(set) var needsRefill = false
        /// The documents that were compared, or fell out.
        fileprivate(set) var touched: Set<DocumentPath> = []
    }

    /// - Parameters:
    ///   - draft: what to go on from, after a refill.
    ///   - time: up to when the view has the server's news. A write that was committed before and that the listen did
    ///     not tell does not concern the target: nothing more will come.
    func draft(
        of changed: some Sequence<SyncDocument>, after draft: Draft? = nil, toldUpTo time: Timestamp = .noVersion
    ) -> Draft {
        var draft = draft ?? Draft(documents: documents, mutatedKeys: mutatedKeys, awaited: awaited)
        draft.needsRefill = false
        let edge = query.limit == draft.documents.count ? draft.documents.lastKey : nil
        for document in changed {
            var document = document
            if document.version <= time { document.hasCommittedMutations = false }
            draft.touched.insert(document.path)
            apply(document, to: &draft, edge: edge)
        }
        draft.documents.settle()
        guard let limit = query.limit else { return draft }
        while draft.documents.count > limit, let last = draft.documents.last {
            draft.remove(last)
            draft.documents.settle()
        }
        return draft
    }

    private func apply(_ new: SyncDocument, to draft: inout Draft, edge: [UInt8]?) {
        let old = draft.documents[new.path]
        draft.awaited[new.path] = new.hasCommittedMutations && old != nil ? new : nil
        let key = query.sortKey(of: new)
        switch (old, key) {
        case (nil, nil): return
        case (let old?, nil):
            draft.remove(old)
            if edge != nil { draft.needsRefill = true }
        case (nil, let key?):
            draft.changes.track(.added, new)
            draft.put(new, key, isPending: isPending(new))
        case (let old?, let key?):
            if !old.hasSameData(as: new) {
                guard !awaitsConfirmation(old, new) else { return }
                draft.changes.track(.modified, new)
                if let edge, edge.lexicographicallyPrecedes(key) { draft.needsRefill = true }
            } else {
                guard mutatedKeys.contains(old.path) != isPending(new) else { return }
                draft.changes.track(.metadata, new)
            }
            draft.put(new, key, isPending: isPending(new))
        }
    }

    /// A committed write is pending only for a view that has shown it as a local one.
    private func isPending(_ document: SyncDocument) -> Bool {
        document.hasLocalMutations || mutatedKeys.contains(document.path) && document.hasCommittedMutations
    }

    /// Between the acknowledgement of a write and the listen's news of it, the view goes on showing the local guess:
    /// what the replica has is neither the guess nor all that the server will send.
    private func awaitsConfirmation(_ old: SyncDocument, _ new: SyncDocument) -> Bool {
        old.hasLocalMutations && new.hasCommittedMutations && !new.hasLocalMutations
    }

    /// What the view need not wait for any longer after an event in which the server says this of its target.
    func overdue(_ target: TargetChange?, at time: Timestamp) -> [SyncDocument] {
        guard target?.isCurrent ?? isCurrent else { return [] }
        return awaited.values.filter { $0.version <= time }
            .sorted { ResourcePath.compare($0.path.resource, $1.path.resource) < 0 }
    }

    // MARK: Applying

    struct Outcome {
        /// Nil if there is nothing to tell.
        let snapshot: ViewSnapshot?
        let limbo: LimboChange
    }

    struct LimboChange {
        var added: Set<DocumentPath> = []
        var removed: Set<DocumentPath> = []
    }

    /// - Parameters:
    ///   - target: what the server has said of the view's target.
    ///   - isReset: whether the server will send all documents of the target again.
    mutating func apply(_ draft: Draft, _ target: TargetChange?, isReset: Bool = false) -> Outcome {
        documents = draft.documents
        mutatedKeys = draft.mutatedKeys
        awaited = draft.awaited
        var doubtful = draft.touched
        if let target {
            syncedKeys.formUnion(target.added)
            syncedKeys.subtract(target.removed)
            doubtful.formUnion(target.added.union(target.removed))
            isCurrent = target.isCurrent
        }
        if !knowsLimbo { doubtful = limboKeys.union(documents.paths) }
        knowsLimbo = isCurrent && !isReset
        let limbo = knowsLimbo ? updateLimbo(doubtful) : LimboChange()
        return outcome(draft, limbo, isReset: isReset, hasCachedResults: target?.resumeToken.isEmpty == false)
    }

    /// Offline, no result is known to be complete.
    mutating func goOffline() -> ViewSnapshot? {
        guard isCurrent else { return nil }
        isCurrent = false
        knowsLimbo = false
        let draft = Draft(documents: documents, mutatedKeys: mutatedKeys, awaited: awaited)
        return outcome(draft, LimboChange(), isReset: false, hasCachedResults: false).snapshot
    }

    private mutating func outcome(
        _ draft: Draft, _ limbo: LimboChange, isReset: Bool, hasCachedResults: Bool
    ) -> Outcome {
        let synced = isCurrent && limboKeys.isEmpty && !isReset
        let syncStateChanged = synced != isSynced || !hasSnapshot
        isSynced = synced
        hasSnapshot = true
        let changes = sorted(draft.changes.unordered)
        guard !changes.isEmpty || syncStateChanged else { return Outcome(snapshot: nil, limbo: limbo) }
        let snapshot = ViewSnapshot(
            query: query, changes: changes, isFromCache: !isSynced, syncStateChanged: syncStateChanged,
            set: documents, mutatedKeys: mutatedKeys, hasCachedResults: hasCachedResults)
        return Outcome(snapshot: snapshot, limbo: limbo)
    }

    private func sorted(_ changes: [DocumentChange]) -> [DocumentChange] {
        let keyed = changes.map { (change: $0, key: query.sortKey(of: $0.document) ?? []) }
        return keyed.sorted { left, right in
            let ranks = (left.change.kind.rank, right.change.kind.rank)
            if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
            return query.reversesRows
                ? right.key.lexicographicallyPrecedes(left.key) : left.key.lexicographicallyPrecedes(right.key)
        }.map(\.change)
    }

    /// A document that the current target of the view does not contain, and that no local write explains, is doubtful.
    private mutating func updateLimbo(_ paths: Set<DocumentPath>) -> LimboChange {
        var change = LimboChange()
        for path in paths {
            let inLimbo = !syncedKeys.contains(path) && documents[path]?.hasLocalMutations == false
            if inLimbo, limboKeys.insert(path).inserted { change.added.insert(path) }
            if !inLimbo, limboKeys.remove(path) != nil { change.removed.insert(path) }
        }
        return change
    }
}

extension View.Draft {
    fileprivate mutating func put(_ document: SyncDocument, _ key: [UInt8], isPending: Bool) {
        documents.insert(document, key: key)
        if isPending { mutatedKeys.insert(document.path) } else { mutatedKeys.remove(document.path) }
    }

    fileprivate mutating func remove(_ document: SyncDocument) {
        documents.remove(document.path)
        mutatedKeys.remove(document.path)
        awaited[document.path] = nil
        touched.insert(document.path)
        changes.track(.removed, document)
    }
}

extension SyncDocument {
    fileprivate func hasSameData(as other: SyncDocument) -> Bool {
        guard let fields, let others = other.fields else { return false }
        return fields.isIdentical(to: others)
    }
}
