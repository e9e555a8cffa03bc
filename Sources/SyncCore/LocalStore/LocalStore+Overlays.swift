// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension StoreTransaction {
    /// Computes the overlay of a document again, from all batches of the user, and stores it.
    func recomputeOverlay(of document: inout CachedDocument) throws(ReplicaError) {
        let batches = try records.batches(writing: document.path, of: user)
        var local = document.base
        var changed = document.base.isCached ? ChangedFields.some([]) : .whole
        for batch in batches { batch.applyLocally(to: &local, changing: &changed) }
        document.overlay = batches.last.flatMap { Overlay(of: local, changed: changed, batch: $0.id) }
        try records.setDocument(document)
    }

    /// The same after a batch has left the queue. Of the batches that are left only the last one is read if it decides, so that
    /// a queue of writes of one document is sent in a time that grows with its length, and not with its square.
    ///
    /// - Parameter existed: whether the server's version existed when the batch was queued.
    func recomputeOverlay(
        of document: inout CachedDocument, without batch: MutationBatch, existed: Bool
    ) throws(ReplicaError) {
        guard try isOverlayRight(of: document, without: batch, existed: existed) else {
            return try recomputeOverlay(of: &document)
        }
        try records.setDocument(document)
    }

    /// Whether all that the batch has changed in the document is changed by the last one of the overlay, too.
    private func isOverlayRight(
        of document: CachedDocument, without batch: MutationBatch, existed: Bool
    ) throws(ReplicaError) -> Bool {
        guard let overlay = document.overlay, overlay.batch != batch.id,
            let last = try records.batch(overlay.batch, of: user)
        else { return false }
        if last.replaces(document.path) { return true }
        guard case .patch = overlay.change, existed, document.base.isFound,
            let gone = batch.patchedFields(of: document.path, by: { _ in true }),
            let left = last.patchedFields(of: document.path, by: \.isIncrement)
        else { return false }
        return gone.isSubset(of: left)
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

extension MutationBatch {
    /// Whether the document is what this batch makes of it, whatever was before.
    fileprivate func replaces(_ path: DocumentPath) -> Bool {
        let own = writes.filter { $0.path == path }
        return own.contains(where: \.replacesDocument) && own.allSatisfy { !$0.hasTransforms }
    }

    /// The fields that the batch changes in a document that exists; nil if it may do anything else.
    ///
    /// - Parameter allows: which transforms it may have. Increments start from the batch's own values, whatever was before.
    fileprivate func patchedFields(
        of path: DocumentPath, by allows: (FieldTransform) -> Bool
    ) -> Set<FieldPath>? {
        var fields: Set<FieldPath> = []
        for write in writes where write.path == path {
            switch (write.operation, write.precondition) {
            case (.update(_, let mask?, let transforms), nil), (.update(_, let mask?, let transforms), .exists(true)):
                guard transforms.allSatisfy(allows) else { return nil }
                fields.formUnion(mask + transforms.map(\.path))
            default: return nil
            }
        }
        return fields
    }
}

extension Write {
    var replacesDocument: Bool {
        guard precondition == nil else { return false }
        switch operation {
        case .delete: return true
        case .update(_, let mask, _): return mask == nil
        case .verify: return false
        }
    }

    fileprivate var hasTransforms: Bool {
        if case .update(_, _, let transforms) = operation { !transforms.isEmpty } else { false }
    }
}

extension FieldTransform {
    fileprivate var isIncrement: Bool { if case .increment = operation { true } else { false } }
}
