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

    /// The documents as the program sees them.
    func localDocuments(at paths: Set<DocumentPath>) throws(ReplicaError) -> DocumentChanges {
        var documents: DocumentChanges = [:]
        for path in paths { documents[path] = try records.document(at: path).local }
        return documents
    }
}

/// The documents that an operation may have changed, as the program sees them now.
typealias DocumentChanges = [DocumentPath: SyncDocument]
