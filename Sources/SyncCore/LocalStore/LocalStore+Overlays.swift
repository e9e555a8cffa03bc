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
        var changed = document.base.isCached ? ChangedFields.some([]) : .whole
        for batch in batches { batch.applyLocally(to: &local, changing: &changed) }
        document.overlay = batches.last.flatMap { Overlay(of: local, changed: changed, batch: $0.id) }
        try records.setDocument(document)
    }

    /// The same after a batch has left the queue. Of the batches that are left only the last ones are read if they decide, so
    /// that a queue of writes of one document is sent in a time that grows with its length, and not with its square.
    ///
    /// - Parameter existed: whether the server's version existed when the batch was queued.
    func recomputeOverlay(
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
