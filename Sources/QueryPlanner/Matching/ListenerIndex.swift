// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Finds the listeners that a change may affect. It looks up the changed document's name, its collection and, within
/// the collection, the values that queries bind and the ranges that hold their rows. The cost depends on the number of
/// different shapes of queries about the document's fields, not on the number of listeners.
///
/// It knows listeners by identifiers. A listener has one interest.
package struct ListenerIndex {
    private var documents: [DocumentPath: Set<ObjectIdentifier>] = [:]
    private var collections: [CollectionPath: ListenerShapes] = [:]
    private var groups: [Text: ListenerShapes] = [:]
    private var everything: Set<ObjectIdentifier> = []

    package init() {}

    package var isEmpty: Bool {
        documents.isEmpty && collections.isEmpty && groups.isEmpty && everything.isEmpty
    }

    package mutating func insert(_ listener: ObjectIdentifier, _ interest: ListenerInterest) {
        switch interest {
        case .documents(let paths): for path in paths { documents[path, default: []].insert(listener) }
        case .collection(let path, let requirements):
            for requirement in requirements {
                collections[path, default: ListenerShapes()].insert(listener, requirement)
            }
        case .group(let id, let requirements):
            for requirement in requirements { groups[id, default: ListenerShapes()].insert(listener, requirement) }
        case .everything: everything.insert(listener)
        }
    }

    package mutating func remove(_ listener: ObjectIdentifier, _ interest: ListenerInterest) {
        switch interest {
        case .documents(let paths):
            for path in paths {
                documents[path]?.remove(listener)
                if documents[path]?.isEmpty ?? false { documents[path] = nil }
            }
        case .collection(let path, let requirements):
            for requirement in requirements { collections[path]?.remove(listener, requirement) }
            if collections[path]?.isEmpty ?? false { collections[path] = nil }
        case .group(let id, let requirements):
            for requirement in requirements { groups[id]?.remove(listener, requirement) }
            if groups[id]?.isEmpty ?? false { groups[id] = nil }
        case .everything: everything.remove(listener)
        }
    }

    /// Whether a change of a document may affect any listener, whatever its versions are.
    package func mayConcern(_ path: DocumentPath) -> Bool {
        let collection = path.collection
        return !everything.isEmpty || documents[path] != nil || collections[collection] != nil
            || groups[collection.group] != nil
    }

    /// Passes the listeners that a change of a document may affect to the search.
    ///
    /// - Parameters:
    ///   - old: the document before the change; nil if it did not exist.
    ///   - new: the document after the change; nil if it does not exist.
    package func visit(_ path: DocumentPath, _ old: Document?, _ new: Document?, _ search: inout ListenerSearch) {
        if !everything.isEmpty { search.add(everything) }
        if let listeners = documents[path] { search.add(listeners) }
        let collection = path.collection
        visit(collections[collection], old, new, &search)
        visit(groups[collection.group], old, new, &search)
    }

    private func visit(_ shapes: ListenerShapes?, _ old: Document?, _ new: Document?, _ search: inout ListenerSearch) {
        guard let shapes else { return }
        for document in [old, new] {
            if let document { shapes.visit(document, &search) }
        }
    }
}

/// A search in a ``ListenerIndex``.
package struct ListenerSearch {
    /// Whether the search only checks that there is a listener.
    let stopsAtFirst: Bool
    package private(set) var found: Set<ObjectIdentifier> = []
    package private(set) var isDone = false
    /// The number of shapes and ranges compared with a document.
    package internal(set) var examined = 0

    package init(stopsAtFirst: Bool) {
        self.stopsAtFirst = stopsAtFirst
    }

    mutating func add(_ listeners: Set<ObjectIdentifier>) {
        if stopsAtFirst { isDone = true } else { found.formUnion(listeners) }
    }
}
