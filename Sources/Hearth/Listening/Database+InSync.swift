// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

extension Database {
    /// Calls a closure, on the queue of ``FirestoreSettings/dispatchQueue``, whenever all listeners that a commit concerned have
    /// been called (C-33), for programs that show several queries side by side.
    ///
    /// - Returns: what removes it.
    @discardableResult
    public func addSnapshotsInSyncListener(_ listener: @escaping () -> Void) -> any ListenerRegistration {
        let registration = InSyncRegistration(self)
        let callback = Callback(listener)
        queues.listeners.async { [self] in
            guard let (_, hub) = try? engineAndHub(), !registration.isRemoved else { return }
            hub.addInSync(ObjectIdentifier(registration)) { [callbackQueue] in
                callbackQueue.async {
                    if !registration.isRemoved { callback(()) }
                }
            }
        }
        return registration
    }
}

private final class InSyncRegistration: ListenerRegistration {
    private let firestore: Database
    private let wasRemoved = Mutex(false)

    init(_ firestore: Database) {
        self.firestore = firestore
    }

    var isRemoved: Bool { wasRemoved.withLock { $0 } }

    func remove() {
        wasRemoved.withLock { $0 = true }
        firestore.hub?.removeInSync(ObjectIdentifier(self))
    }
}
