// SPDX-License-Identifier: Apache-2.0

/// What a listener wants to be told.
package struct ListenOptions: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case serverAndCache
        /// The server is not asked.
        case cache
    }

    /// Whether to tell changes of ``ViewSnapshot/isFromCache`` and of pending writes alone.
    package var includesMetadataChanges: Bool
    /// Whether the first result is the server's unless the client is offline.
    package var waitsForServer: Bool
    package var source: Source

    package init(
        includesMetadataChanges: Bool = false, waitsForServer: Bool = false, source: Source = .serverAndCache
    ) {
        self.includesMetadataChanges = includesMetadataChanges
        self.waitsForServer = waitsForServer
        self.source = source
    }
}

/// Whether the server can be reached, as far as the client knows.
package enum OnlineState: Sendable, Hashable {
    case unknown, online, offline
}

/// One listener: which results of its query it is told.
struct QueryListener {
    let id: Int
    let options: ListenOptions
    private var hasRaised = false
    private var last: ViewSnapshot?

    init(_ id: Int, _ options: ListenOptions) {
        self.id = id
        self.options = options
    }

    /// What to tell of the result; nil for nothing.
    mutating func event(for snapshot: ViewSnapshot, _ state: OnlineState) -> ViewSnapshot? {
        var snapshot = snapshot
        if !options.includesMetadataChanges {
            snapshot.changes.removeAll { $0.kind == .metadata }
            snapshot.excludesMetadataChanges = true
        }
        defer { last = snapshot }
        if hasRaised { return mustRaise(snapshot) ? snapshot : nil }
        return initial(snapshot, state)
    }

    /// The first result, if the new state lets it be told.
    mutating func event(at state: OnlineState) -> ViewSnapshot? {
        guard !hasRaised, let last else { return nil }
        return initial(last, state)
    }

    private mutating func initial(_ snapshot: ViewSnapshot, _ state: OnlineState) -> ViewSnapshot? {
        guard mustRaiseFirst(snapshot, state) else { return nil }
        hasRaised = true
        return snapshot.asInitial
    }

    private func mustRaiseFirst(_ snapshot: ViewSnapshot, _ state: OnlineState) -> Bool {
        if !snapshot.isFromCache || options.source == .cache { return true }
        if options.waitsForServer, state != .offline { return false }
        return !snapshot.set.isEmpty || snapshot.hasCachedResults || state == .offline
    }

    private func mustRaise(_ snapshot: ViewSnapshot) -> Bool {
        if !snapshot.changes.isEmpty { return true }
        let pendingChanged = last.map { $0.hasPendingWrites != snapshot.hasPendingWrites } ?? false
        return options.includesMetadataChanges && (snapshot.syncStateChanged || pendingChanged)
    }
}
