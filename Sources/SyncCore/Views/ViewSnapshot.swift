// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A result of a query and how it differs from the one before.
package struct ViewSnapshot: Sendable {
    package let query: SyncQuery
    /// In the query's order.
    package var documents: [SyncDocument] { query.reversesRows ? set.ordered.reversed() : set.ordered }
    /// Removals first, then additions, then the rest; each in the query's order.
    package internal(set) var changes: [DocumentChange]
    /// Whether the result may be incomplete or old.
    package let isFromCache: Bool
    /// Whether ``isFromCache`` has changed.
    package let syncStateChanged: Bool
    /// Whether changes of metadata alone were left out.
    package internal(set) var excludesMetadataChanges = false

    let set: DocumentSet
    /// The documents with writes that the server has not confirmed to this view.
    let mutatedKeys: Set<DocumentPath>
    /// Whether the server has once sent this result, be it empty.
    let hasCachedResults: Bool

    package var hasPendingWrites: Bool { !mutatedKeys.isEmpty }

    /// Whether the document has writes that the server has not confirmed to this view.
    package func hasPendingWrites(_ path: DocumentPath) -> Bool { mutatedKeys.contains(path) }

    /// The same result as a listener sees it that knows nothing yet.
    var asInitial: ViewSnapshot {
        var changes = set.ordered.map { DocumentChange(kind: .added, document: $0) }
        if query.reversesRows { changes.reverse() }
        var snapshot = ViewSnapshot(
            query: query, changes: changes, isFromCache: isFromCache, syncStateChanged: true, set: set,
            mutatedKeys: mutatedKeys, hasCachedResults: hasCachedResults)
        snapshot.excludesMetadataChanges = excludesMetadataChanges
        return snapshot
    }
}
