// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Finds the queries whose collections contain a document, so that a change is not compared with every view.
struct ViewRouter {
    private var ofDocument: [DocumentPath: Set<SyncQuery>] = [:]
    private var ofCollection: [CollectionPath: Set<SyncQuery>] = [:]
    private var ofGroup: [Text: Set<SyncQuery>] = [:]
    private var others: Set<SyncQuery> = []

    mutating func insert(_ query: SyncQuery) {
        update(query) { $0.insert(query) }
    }

    mutating func remove(_ query: SyncQuery) {
        update(query) { $0.remove(query) }
    }

    func queries(for path: DocumentPath) -> Set<SyncQuery> {
        others.union(ofDocument[path] ?? []).union(ofCollection[path.collection] ?? [])
            .union(ofGroup[path.collection.group] ?? [])
    }

    private mutating func update(_ query: SyncQuery, _ change: (inout Set<SyncQuery>) -> Void) {
        switch query.kind {
        case .document(let path): ViewRouter.update(&ofDocument, path, change)
        case .rows(let matcher):
            switch matcher.query.scope {
            case .collection(let collection): ViewRouter.update(&ofCollection, collection, change)
            case .collectionGroup(let id, _): ViewRouter.update(&ofGroup, id, change)
            case .children, .descendants: change(&others)
            }
        }
    }

    private static func update<Key>(
        _ queries: inout [Key: Set<SyncQuery>], _ key: Key, _ change: (inout Set<SyncQuery>) -> Void
    ) {
        change(&queries[key, default: []])
        if queries[key]?.isEmpty == true { queries[key] = nil }
    }
}
