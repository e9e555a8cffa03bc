// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Whose writes the client shows and sends.
extension SyncMachine {
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

    func changeUser() throws(ReplicaError) {
        if let user = namedUsers[0] { try show(user) } else { try store.awaitUser() }
        namedUsers.removeFirst()
        if canUseNetwork { disableNetwork(.userChanges, .unknown) }
        enableNetwork(ending: .userChanges)
    }

    func show(_ user: SyncUser) throws(ReplicaError) {
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
