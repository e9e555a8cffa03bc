// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import Synchronization

/// What a query found at one moment, in its order.
public final class QuerySnapshot: Sendable {
    /// What was asked.
    public let query: Query
    /// The documents found.
    public let documents: [QueryDocumentSnapshot]
    /// Those of the snapshot that the listener got before.
    private let previous: [QueryDocumentSnapshot]
    private let changes = Mutex<[DocumentChange]?>(nil)

    init(_ query: Query, _ records: consuming [DocumentRecord]) {
        self.query = query
        let database = query.firestore
        var documents: [QueryDocumentSnapshot] = []
        documents.reserveCapacity(records.count)
        // From the end, where a record can be taken out: a copy of it would count references.
        while !records.isEmpty { documents.append(QueryDocumentSnapshot(database, records.removeLast())) }
        documents.reverse()
        self.documents = documents
        previous = []
    }

    init(_ query: Query, _ documents: [QueryDocumentSnapshot], since previous: [QueryDocumentSnapshot]) {
        self.query = query
        self.documents = documents
        self.previous = previous
    }

    /// The number of documents found.
    public var count: Int { documents.count }

    /// Whether nothing was found.
    public var isEmpty: Bool { documents.isEmpty }

    /// Where the snapshot came from.
    public var metadata: SnapshotMetadata { SnapshotMetadata() }

    /// What changed since the snapshot that the listener got before; in the first one, and in one that no listener got, every
    /// document is added.
    ///
    /// First come the removed documents, then the added, then the modified ones, each kind in the query's order, and a document
    /// once (C-26, C-27). They are found when they are asked for first, in about the time of comparing the documents that differ.
    public var documentChanges: [DocumentChange] {
        changes.withLock { changes in
            if let changes { return changes }
            let found = SnapshotDifference(from: previous, to: documents).changes(order: query.order)
            changes = found
            return found
        }
    }

    /// The same: metadata never changes here (C-25).
    public func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange] { documentChanges }
}

extension Query {
    /// Gives a row's place in the query's order as bytes.
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

extension QuerySnapshot: Equatable {
    /// Whether both hold equal documents, in one order, of one query.
    public static func == (lhs: QuerySnapshot, rhs: QuerySnapshot) -> Bool {
        lhs === rhs || (lhs.query == rhs.query && lhs.documents == rhs.documents)
    }
}
