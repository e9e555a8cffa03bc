// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import QueryPlanner

/// The listeners of a hub, and the index that finds those which a change may affect.
struct HubListeners {
    private var index = ListenerIndex()
    private var listeners: [ObjectIdentifier: QueryListener] = [:]

    var isEmpty: Bool { listeners.isEmpty }

    var all: Set<QueryListener> { Set(listeners.values) }

    mutating func insert(_ listener: QueryListener) {
        listeners[ObjectIdentifier(listener)] = listener
        index.insert(ObjectIdentifier(listener), listener.target.interest)
    }

    /// - Returns: whether it was there.
    mutating func remove(_ listener: QueryListener) -> Bool {
        guard listeners.removeValue(forKey: ObjectIdentifier(listener)) != nil else { return false }
        index.remove(ObjectIdentifier(listener), listener.target.interest)
        return true
    }

    /// Whether the changes may affect a listener.
    func areConcerned(by changes: [DocumentEngine.DocumentChange]) -> Bool {
        var search = ListenerSearch(stopsAtFirst: true)
        for change in changes where !search.isDone { index.visit(change.path, change.old, change.new, &search) }
        return search.isDone
    }

    /// The listeners that may be affected, with the changes that may affect them.
    func route(_ changes: [DocumentEngine.DocumentChange]) -> [QueryListener: [DocumentEngine.DocumentChange]] {
        var routed: [QueryListener: [DocumentEngine.DocumentChange]] = [:]
        for change in changes {
            var search = ListenerSearch(stopsAtFirst: false)
            index.visit(change.path, change.old, change.new, &search)
            for identifier in search.found {
                if let listener = listeners[identifier] { routed[listener, default: []].append(change) }
            }
        }
        return routed
    }
}
