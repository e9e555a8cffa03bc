// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension StoreTransaction {
    /// Computes the overlay of a document again, from all batches of the user, and stores it.
    func recomputeOverlay(of document: inout CachedDocument) throws(ReplicaError) {
        let batches = try records.batches(writing: document.path, of: user)
        try recomputeOverlay(of: &document, from: batches)
    }

    private func recomputeOverlay(
        of document: inout CachedDocument, from batches: [MutationBatch]
    ) throws(ReplicaError) {
        var local = document.base
        var changed = ChangedFields(of: CachedDocument(base: document.base))
        for batch in batches { batch.applyLocally(to: &local, changing: &changed) }
        document.overlay = batches.last.flatMap { Overlay(of: local, changed: changed, batch: $0.id) }
        try records.setDocument(document)
    }

    /// The same after a batch has left the queue. The batches that are left are read only if neither the overlay itself nor the
    /// last ones tell what they make of the document, so that a queue of writes of one document is sent in a time that grows with
    /// its length, and not with its square.
    ///
    /// - Parameter old: the server's version as it was before.
    func recomputeOverlay(
        of document: inout CachedDocument, without batch: MutationBatch, from old: SyncDocument
    ) throws(ReplicaError) {
        guard let overlay = document.overlay else {
            // What the batches demand of the document is as wrong as it was, so they still change nothing.
            if !old.isFound, !document.base.isFound { return try records.setDocument(document) }
            return try recomputeOverlay(of: &document)
        }
        guard overlay.writes != nil else {
            return try recomputeFromLast(of: &document, without: batch, existed: old.isFound)
        }
        guard let reduction = PatchReduction(of: document, without: batch, from: old), try isRight(reduction, batch)
        else { return try recomputeOverlay(of: &document) }
        document.overlay = reduction.overlay
        try records.setDocument(document)
    }

    private func isRight(_ reduction: PatchReduction, _ batch: MutationBatch) throws(ReplicaError) -> Bool {
        guard reduction.isOfFirst else { return true }
        return try records.batches(writing: reduction.path, of: user, numbered: 0..<batch.id).isEmpty
    }

    /// Of the batches that are left only the last ones are read if they decide.
    ///
    /// - Parameter existed: whether the server's version existed when the batch was queued.
    private func recomputeFromLast(
        of document: inout CachedDocument, without batch: MutationBatch, existed: Bool
    ) throws(ReplicaError) {
        let path = document.path
        var later = LaterBatches(of: document, without: batch, existed: existed)
        while let numbers = later.next {
            later.take(try records.batches(writing: path, of: user, numbered: numbers))
        }
        if later.areEnough { return try records.setDocument(document) }
        let earlier = try records.batches(writing: path, of: user, numbered: 0..<later.start)
        try recomputeOverlay(of: &document, from: earlier + later.batches)
    }

    /// The documents as the program sees them.
    func localDocuments(at paths: Set<DocumentPath>) throws(ReplicaError) -> DocumentChanges {
        var documents: DocumentChanges = [:]
        for path in paths { documents[path] = try records.document(at: path).local }
        return documents
    }
}

/// The documents that an operation may have changed, as the program sees them now.
typealias DocumentChanges = [DocumentPath: SyncDocument]

extension Write {
    var replacesDocument: Bool {
        guard precondition == nil else { return false }
        switch operation {
        case .delete: return true
        case .update(_, let mask, _): return mask == nil
        case .verify: return false
        }
    }
}
