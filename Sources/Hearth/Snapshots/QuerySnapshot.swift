// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What a query found at one moment, in its order.
public final class QuerySnapshot: Sendable {
    /// What was asked.
    public let query: Query
    /// The documents found.
    public let documents: [QueryDocumentSnapshot]

    init(_ query: Query, _ records: [DocumentRecord]) {
        self.query = query
        let database = query.firestore
        documents = records.map { QueryDocumentSnapshot(database, $0) }
    }

    /// The number of documents found.
    public var count: Int { documents.count }

    /// Whether nothing was found.
    public var isEmpty: Bool { documents.isEmpty }

    /// Where the snapshot came from.
    public var metadata: SnapshotMetadata { SnapshotMetadata() }
}
