// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// The listen stream: which targets it carries, and what becomes of its messages.
extension SyncMachine: WatchedTargets {
    func watched(_ id: Int) -> WatchedTarget? { watchedTargets[id] }

    func remoteKeys(of id: Int) -> Set<DocumentPath> {
        if let resolution = limbo.resolutions[id] { return resolution.hasDocument ? [resolution.path] : [] }
        let queries = queriesOfTarget[id] ?? []
        guard let first = queries.first.flatMap({ views[$0]?.view.syncedKeys }) else { return [] }
        return queries.dropFirst().reduce(first) { $0.union(views[$1]?.view.syncedKeys ?? []) }
    }

    func watch(_ data: TargetData, isLimbo: Bool) {
        guard watchedTargets[data.id] == nil else { return }
        watchedTargets[data.id] = WatchedTarget(data: data, isLimbo: isLimbo)
        if mustStartWatchStream {
            startWatchStream()
        } else if streams[.watch]!.isOpen {
            sendAdd(data, isLimbo ? .limboResolution : .listen)
        }
    }

    func unwatch(_ target: Int) {
        guard watchedTargets.removeValue(forKey: target) != nil else { return }
        if streams[.watch]!.isOpen { sendRemove(target) }
        guard watchedTargets.isEmpty else { return }
        if streams[.watch]!.isOpen { markIdle(.watch) } else if canUseNetwork { setOnline(.unknown) }
    }

    var mustStartWatchStream: Bool { canUseNetwork && !streams[.watch]!.isStarted && !watchedTargets.isEmpty }

    func startWatchStream() {
        aggregator = WatchAggregator(self)
        start(.watch)
        run(online.streamStarts())
        tellOnlineState()
    }

    func sendAllTargets() {
        for target in watchedTargets.keys.sorted() {
            let watched = watchedTargets[target]!
            sendAdd(watched.data, watched.isLimbo ? .limboResolution : .listen)
        }
    }

    private func sendAdd(_ data: TargetData, _ purpose: ListenPurpose) {
        markBusy(.watch)
        lastWireID += 1
        aggregator?.add(data.id, wireID: lastWireID)
        effects.append(
            .send(
                .add(
                    ListenRequest(
                        target: data.target, wireID: lastWireID, targetID: data.id, resumeToken: data.resumeToken,
                        readTime: data.resumes && data.resumeToken.isEmpty ? data.snapshotVersion : nil,
                        expectedCount: data.resumes ? remoteKeys(of: data.id).count : nil, purpose: purpose))))
    }

    private func sendRemove(_ target: Int) {
        guard let wireID = aggregator?.wireID(of: target) else { return }
        aggregator?.remove(target)
        markBusy(.watch)
        effects.append(.send(.remove(wireID: wireID)))
    }

    func watchStreamClosed(_ error: SyncError?) {
        aggregator = nil
        guard mustStartWatchStream, error != nil else { return setOnline(.unknown) }
        run(online.streamFails())
        tellOnlineState()
        startWatchStream()
    }

    // MARK: Messages

    func handle(_ change: WatchChange) {
        streams[.watch]!.backoff.reset()
        setOnline(.online)
        if case .targetsRejected(let wireIDs, let error) = change {
            for target in wireIDs.compactMap({ aggregator?.target($0) }) { reject(target, error) }
            return
        }
        aggregator?.handle(change, database)
        if case .target(.none, let targets, _, let time?) = change, targets.isEmpty { raiseEvent(at: time) }
    }

    /// A state that is older than the replica waits for the next one.
    private func raiseEvent(at version: Timestamp) {
        // What was created by an acknowledged write and is gone again was never part of the target: the server says nothing.
        for query in awaitingQueries where query.target.document != nil { aggregator?.doubt(views[query]!.target) }
        do throws(ReplicaError) {
            guard try version >= store.lastSnapshotVersion(), var event = aggregator?.takeEvent(at: version) else {
                return
            }
            event.mismatches = event.mismatches.filter { watchedTargets[$0.key] != nil }
            try apply(event)
            for (target, change) in event.targetChanges where !change.resumeToken.isEmpty {
                watchedTargets[target]?.data.resumeToken = change.resumeToken
                watchedTargets[target]?.data.snapshotVersion = version
            }
            for (target, purpose) in event.mismatches.sorted(by: { $0.key < $1.key }) { listenAnew(target, purpose) }
        } catch {
            goOfflineUntilStored(.probe)
        }
    }

    /// Asks for all documents of a target of which the client has wrong ones. The replica has forgotten the token.
    private func listenAnew(_ target: Int, _ purpose: ListenPurpose) {
        guard var watched = watchedTargets[target] else { return }
        watched.data.distrust()
        watchedTargets[target] = watched
        sendRemove(target)
        sendAdd(watched.data, purpose)
    }

    /// A consistent state of the server: the replica first, then the views.
    private func apply(_ event: RemoteEvent) throws(ReplicaError) {
        let changes = try store.apply(event)
        retryBackoff.reset()
        for (target, change) in event.targetChanges { limbo.note(change, target) }
        emit(changes, event)
    }

    /// The server refuses a target. A document in limbo that may not be read is forgotten; a listener is told.
    private func reject(_ target: Int, _ error: SyncError) {
        aggregator?.remove(target)
        if let resolution = limbo.resolutions[target] {
            var event = RemoteEvent(version: .noVersion)
            event.documents[resolution.path] = .uncached(resolution.path)
            event.resolvedLimboDocuments = [resolution.path]
            do throws(ReplicaError) { try apply(event) } catch { return goOfflineUntilStored(.probe) }
            limbo.finish(target)
            forget(target)
            resolveMoreLimbo()
        } else if watchedTargets[target]?.data.mayBeTaken(without: error) == true {
            listenWithoutToken(target)
        } else {
            forget(target)
            release(target)
            endViews(of: target, error)
        }
    }

    /// The server does not take the token, or has forgotten it: it sends all documents again.
    private func listenWithoutToken(_ target: Int) {
        var event = RemoteEvent(version: .noVersion)
        event.mismatches[target] = .listen
        event.targetChanges[target] = TargetChange(removed: remoteKeys(of: target))
        do throws(ReplicaError) { try apply(event) } catch { return goOfflineUntilStored(.probe) }
        listenAnew(target, .listen)
    }

    private func forget(_ target: Int) {
        watchedTargets[target] = nil
        if watchedTargets.isEmpty { markIdle(.watch) }
    }
}

extension TargetData {
    /// Whether the server may refuse only the state from which the listen was to go on: a token that it does not know, or
    /// a time of which it has no versions any more.
    fileprivate func mayBeTaken(without error: SyncError) -> Bool {
        switch error.code {
        case .invalidArgument: resumes
        case .failedPrecondition, .outOfRange: resumes && resumeToken.isEmpty
        default: false
        }
    }
}
