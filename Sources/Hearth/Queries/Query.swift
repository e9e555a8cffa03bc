// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// A question for documents.
public class Query: @unchecked Sendable {  // Immutable.
    /// The database that the query came from.
    public let firestore: Database
    let state: Result<QueryState, FirestoreError>

    init(_ database: Database, _ state: Result<QueryState, FirestoreError>) {
        firestore = database
        self.state = state
    }
}

struct QueryState: Sendable {
    var query: QueryPlanner.Query

    init(collection path: CollectionPath) {
        query = QueryPlanner.Query(parent: path.parent, from: CollectionSelector(collectionID: path.group))
    }
}
extension Query: SynchronousForms {}
