// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import Synchronization

/// The result of a query at one moment.
public final class QuerySnapshot: Sendable {
    /// The query.
    public let query: Query
    /// The documents, in the query's order.
    public let documents: [QueryDocumentSnapshot]
    /// Metadata about the snapshot's origin.
    public let metadata: SnapshotMetadata
    /// The documents of the listener's previous snapshot.
    private let previous: [QueryDocumentSnapshot]
    /// Whether the listener asked for changes of metadata alone.
    private let includesMetadataChanges: Bool
    private let changes = Mutex<[DocumentChange]?>(nil)

    init(_ query: Query, _ records: consuming [DocumentRecord]) {
        self.query = query
        let database = query.firestore
        var documents: [QueryDocumentSnapshot] = []
        documents.reserveCapacity(records.count)
        // From the end, so that records are moved out: a copy would retain what a record refers to.
        while !records.isEmpty { documents.append(QueryDocumentSnapshot(database, records.removeLast())) }
        documents.reverse()
        self.documents = documents
        previous = []
        metadata = SnapshotMetadata()
        includesMetadataChanges = true
    }

    init(
        _ query: Query, _ documents: [QueryDocumentSnapshot], since previous: [QueryDocumentSnapshot] = [],
        _ metadata: SnapshotMetadata, includesMetadataChanges: Bool
    ) {
        self.query = query
        self.documents = documents
        self.previous = previous
        self.metadata = metadata
        self.includesMetadataChanges = includesMetadataChanges
    }

    /// The number of documents.
    public var count: Int { documents.count }

    /// Whether there are no documents.
    public var isEmpty: Bool { documents.isEmpty }

    /// The changes since the listener's previous snapshot. In its first snapshot, and in a snapshot of no listener,
    /// every document is added.
    ///
    /// Removed documents come first, then added, then modified ones, each kind in the query's order; each document
    /// occurs once. The changes are computed on first access. The cost grows with the part of the result between the
    /// first and the last difference.
    public var documentChanges: [DocumentChange] { documentChanges(includeMetadataChanges: false) }

    /// The changes since the listener's previous snapshot; see ``documentChanges``. With `includeMetadataChanges`, a
    /// document of which only ``SnapshotMetadata/hasPendingWrites`` has changed is among the modified ones (C-25).
    ///
    /// - Precondition: a listener that is asked for metadata changes was added with them.
    public func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange] {
        guard !includeMetadataChanges || includesMetadataChanges else {
            misuse(
                "To include metadata changes with your document changes, you must call "
                    + "addSnapshotListener(includeMetadataChanges:true).")
        }
        let all = changes.withLock { changes in
            if let changes { return changes }
            let found = SnapshotDifference(from: previous, to: documents).changes(order: query.order)
            changes = found
            return found
        }
        guard !includeMetadataChanges, documents.first?.synced != nil else { return all }
        return all.filter { !$0.isOfMetadataAlone }
    }
}

extension Query {
    /// Returns a row's position in the query's order as bytes.
    fileprivate var order: (QueryDocumentSnapshot) -> [UInt8] {
        guard let planned = try? planned(), let database = try? firestore.identity(),
            let normalized = try? Normalizer.normalize(planned, database: database)
        else { preconditionFailure("a query that has a snapshot is valid") }
        return { row in
            let key = row.document.flatMap(normalized.sortKey) ?? []
            return normalized.reversesRows ? key.map { ~$0 } : key
        }
    }
}

extension QuerySnapshot: Hashable {
    /// Whether both have equal queries, and equal documents in the same order.
    public static func == (lhs: QuerySnapshot, rhs: QuerySnapshot) -> Bool {
        lhs === rhs || (lhs.query == rhs.query && lhs.documents == rhs.documents)
    }

    /// Hashes the query and the documents.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(query)
        hasher.combine(documents)
    }
}
