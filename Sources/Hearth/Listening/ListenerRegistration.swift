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

/// Calls a closure of the program's with one state after another.
final class CallbackRegistration: ListenerRegistration {
    private let subscription: Subscription

    init(
        _ firestore: Database, path: String,
        source: @escaping @Sendable (Engine) throws(FirestoreError) -> LiveSource,
        listener: @escaping (Subscription.Delivery) -> Void
    ) {
        let queue = firestore.callbackQueue
        let callback = Callback(listener)
        subscription = Subscription(firestore, path: path, keeping: Subscription.usualLimit) { subscription in
            queue.async {
                if let delivery = subscription.take() { callback(delivery) }
            }
        }
        subscription.start(source)
    }

    func remove() { subscription.remove() }
}
