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
        waitToRetry()
    }

    /// What else is to be stored does not wait any longer.
    private func noteStored() {
        retryBackoff.reset()
        cancelTimer(.storeRetry)
    }

    private func waitToRetry() {
        guard !retries.isEmpty, tickets[.storeRetry] == nil else { return }
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

    // MARK: The user

    /// Another token of the same user changes nothing. A client that starts, or takes over, changes the user at its end.
    func credentialsName(_ user: SyncUser?) {
        guard offlineCauses.isDisjoint(with: [.notStarted, .guest]) else {
            namedUsers = [user]
            return stand()
        }
        guard user != namedUser else { return }
        if canUseNetwork { disableNetwork(.userChanges, .unknown) }
        waitToShow(user)
        retryNext()
    }

    /// The user whom credentials have named last; nil if they are yet to name one.
    var namedUser: SyncUser? {
        if let last = namedUsers.last { return last }
        return store.isUserAwaited ? nil : store.user
    }

    /// The user whom credentials have named before the client became the owner. If they have named nobody, an earlier client's
    /// have named the user whom the replica shows.
    func awaitNamedUser() throws(ReplicaError) {
        if let last = namedUsers.last {
            namedUsers = []
            if last != namedUser { waitToShow(last) }
        } else if !isUserKnown, store.user == SyncUser(nil) {
            try store.awaitUser()
        }
    }

    /// Streams carry the credentials of the user named last. Until the replica shows that user, no write is sent.
    private func waitToShow(_ user: SyncUser?) {
        offlineCauses.insert(.userChanges)
        namedUsers.append(user)
        retries.append(.changeUser)
    }

    private func changeUser() throws(ReplicaError) {
        if let user = namedUsers[0] { try show(user) } else { try store.awaitUser() }
        namedUsers.removeFirst()
        if canUseNetwork { disableNetwork(.userChanges, .unknown) }
        enableNetwork(ending: .userChanges)
    }

    private func show(_ user: SyncUser) throws(ReplicaError) {
        let old = store.user
        let (changes, claimed) = try store.changeUser(to: user)
        if user != old {
            cancelWaits(but: claimed)
            for batch in claimed {
                guard let write = writesOfBatch[old]?.removeValue(forKey: batch) else { continue }
                writesOfBatch[user, default: [:]][batch] = write
            }
        }
        emit(changes)
    }

    /// - Parameter kept: batches that belong to the next user, too.
    func cancelWaits(but kept: Set<Int> = []) {
        let error = SyncError(.cancelled, "The wait for pending writes has ended because the user has changed.")
        for batch in waitsForBatch.keys.sorted() where !kept.contains(batch) {
            for wait in waitsForBatch.removeValue(forKey: batch)! {
                effects.append(.pendingWritesFinished(error, wait: wait))
            }
        }
    }
}
