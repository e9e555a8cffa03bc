// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner
internal import SyncCore

/// What a program listens to, and how.
struct ListenerRequest: Sendable {
    let firestore: Database
    /// The path of the query, for messages.
    let path: String
    let options: SnapshotListenOptions
    /// For a database without a remote.
    let target: @Sendable (Engine) throws(FirestoreError) -> ListenerTarget
    /// For a database with one.
    let query: @Sendable (DatabaseID) throws(FirestoreError) -> SyncQuery
    /// The greatest number of states that wait for the program.
    var limit = ListenerRequest.usualLimit

    /// For listeners that want every state.
    static let usualLimit = 256
}

extension SnapshotListenOptions {
    /// What the client's machine calls these options.
    var synced: ListenOptions {
        ListenOptions(
            includesMetadataChanges: includeMetadataChanges, source: source == .cache ? .cache : .serverAndCache)
    }
}

extension DocumentReference {
    func listenerRequest(_ options: SnapshotListenOptions) -> ListenerRequest {
        ListenerRequest(
            firestore: firestore, path: path, options: options,
            target: { [self] _ throws(FirestoreError) in try listenerTarget() },
            query: { [self] _ throws(FirestoreError) in SyncQuery(document: try own()) })
    }
}

extension Query {
    func listenerRequest(_ options: SnapshotListenOptions) -> ListenerRequest {
        ListenerRequest(
            firestore: firestore, path: describedPath, options: options, target: listenerTarget, query: syncQuery)
    }

    /// The query that can be listened to.
    func syncQuery(_ database: DatabaseID) throws(FirestoreError) -> SyncQuery {
        let planned = try planned()
        guard planned.nearest == nil else { throw .vectorSearchHasNoListener }
        do { return try SyncQuery(planned, database: database) } catch {
            throw FirestoreError(.invalidArgument, error.message)
        }
    }
}

extension FirestoreError {
    static var vectorSearchHasNoListener: FirestoreError {
        .invalidArgument("A vector search cannot be listened to. Run it with getDocuments().")
    }
}
