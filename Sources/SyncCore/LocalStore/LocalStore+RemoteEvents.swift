// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// A token is stored without changes of documents if it is this much newer than the stored one.
    private static let tokenAge = 5 * 60 * 1_000_000

    /// Makes a consistent state of the server's durable: documents, which targets they match, and tokens.
    func apply(_ event: RemoteEvent) throws(ReplicaError) -> DocumentChanges {
        var updated: [Int: TargetData] = [:]
        let changes = try write(.applyRemoteEvent) { (transaction: StoreTransaction) throws(ReplicaError) in
            updated = targets
            for (id, change) in event.targetChanges {
                guard let old = updated[id] else { continue }
                updated[id] = try transaction.update(old, change, event, sharing.session)
            }
            try transaction.touch(event.resolvedLimboDocuments)
            let changes = try transaction.store(event.documents)
            guard event.version != .noVersion else { return changes }
            var header = try transaction.records.header
            header.lastSnapshotVersion = event.version
            try transaction.records.setHeader(header)
            return changes
        }
        targets = updated
        return changes
    }

    /// Notes which documents views show. If the store fails, only the order of collection suffers.
    func note(_ changes: [ViewReferenceChange]) {
        for change in changes {
            for path in change.added { pins.insert(path, change.target) }
            for path in change.removed { pins.remove(path, change.target) }
        }
        let touched = changes.reduce(into: Set<DocumentPath>()) { $0.formUnion($1.removed) }
        guard !touched.isEmpty else { return }
        try? write(.notifyViewChanges) { (transaction: StoreTransaction) throws(ReplicaError) in
            try transaction.touch(touched)
        }
    }

    fileprivate static func mustStore(_ new: TargetData, _ old: TargetData, _ change: TargetChange) -> Bool {
        if new.isComplete != old.isComplete || new.session != old.session { return true }
        guard !new.resumeToken.isEmpty else { return false }
        let age = new.snapshotVersion.microseconds - old.snapshotVersion.microseconds
        return old.resumeToken.isEmpty || age >= tokenAge || change.changesDocuments
    }
}

/// The documents that a view has begun or ceased to show.
struct ViewReferenceChange {
    let target: Int
    let added: Set<DocumentPath>
    let removed: Set<DocumentPath>
}

extension StoreTransaction {
    fileprivate func update(
        _ old: TargetData, _ change: TargetChange, _ event: RemoteEvent, _ session: Int
    ) throws(ReplicaError) -> TargetData {
        try records.removeKeys(change.removed, from: old.id)
        try records.addKeys(change.added, to: old.id)
        try touch(change.removed)
        var new = old
        new.sequence = sequence
        if event.mismatches[old.id] != nil {
            if old.startsFromWhole(try records.header) { try endWholeState() }
            new.distrust()
            try records.setTarget(new)
            return new
        }
        if !change.resumeToken.isEmpty {
            new.resumeToken = change.resumeToken
            new.snapshotVersion = event.version
        }
        new.session = change.isCurrent ? session : 0
        if change.isCurrent {
            new.completeVersion = event.version
        } else if !change.removed.isEmpty {
            // Documents that match may have been dropped, to be sent again.
            new.completeVersion = .noVersion
        }
        if LocalStore.mustStore(new, old, change) { try records.setTarget(new) }
        return new
    }

    /// Stores the documents that are newer than the cached ones. Returns all that were, as the program sees them.
    func store(_ documents: [DocumentPath: SyncDocument]) throws(ReplicaError) -> DocumentChanges {
        var changes: DocumentChanges = [:]
        for (path, document) in documents {
            var cached = try records.document(at: path)
            let old = cached.base
            guard document.supersedes(old) else { continue }
            cached.base = document
            try noteChange()
            // Writes may begin or cease to apply, or to keep fields of the document.
            if old.isFound != document.isFound {
                try recomputeOverlay(of: &cached)
            } else {
                cached.overlay?.noteVersion(document, after: old)
                try records.setDocument(cached)
            }
            if !document.isCached, cached.overlay == nil { try forgetDocument(at: path) }
            changes[path] = cached.local
        }
        return changes
    }
}

extension TargetData {
    fileprivate var isComplete: Bool { completeVersion > .noVersion }

    fileprivate func startsFromWhole(_ header: ReplicaHeader) -> Bool {
        resumeToken.isEmpty && header.whole?.version == snapshotVersion
    }
}

extension SyncDocument {
    /// Whether the client forgets `cached`, or learns something newer. An equal version counts if it confirms an
    /// acknowledged write.
    fileprivate func supersedes(_ cached: SyncDocument) -> Bool {
        !isCached || !cached.isCached || version > cached.version
            || version == cached.version && cached.hasCommittedMutations
    }
}
