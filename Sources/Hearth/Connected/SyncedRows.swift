// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

/// A listener's rows. What a result shares with the one before is not built again.
struct SyncedRows {
    private var rows: [DocumentPath: QueryDocumentSnapshot] = [:]

    /// The rows of the next result.
    mutating func update(to result: ViewSnapshot, in firestore: Database) -> [QueryDocumentSnapshot] {
        guard let identity = firestore.openEngine?.database else { return [] }
        let changed = Set(result.changes.map(\.document.path))
        var updated: [DocumentPath: QueryDocumentSnapshot] = [:]
        let documents = result.documents.map { document in
            let isPending = result.hasPendingWrites(document.path)
            let known = changed.contains(document.path) ? nil : rows[document.path]
            let row: QueryDocumentSnapshot
            if let known, let synced = known.synced, synced.hasPendingWrites == isPending {
                let isSame = known.metadata.isFromCache == result.isFromCache
                row = isSame ? known : QueryDocumentSnapshot(synced, isFromCache: result.isFromCache)
            } else {
                let synced = SyncedDocument(document, in: firestore, identity, hasPendingWrites: isPending)
                row = QueryDocumentSnapshot(synced, isFromCache: result.isFromCache)
            }
            updated[document.path] = row
            return row
        }
        rows = updated
        return documents
    }
}

extension SnapshotMetadata {
    init(_ result: ViewSnapshot) {
        self.init(hasPendingWrites: result.hasPendingWrites, isFromCache: result.isFromCache)
    }
}
