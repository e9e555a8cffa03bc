// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

/// Finds the listeners that a change may concern by looking up the changed document's name, its collection and, within it, the
/// values that queries bind and the ranges in which their rows lie: the work depends on how many different shapes the queries
/// about the document's fields have, not on how many listeners there are.
struct WatchIndex {
    private var documents: [DocumentPath: Set<Watch>] = [:]
    private var collections: [CollectionPath: WatchShapes] = [:]
    private var groups: [Text: WatchShapes] = [:]

    var isEmpty: Bool { documents.isEmpty && collections.isEmpty && groups.isEmpty }

    mutating func insert(_ watch: Watch, _ interest: LiveSource.Interest) {
        switch interest {
        case .document(let path): documents[path, default: []].insert(watch)
        case .collection(let path, let demands):
            for demand in demands { collections[path, default: WatchShapes()].insert(watch, demand) }
        case .group(let id, let demands):
            for demand in demands { groups[id, default: WatchShapes()].insert(watch, demand) }
        }
    }

    mutating func remove(_ watch: Watch, _ interest: LiveSource.Interest) {
        switch interest {
        case .document(let path):
            documents[path]?.remove(watch)
            if documents[path]?.isEmpty ?? false { documents[path] = nil }
        case .collection(let path, let demands):
            for demand in demands { collections[path]?.remove(watch, demand) }
            if collections[path]?.isEmpty ?? false { collections[path] = nil }
        case .group(let id, let demands):
            for demand in demands { groups[id]?.remove(watch, demand) }
            if groups[id]?.isEmpty ?? false { groups[id] = nil }
        }
    }

    /// Whether any listener may be concerned.
    func concerns(_ changes: [DocumentEngine.DocumentChange]) -> Bool {
        var search = WatchSearch(stopsAtFirst: true)
        for change in changes where !search.isDone { visit(change, &search) }
        return search.isDone
    }

    /// The listeners that may be concerned, with the changes that may concern them.
    func route(_ changes: [DocumentEngine.DocumentChange]) -> [Watch: [DocumentEngine.DocumentChange]] {
        var routed: [Watch: [DocumentEngine.DocumentChange]] = [:]
        for change in changes {
            var search = WatchSearch(stopsAtFirst: false)
            visit(change, &search)
            for watch in search.found { routed[watch, default: []].append(change) }
        }
        return routed
    }

    /// Shows the search the listeners that a change may concern.
    func visit(_ change: DocumentEngine.DocumentChange, _ search: inout WatchSearch) {
        if let watches = documents[change.path] { search.add(watches) }
        let collection = change.path.collection
        visit(collections[collection], change, &search)
        visit(groups[collection.group], change, &search)
    }

    private func visit(_ shapes: WatchShapes?, _ change: DocumentEngine.DocumentChange, _ search: inout WatchSearch) {
        guard let shapes else { return }
        for document in [change.old, change.new] {
            if let document { shapes.visit(document, &search) }
        }
    }
}

/// What is looked for in a ``WatchIndex``.
struct WatchSearch {
    /// Whether it is only asked if there is anyone.
    let stopsAtFirst: Bool
    private(set) var found: Set<Watch> = []
    private(set) var isDone = false
    /// How many shapes and ranges were compared with a document.
    var examined = 0

    init(stopsAtFirst: Bool) {
        self.stopsAtFirst = stopsAtFirst
    }

    mutating func add(_ watches: Set<Watch>) {
        if stopsAtFirst { isDone = true } else { found.formUnion(watches) }
    }
}
