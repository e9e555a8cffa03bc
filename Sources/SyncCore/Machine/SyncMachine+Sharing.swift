// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Several clients on one replica. One is the owner and has the streams; the others, its guests, are offline clients that
// follow what the owner commits.
extension SyncMachine {
    var isOwner: Bool { store.sharing.isOwner }

    /// Each input meets a client that knows what others have committed before.
    func lookAtOthers(_ input: SyncInput) {
        guard offlineCauses.isDisjoint(with: [.notStarted, .shutDown]) else { return }
        // Nothing is sent on a stream that has closed, so that it takes note of that first.
        if case .streamClosed = input { return }
        var isTold = false
        if case .replicaChanged = input { isTold = true }
        guard isTold || !isOwner || store.replica.peers.areOthersPresent else { return }
        do throws(ReplicaError) { try store.look() } catch { awaitPeers() }
        absorb()
    }

    // MARK: What others have done

    /// Shows, and tells, what transactions have found of others.
    func absorb() {
        guard offlineCauses.isDisjoint(with: [.notStarted, .shutDown]) else { return }
        let owner = isOwner ? nil : store.replica.peers.ownerState
        let isNewSession = !isOwner && owner?.session ?? 0 != store.sharing.session
        if isNewSession { store.sharing.session = owner?.session ?? 0 }
        if let (changes, isUserChanged) = store.sharing.takeNews() {
            if isUserChanged {
                cancelWaits()
                stand()
            }
            do throws(ReplicaError) { try absorb(changes, allTargets: isNewSession) } catch {
                store.sharing.restore(changes)
                // All targets are looked at again.
                if isNewSession { store.sharing.session = 0 }
                awaitPeers()
            }
        } else if isNewSession {
            do throws(ReplicaError) { emit([:], try stateOfTargets(nil)) } catch { store.sharing.session = 0 }
        }
        guard !isOwner else { return }
        if owner != nil { looksWithoutOwner = 0 }
        let online = owner?.online ?? (looksWithoutOwner < SyncMachine.mostLooksWithoutOwner ? .unknown : .offline)
        if online != self.online.state { setOnline(online) }
    }

    private func absorb(_ changes: ForeignChanges, allTargets: Bool) throws(ReplicaError) {
        let documents = try store.localDocuments(at: try documents(of: changes))
        let event = isOwner ? nil : try stateOfTargets(changes.isIncomplete || allTargets ? nil : changes.targets)
        var outcomes = changes.outcomes
        if changes.isIncomplete {
            let written = writesOfBatch.values.flatMap(\.keys)
            let known = Set(written + Array(waitsForBatch.keys) + pipeline.map(\.id))
            outcomes.merge(try store.outcomes(of: known)) { own, _ in own }
        }
        for id in outcomes.keys.sorted() { settle(id, outcomes[id]!) }
        emit(documents, event)
        if changes.isQueueChanged || changes.isIncomplete { followQueue(without: Set(outcomes.keys)) }
        guard changes.areRequestsChanged || changes.isIncomplete else { return }
        if isOwner { serveOrRetry() } else { try endRefused() }
    }

    /// The documents that have changed, or may have, for some view.
    private func documents(of changes: ForeignChanges) throws(ReplicaError) -> Set<DocumentPath> {
        guard changes.isIncomplete else { return changes.documents }
        var paths: Set<DocumentPath> = []
        for (query, (view, _)) in views {
            paths.formUnion(view.documents.paths)
            paths.formUnion(try store.rows(of: query).documents.map(\.path))
        }
        return paths
    }

    /// What the owner has stored of targets, as an event.
    ///
    /// - Parameter ids: nil for all.
    func stateOfTargets(_ ids: Set<Int>?) throws(ReplicaError) -> RemoteEvent {
        let active = queriesOfTarget.keys.filter { ids?.contains($0) ?? true }
        let stored = try store.stored(active.sorted())
        var event = RemoteEvent(version: stored.version)
        for (data, keys) in stored.targets {
            let known = remoteKeys(of: data.id)
            event.targetChanges[data.id] = TargetChange(
                resumeToken: data.resumeToken, isCurrent: store.isCurrent(data) || staysCurrent(data),
                added: keys.subtracting(known), removed: known.subtracting(keys))
            watchedTargets[data.id]?.data = data
        }
        return event
    }

    /// Whether views go on as current. When the owner ends, news are interrupted, as by the end of a stream in one client: only being
    /// offline ends that. For those that only the cache is asked for, nothing else does either.
    private func staysCurrent(_ data: TargetData) -> Bool {
        let queries = queriesOfTarget[data.id] ?? []
        guard data.resumes, queries.contains(where: { views[$0]?.view.isCurrent == true }) else { return false }
        return data.session != 0 || !isServerNeeded(for: data.id)
    }

    /// Another client has taken a batch out of the queue.
    private func settle(_ id: Int, _ error: SyncError?) {
        if error == .cancelledWrite { moveWaits(of: id) }
        finish(id, error)
    }

    private func followQueue(without gone: Set<Int>) {
        guard isOwner else { return }
        let unsent = pipeline[sentCount...].filter { !gone.contains($0.id) }
        pipeline.replaceSubrange(sentCount..., with: unsent)
        fillPipeline()
    }

    // MARK: Requests, at the owner

    func serveOrRetry() {
        do throws(ReplicaError) { try serveRequests() } catch { awaitPeers() }
    }

    /// Listens for guests, for as long as they live.
    func serveRequests() throws(ReplicaError) {
        let requests = try store.requests()
        let wanted = Set(requests.filter { $0.needsServer && $0.refusal == nil }.map(ServedRequest.init))
        for request in served.subtracting(wanted).sorted() { end(request) }
        for request in wanted.subtracting(served).sorted() {
            try use(request.query, needsServer: true)
            registry.queries[request.query]?.requests.insert(request.client)
            served.insert(request)
        }
        if !requests.isEmpty { awaitPeers() }
    }

    func end(_ request: ServedRequest) {
        registry.queries[request.query]?.requests.remove(request.client)
        served.remove(request)
        endUse(of: request.query)
    }

    /// The server has refused what guests have asked for. If that cannot be stored, it is asked for again.
    func refuse(_ query: SyncQuery, _ error: SyncError) {
        for request in served.filter({ $0.query == query }).sorted() {
            served.remove(request)
            try? store.refuse(request.client, query, error)
        }
    }

    // MARK: Requests, at a guest

    /// Tells the owner what this client listens to. What cannot be stored now is stored with the next input.
    func requestListens() {
        guard areRequestsDue, !isOwner else { return }
        let wanted = registry.queries.mapValues(\.needsServer)
        var wishes: [SyncQuery: Bool?] = [:]
        for (query, needsServer) in wanted where requested[query] != needsServer {
            wishes.updateValue(needsServer, forKey: query)
        }
        for query in requested.keys where wanted[query] == nil { wishes.updateValue(nil, forKey: query) }
        do throws(ReplicaError) {
            if !wishes.isEmpty { try store.request(wishes) }
            requested = wanted
            areRequestsDue = false
        } catch {}
    }

    private func endRefused() throws(ReplicaError) {
        for request in try store.refusedRequests() {
            requested[request.query] = true
            areRequestsDue = true
            guard let error = request.refusal, let target = views[request.query]?.target else { continue }
            unwatch(target)
            release(target)
            endViews(of: target, error)
        }
    }
}

/// A request for which the owner listens.
struct ServedRequest: Hashable, Comparable {
    let client: Int
    let query: SyncQuery

    init(_ request: TargetRequest) {
        client = request.client
        query = request.query
    }

    static func < (lhs: ServedRequest, rhs: ServedRequest) -> Bool {
        (lhs.client, lhs.query.canonicalID) < (rhs.client, rhs.query.canonicalID)
    }
}
