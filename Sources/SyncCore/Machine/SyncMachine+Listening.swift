// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Listeners, and the views of their queries.
extension SyncMachine {
    func listen(to query: SyncQuery, _ listener: QueryListener) {
        do throws(ReplicaError) { try use(query, needsServer: listener.options.source != .cache) } catch {
            return effects.append(.listenerFailed(SyncError(error), listener: listener.id))
        }
        registry.add(listener, to: query)
        areRequestsDue = true
        effects += registry.firstEvents(of: listener.id)
    }

    /// Makes the view of a query, or lets the server be asked for one that only the cache was asked for.
    func use(_ query: SyncQuery, needsServer: Bool) throws(ReplicaError) {
        guard let listened = registry.queries[query] else {
            registry.queries[query] = ListenedQuery(snapshot: try open(query, needsServer: needsServer))
            return
        }
        guard needsServer, !listened.needsServer else { return }
        let target = try allocate(query)
        watch(target, isLimbo: false)
        // It stays current when the server is no longer listened to, and may be old by now.
        guard isOwner ? !isServerNeeded(for: target.id) : !store.isCurrent(target),
            let snapshot = views[query]?.view.goOffline()
        else { return }
        effects += registry.events(for: [snapshot])
    }

    func unlisten(_ listener: Int) {
        guard let query = registry.remove(listener) else { return }
        areRequestsDue = true
        endUse(of: query)
    }

    /// Ends what a query no longer needs, after a listener or a request of it has ended.
    func endUse(of query: SyncQuery) {
        guard let listened = registry.queries[query], let target = views[query]?.target else { return }
        if listened.isUnused {
            _ = registry.end(query)
            closeView(of: query)
        }
        if queriesOfTarget[target] == nil {
            release(target)
            unwatch(target)
            endLimbo(of: target)
        } else if !isServerNeeded(for: target) {
            unwatch(target)
            endSession(of: target)
        }
    }

    /// Whether a listener of a query that has this target wants the server's news.
    func isServerNeeded(for target: Int) -> Bool {
        queriesOfTarget[target]?.contains { registry.queries[$0]?.needsServer == true } ?? false
    }

    /// Nobody listens to the target any more.
    func release(_ target: Int) {
        endSession { () throws(ReplicaError) in try store.release(target) }
    }

    /// Nobody listens to the server for the target any more.
    private func endSession(of target: Int) {
        guard isOwner else { return }
        endSession { () throws(ReplicaError) in try store.endSession(of: target) }
    }

    /// Stores that a target is not kept current, so that guests do not call it so. If that fails, they call no target current until
    /// the server has spoken again.
    private func endSession(_ body: () throws(ReplicaError) -> Void) {
        do throws(ReplicaError) { try body() } catch {
            guard isOwner else { return }
            store.sharing.session = 0
            try? store.tell(online.state)
        }
    }

    /// Makes the view of a query from what the replica has.
    func open(_ query: SyncQuery, needsServer: Bool) throws(ReplicaError) -> ViewSnapshot? {
        let target = try allocate(query)
        let rows = try store.rows(of: query)
        var view = View(query, syncedKeys: rows.keys)
        // A query that shares its target with another one is as current as that.
        let isCurrent =
            queriesOfTarget[target.id]?.first { !needsServer || registry.queries[$0]?.needsServer == true }
            .flatMap { views[$0]?.view.isSynced }
            ?? (!isOwner && store.isCurrent(target))
        let outcome = view.apply(
            view.draft(of: rows.documents),
            TargetChange(resumeToken: target.resumeToken, isCurrent: isCurrent))
        views[query] = (view, target.id)
        noteAwaiting(query)
        router.insert(query)
        queriesOfTarget[target.id, default: []].append(query)
        follow(outcome.limbo, of: target.id)
        store.note([ViewReferenceChange(target.id, outcome.snapshot)])
        if needsServer { watch(target, isLimbo: false) }
        return outcome.snapshot
    }

    func allocate(_ query: SyncQuery) throws(ReplicaError) -> TargetData {
        // Who has not started does not know yet whether there is an owner.
        let isRequested = !isOwner || offlineCauses.contains(.notStarted)
        let target = try store.allocate(query.target, of: query, isRequested: isRequested)
        if isRequested {
            requested[query] = false
            areRequestsDue = true
        }
        return target
    }

    private func closeView(of query: SyncQuery) {
        guard let target = views.removeValue(forKey: query)?.target else { return }
        router.remove(query)
        awaitingQueries.remove(query)
        queriesOfTarget[target]?.removeAll { $0 == query }
        if queriesOfTarget[target]?.isEmpty == true { queriesOfTarget[target] = nil }
    }

    /// Ends the listeners of a target that the server has refused.
    func endViews(of target: Int, _ error: SyncError) {
        for query in queriesOfTarget[target] ?? [] {
            closeView(of: query)
            refuse(query, error)
            for listener in registry.end(query) { effects.append(.listenerFailed(error, listener: listener)) }
        }
        endLimbo(of: target)
    }

    // MARK: Changes

    /// Shows changed documents in the views that they concern, then tells the listeners.
    func emit(_ changes: DocumentChanges, _ event: RemoteEvent? = nil) {
        let documents = changes.values.sorted { ResourcePath.compare($0.path.resource, $1.path.resource) < 0 }
        var concerned: [SyncQuery: [SyncDocument]] = [:]
        for document in documents {
            // The views that show it may lose it.
            let showing = store.pins.targets(of: document.path).flatMap { queriesOfTarget[$0] ?? [] }
            for query in router.queries(for: document).union(showing) { concerned[query, default: []].append(document) }
        }
        if let event {
            for query in queriesTold(by: event) { concerned[query, default: []] += [] }
            for query in awaitingQueries {
                let (view, target) = views[query]!
                let overdue = view.overdue(event.targetChanges[target], at: event.version)
                    .filter { changes[$0.path] == nil }
                if !overdue.isEmpty { concerned[query, default: []] += overdue }
            }
        }
        show(concerned, event)
    }

    private func show(_ concerned: [SyncQuery: [SyncDocument]], _ event: RemoteEvent?) {
        var snapshots: [ViewSnapshot] = []
        var references: [ViewReferenceChange] = []
        for query in concerned.keys.sorted(by: { $0.canonicalID < $1.canonicalID }) {
            guard let snapshot = update(query, concerned[query]!, event) else { continue }
            snapshots.append(snapshot)
            references.append(ViewReferenceChange(views[query]!.target, snapshot))
        }
        effects += registry.events(for: snapshots)
        store.note(references)
    }

    /// The queries of whose targets an event says more than a new token. Every boundary has one for all targets.
    private func queriesTold(by event: RemoteEvent) -> [SyncQuery] {
        event.targetChanges.flatMap { target, change in
            let queries = queriesOfTarget[target] ?? []
            return event.mismatches[target] == nil ? queries.filter { views[$0]!.view.isNews(change) } : queries
        }
    }

    private func update(_ query: SyncQuery, _ documents: [SyncDocument], _ event: RemoteEvent?) -> ViewSnapshot? {
        guard let (view, target) = views[query] else { return nil }
        viewUpdates += 1
        let isCurrent = event?.targetChanges[target]?.isCurrent ?? view.isCurrent
        let time = event.map { isCurrent ? $0.version : .noVersion } ?? .noVersion
        var draft = view.draft(of: documents, toldUpTo: time)
        if draft.needsRefill {
            do throws(ReplicaError) {
                draft = view.draft(of: try store.rows(of: query).documents, after: draft, toldUpTo: time)
            } catch {
                fillLater(query, error)
            }
        }
        guard
            let outcome = views[query]?.view.apply(
                draft, event?.targetChanges[target], isReset: event?.mismatches[target] != nil)
        else { return nil }
        noteAwaiting(query)
        follow(outcome.limbo, of: target)
        return outcome.snapshot
    }

    /// The result is short until the replica can be read. What is damaged is healed when the replica is next opened.
    private func fillLater(_ query: SyncQuery, _ error: ReplicaError) {
        guard !error.isDamage else { return }
        unfilledQueries.insert(query)
        waitToRetry()
    }

    /// Fills results that are short, as far as the replica can be read now.
    func fillViews() {
        let queries = unfilledQueries.sorted { $0.canonicalID < $1.canonicalID }
        unfilledQueries = []
        for query in queries where views[query] != nil {
            do throws(ReplicaError) { show([query: try store.rows(of: query).documents], nil) } catch {
                fillLater(query, error)
            }
        }
    }

    private func noteAwaiting(_ query: SyncQuery) {
        guard views[query]?.view.isAwaiting == true else { return _ = awaitingQueries.remove(query) }
        awaitingQueries.insert(query)
    }
}

extension ViewReferenceChange {
    /// What a snapshot shows that the one before did not, and the other way round.
    fileprivate init(_ target: Int, _ snapshot: ViewSnapshot?) {
        func paths(_ kind: DocumentChange.Kind) -> Set<DocumentPath> {
            Set(snapshot?.changes.filter { $0.kind == kind }.map(\.document.path) ?? [])
        }
        self.init(target: target, added: paths(.added), removed: paths(.removed))
    }
}
