// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

extension Database {
    /// Adds a closure that is called, on ``FirestoreSettings/dispatchQueue``, at once, after the first snapshot of each
    /// listener, and whenever all listeners that a commit affects have been called (C-33). Use it to update several views
    /// of queries together.
    ///
    /// - Returns: a registration that removes the closure.
    @discardableResult
    public func addSnapshotsInSyncListener(_ listener: @escaping () -> Void) -> any ListenerRegistration & Sendable {
        let registration = InSyncRegistration(self)
        let callback = Callback(listener)
        if isConnected {
            observe(registration, callback)
            return registration
        }
        // As listeners start, so that those from before have their first rows.
        queues.afterUnawaited(self) { [self] in
            queues.listeners.async { [self] in observeHub(registration, callback) }
        }
        return registration
    }

    private func observeHub(_ registration: InSyncRegistration, _ callback: Callback<Void>) {
        guard let (_, hub) = try? engineAndHub(), !registration.isRemoved else { return }
        hub.addInSync(ObjectIdentifier(registration)) { [callbackQueue] in
            callbackQueue.async {
                if !registration.isRemoved { callback(()) }
            }
        }
        if registration.isRemoved { hub.removeInSync(ObjectIdentifier(registration)) }
    }

    private func observe(_ registration: InSyncRegistration, _ callback: Callback<Void>) {
        queues.afterCalls(openEngine != nil) { [self] in
            guard let client = try? client(), !registration.isRemoved else { return }
            let number = client.nextNumber()
            registration.number.withLock { $0 = number }
            client.observeSnapshotsInSync(number) { [callbackQueue] in
                callbackQueue.async {
                    if !registration.isRemoved { callback(()) }
                }
            }
            if registration.isRemoved { client.endSnapshotsInSync(number) }
        }
    }
}

private final class InSyncRegistration: ListenerRegistration, Sendable {
    private let firestore: Database
    private let wasRemoved = Mutex(false)
    /// The client's, if there is one.
    let number = Mutex<Int?>(nil)

    init(_ firestore: Database) {
        self.firestore = firestore
    }

    var isRemoved: Bool { wasRemoved.withLock { $0 } }

    func remove() {
        wasRemoved.withLock { $0 = true }
        firestore.hub?.removeInSync(ObjectIdentifier(self))
        if let number = number.withLock({ $0 }) { firestore.openClient?.endSnapshotsInSync(number) }
    }
}
