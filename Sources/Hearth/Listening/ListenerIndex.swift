// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

/// Finds the listeners that a change may affect. It looks up the changed document's name, its collection and, within
/// the collection, the values that queries bind and the ranges that hold their rows. The cost depends on the number of
/// different shapes of queries about the document's fields, not on the number of listeners.
struct ListenerIndex {
    private var documents: [DocumentPath: Set<QueryListener>] = [:]
    private var collections: [CollectionPath: ListenerShapes] = [:]
    private var groups: [Text: ListenerShapes] = [:]

    var isEmpty: Bool { documents.isEmpty && collections.isEmpty && groups.isEmpty }

    mutating func insert(_ listener: QueryListener, _ interest: ListenerTarget.Interest) {
        switch interest {
        case .document(let path): documents[path, default: []].insert(listener)
        case .collection(let path, let requirements):
            for requirement in requirements {
                collections[path, default: ListenerShapes()].insert(listener, requirement)
            }
        case .group(let id, let requirements):
            for requirement in requirements { groups[id, default: ListenerShapes()].insert(listener, requirement) }
        }
    }

    mutating func remove(_ listener: QueryListener, _ interest: ListenerTarget.Interest) {
        switch interest {
        case .document(let path):
            documents[path]?.remove(listener)
            if documents[path]?.isEmpty ?? false { documents[path] = nil }
        case .collection(let path, let requirements):
            for requirement in requirements { collections[path]?.remove(listener, requirement) }
            if collections[path]?.isEmpty ?? false { collections[path] = nil }
        case .group(let id, let requirements):
            for requirement in requirements { groups[id]?.remove(listener, requirement) }
            if groups[id]?.isEmpty ?? false { groups[id] = nil }
        }
    }

    /// Whether the changes may affect a listener.
    func concerns(_ changes: [DocumentEngine.DocumentChange]) -> Bool {
        var search = ListenerSearch(stopsAtFirst: true)
        for change in changes where !search.isDone { visit(change, &search) }
        return search.isDone
    }

    /// The listeners that may be affected, with the changes that may affect them.
    func route(_ changes: [DocumentEngine.DocumentChange]) -> [QueryListener: [DocumentEngine.DocumentChange]] {
        var routed: [QueryListener: [DocumentEngine.DocumentChange]] = [:]
        for change in changes {
            var search = ListenerSearch(stopsAtFirst: false)
            visit(change, &search)
            for listener in search.found { routed[listener, default: []].append(change) }
        }
        return routed
    }

    /// Passes the listeners that a change may affect to the search.
    func visit(_ change: DocumentEngine.DocumentChange, _ search: inout ListenerSearch) {
        if let listeners = documents[change.path] { search.add(listeners) }
        let collection = change.path.collection
        visit(collections[collection], change, &search)
        visit(groups[collection.group], change, &search)
    }

    private func visit(
        _ shapes: ListenerShapes?, _ change: DocumentEngine.DocumentChange, _ search: inout ListenerSearch
    ) {
        guard let shapes else { return }
        for document in [change.old, change.new] {
            if let document { shapes.visit(document, &search) }
        }
    }
}

/// A search in a ``ListenerIndex``.
struct ListenerSearch {
    /// Whether the search only checks that there is a listener.
    let stopsAtFirst: Bool
    private(set) var found: Set<QueryListener> = []
    private(set) var isDone = false
    /// The number of shapes and ranges compared with a document.
    var examined = 0

    init(stopsAtFirst: Bool) {
        self.stopsAtFirst = stopsAtFirst
    }

    mutating func add(_ listeners: Set<QueryListener>) {
        if stopsAtFirst { isDone = true } else { found.formUnion(listeners) }
    }
}
