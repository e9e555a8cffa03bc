// SPDX-License-Identifier: Apache-2.0

/// A query with its listeners and its last result.
struct ListenedQuery {
    var listeners: [QueryListener] = []
    var snapshot: ViewSnapshot?

    /// The guests for which the owner of the replica listens.
    var requests: Set<Int> = []

    /// Whether a listener, here or in a guest, wants the server's news.
    var needsServer: Bool { !requests.isEmpty || listeners.contains { $0.options.source != .cache } }
    var isUnused: Bool { requests.isEmpty && listeners.isEmpty }
}

/// The listeners by their queries, and who is told when all results belong to one state.
struct ListenerRegistry {
    var queries: [SyncQuery: ListenedQuery] = [:]
    private(set) var queryOfListener: [Int: SyncQuery] = [:]
    var syncObservers: Set<Int> = []
    var onlineState = OnlineState.unknown

    mutating func add(_ listener: QueryListener, to query: SyncQuery) {
        queries[query, default: ListenedQuery()].listeners.append(listener)
        queryOfListener[listener.id] = query
    }

    /// The query that the listener had; nil if it is unknown or has ended.
    mutating func remove(_ listener: Int) -> SyncQuery? {
        guard let query = queryOfListener.removeValue(forKey: listener) else { return nil }
        queries[query]?.listeners.removeAll { $0.id == listener }
        return query
    }

    /// Ends all listeners of a query.
    mutating func end(_ query: SyncQuery) -> [Int] {
        let ended = queries.removeValue(forKey: query)?.listeners.map(\.id) ?? []
        for listener in ended { queryOfListener[listener] = nil }
        return ended
    }

    /// What the listeners are told of new results.
    mutating func events(for snapshots: [ViewSnapshot]) -> [SyncEffect] {
        var events: [SyncEffect] = []
        for snapshot in snapshots {
            guard var listened = queries[snapshot.query] else { continue }
            for index in listened.listeners.indices {
                if let event = listened.listeners[index].event(for: snapshot, onlineState) {
                    events.append(.snapshot(event, listener: listened.listeners[index].id))
                }
            }
            listened.snapshot = snapshot
            queries[snapshot.query] = listened
        }
        return withInSync(events)
    }

    /// What a listener that has just been added is told.
    mutating func firstEvents(of listener: Int) -> [SyncEffect] {
        guard let query = queryOfListener[listener], let snapshot = queries[query]?.snapshot,
            let index = queries[query]?.listeners.firstIndex(where: { $0.id == listener }),
            let event = queries[query]?.listeners[index].event(for: snapshot, onlineState)
        else { return [] }
        return withInSync([.snapshot(event, listener: listener)])
    }

    /// First results that the new state lets be told.
    mutating func events(at state: OnlineState) -> [SyncEffect] {
        onlineState = state
        var events: [SyncEffect] = []
        for query in queries.keys.sorted(by: { $0.canonicalID < $1.canonicalID }) {
            for index in queries[query]!.listeners.indices {
                if let event = queries[query]!.listeners[index].event(at: state) {
                    events.append(.snapshot(event, listener: queries[query]!.listeners[index].id))
                }
            }
        }
        return withInSync(events)
    }

    private func withInSync(_ events: [SyncEffect]) -> [SyncEffect] {
        events.isEmpty ? [] : events + syncObservers.sorted().map { .snapshotsInSync(observer: $0) }
    }
}
