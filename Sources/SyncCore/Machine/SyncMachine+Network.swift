// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// When the network is used, and what the client tells of it.
extension SyncMachine {
    var canUseNetwork: Bool { offlineCauses.isEmpty }

    func enableNetwork(ending cause: OfflineCause) {
        offlineCauses.remove(cause)
        guard canUseNetwork else { return }
        forgetFailures(of: .watch)
        if mustStartWatchStream { startWatchStream() } else { setOnline(.unknown) }
        forgetFailures(of: .write)
        fillPipeline()
    }

    func disableNetwork(_ cause: OfflineCause, _ state: OnlineState) {
        offlineCauses.insert(cause)
        stopStreams()
        setOnline(state)
    }

    /// A guest goes on with what the owner knows, as the official clients do, and takes nothing over.
    func switchNetwork(on isOn: Bool) {
        defer { stand() }
        if isOn { return enableNetwork(ending: .disabled) }
        if !offlineCauses.contains(.guest) { return disableNetwork(.disabled, .offline) }
        offlineCauses.insert(.disabled)
    }

    /// The state of an owner that begins.
    var firstState: OnlineState { offlineCauses.contains(.disabled) ? .offline : .unknown }

    func restartNetwork() {
        guard canUseNetwork else { return }
        disableNetwork(.restarts, .unknown)
        enableNetwork(ending: .restarts)
    }

    func shutDown() {
        if !isOwner { try? endRequests() }
        disableNetwork(.shutDown, .unknown)
        for timer in Array(tickets.keys) { cancelTimer(timer) }
    }

    /// What was sent and not answered stays in the queue, to be sent again.
    private func stopStreams() {
        stop(.watch)
        stop(.write)
        clearPipeline()
    }

    // MARK: Online state

    func setOnline(_ state: OnlineState) {
        run(online.set(state))
        tellOnlineState()
    }

    func run(_ timer: OnlineStateTracker.Timer) {
        switch timer {
        case .start: startTimer(.onlineState, OnlineStateTracker.timeout)
        case .cancel: cancelTimer(.onlineState)
        case .keep: break
        }
    }

    func tellOnlineState() {
        let state = online.state
        guard state != registry.onlineState else { return }
        effects.append(.onlineState(state))
        if isOwner, !offlineCauses.contains(.notStarted) { try? store.tell(state) }
        var snapshots: [ViewSnapshot] = []
        if state == .offline {
            for query in views.keys.sorted(by: { $0.canonicalID < $1.canonicalID }) {
                if let snapshot = views[query]!.view.goOffline() { snapshots.append(snapshot) }
            }
        }
        effects += registry.events(at: state)
        effects += registry.events(for: snapshots)
    }

    // MARK: A store that fails

    /// What must reach the replica before the network may go on.
    enum StoreRetry {
        case start(SyncUser)
        /// Nothing but a sign that the store can be read.
        case probe
        case acknowledge(MutationBatch, CommitResult)
        /// An earlier attempt had committed the batch. These of its documents could be read since.
        case confirm(MutationBatch, [SyncDocument])
        case reject(RejectedBatch)
        case changeUser
    }

    /// Does the work now. If the store fails, the network stays off until it is done.
    func storeOrGoOffline(_ work: StoreRetry) {
        do throws(ReplicaError) { try run(work) } catch { goOfflineUntilStored(work) }
    }

    /// Nothing is lost: the server sends again what no token stands for, and the queue keeps what was not answered.
    func goOfflineUntilStored(_ work: StoreRetry) {
        disableNetwork(.storeFailed, .offline)
        retries.append(work)
        waitToRetry()
    }

    func retryUntilStored(_ work: StoreRetry) {
        retries.append(work)
        retryNext()
    }

    func retryNext() {
        // Filling only reads: it keeps back nothing that is to be stored, and nothing keeps it back.
        fillViews()
        retryFirst()
        waitToRetry()
    }

    private func retryFirst() {
        guard let work = retries.first else { return }
        do throws(ReplicaError) {
            try run(work)
            retries.removeFirst()
            switch work {
            case .start, .changeUser: noteStored()
            case .acknowledge, .confirm, .reject:
                noteStored()
                enableNetwork(ending: .storeFailed)
            // That the store can be read does not mean that it can be written: the next wait is longer until it was.
            case .probe: enableNetwork(ending: .storeFailed)
            }
        } catch {}
    }

    /// What else is to be stored does not wait any longer.
    private func noteStored() {
        retryBackoff.reset()
        cancelTimer(.storeRetry)
    }

    func waitToRetry() {
        guard !retries.isEmpty || !unfilledQueries.isEmpty, tickets[.storeRetry] == nil else { return }
        startTimer(.storeRetry, retryBackoff.next(at: now, &jitter))
    }

    private func run(_ work: StoreRetry) throws(ReplicaError) {
        switch work {
        case .start(let user): try start(user)
        case .probe:
            _ = try store.lastSnapshotVersion()
            _ = try store.nextBatch(after: 0)
        case .acknowledge(let batch, let commit):
            let changes = try store.acknowledge(batch, commit)
            finish(batch, nil)
            emit(changes)
        case .confirm(let batch, let documents):
            let changes = try store.acknowledge(batch, documents)
            finish(batch, nil)
            emit(changes)
        case .reject(let rejected):
            let changes = try store.reject(rejected)
            finish(rejected.batch, rejected.cause)
            emit(changes)
        case .changeUser: try changeUser()
        }
    }

    private func start(_ user: SyncUser) throws(ReplicaError) {
        guard try store.replica.peers.claim() else { return try startAsGuest() }
        do throws(ReplicaError) { try startAsOwner(user) } catch {
            // Another client may be able to store what this one is not.
            store.replica.peers.resign()
            throw error
        }
    }

    /// The replica may show the writes of the user before.
    private func startAsOwner(_ user: SyncUser) throws(ReplicaError) {
        // An earlier attempt may have begun a guest.
        store.sharing.isOwner = true
        offlineCauses.remove(.guest)
        let shown = try store.read(.start) { (records: any ReplicaRecords) throws(ReplicaError) in
            try records.header.user
        }
        if !isUserKnown {
            store.user = shown
        } else if user != shown || store.isUserAwaited {
            try show(user)
        }
        try beginAsOwner(ending: .notStarted)
        stand()
    }
}
