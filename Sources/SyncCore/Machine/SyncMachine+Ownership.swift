// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Which of the clients of a replica has the streams.
extension SyncMachine {
    /// How often a guest looks whether there still is an owner, and an owner with guests whether they still live, in
    /// milliseconds. The system tells nobody when a process ends.
    private static let peerInterval = 1_000
    /// After how many looks a guest without an owner counts as offline, as a client does without an answer of the server.
    static let mostLooksWithoutOwner = OnlineStateTracker.timeout / peerInterval

    func awaitPeers() {
        if tickets[.peers] == nil { startTimer(.peers, SyncMachine.peerInterval) }
    }

    func startAsGuest() throws(ReplicaError) {
        store.sharing.isOwner = false
        offlineCauses.insert(.guest)
        try store.look()
        offlineCauses.remove(.notStarted)
        areRequestsDue = true
        absorb()
        awaitPeers()
        stand()
    }

    /// Without the network, a client lets others become the owner, as it does while it would show another user's writes: who has left
    /// the network to it would lose its own from sight.
    func stand() {
        let isShown = namedUsers.last.map { $0 == store.user } ?? true
        store.stand(!offlineCauses.contains(.disabled) && isShown)
    }

    func meetPeers() {
        if isOwner { return mayMakeRoom ? makeRoom() : serveOrRetry() }
        if mayClaim, (try? store.replica.peers.claim()) == true {
            do throws(ReplicaError) { return try takeOver() } catch { beGuest() }
        }
        if store.replica.peers.ownerState == nil { looksWithoutOwner += 1 }
        awaitPeers()
    }

    /// Who does not stand goes after those who do, and who wants no network goes last.
    private var mayClaim: Bool {
        if store.sharing.isCandidate { return true }
        let isFirstLook = looksWithoutOwner == 0
        return !store.replica.peers.areOthersStanding && !(offlineCauses.contains(.disabled) && isFirstLook)
    }

    // MARK: Becoming the owner

    /// Goes on where the last owner has stopped, as after a restart.
    func takeOver() throws(ReplicaError) {
        try store.takeOver()
        emit([:], try stateOfTargets(nil))
        try beginAsOwner(ending: .guest)
        resolveMoreLimbo()
        retryNext()
    }

    /// What every owner begins with, be it at the start or later.
    func beginAsOwner(ending cause: OfflineCause) throws(ReplicaError) {
        try serveRequests()
        try store.tell(firstState)
        try endRequests()
        try awaitNamedUser()
        setOnline(firstState)
        enableNetwork(ending: cause)
    }

    /// Neither an owner nor a client that has ended requests anything.
    func endRequests() throws(ReplicaError) {
        if !requested.isEmpty { try store.request(requested.mapValues { _ in nil }) }
        requested = [:]
        areRequestsDue = false
    }

    // MARK: Becoming a guest

    /// Whether this owner's program wants no network, and another client's does.
    var mayMakeRoom: Bool {
        isOwner && offlineCauses == [.disabled] && retries.isEmpty && store.replica.peers.areOthersStanding
    }

    /// Leaves the network to another client, as the official clients do.
    private func makeRoom() {
        let wanted = registry.queries.mapValues(\.needsServer)
        // The next owner must not forget what this client shows.
        do throws(ReplicaError) { try store.request(wanted.mapValues(Optional.some)) } catch { return awaitPeers() }
        requested = wanted
        namedUsers = [namedUser]
        offlineCauses.insert(.guest)
        looksWithoutOwner = 0
        beGuest()
    }

    /// Also after a takeover that could not be stored: another client may be able to.
    private func beGuest() {
        for request in served.sorted() { end(request) }
        for resolution in limbo.interrupt() { unwatch(resolution) }
        areRequestsDue = true
        store.resign()
        awaitPeers()
    }
}
