// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine

/// What adding a listener gives, to remove it.
///
/// A listener stays until it is removed, also when nobody keeps its registration, and keeps its database open as long.
public protocol ListenerRegistration: AnyObject, Sendable {
    /// Ends the listener. When this returns on the queue of ``FirestoreSettings/dispatchQueue``, the listener is not called any
    /// more; called elsewhere, a call that has begun may still go on. Removing it again does nothing.
    func remove()
}

/// Calls a closure of the program's with every state that it has time for.
final class CallbackRegistration: ListenerRegistration {
    private let subscription: Subscription

    init(
        _ firestore: Database, path: String,
        source: @escaping @Sendable (Engine) throws(FirestoreError) -> LiveSource,
        listener: @escaping @Sendable (Subscription.Delivery) -> Void
    ) {
        let queue = firestore.settings.dispatchQueue
        subscription = Subscription(firestore, path: path) { subscription in
            queue.async {
                if let delivery = subscription.take() { listener(delivery) }
            }
        }
        subscription.start(source)
    }

    func remove() { subscription.remove() }
}
