// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine

/// A registration of a listener, which removes it.
///
/// A listener stays until it is removed, even if its registration is released, and keeps its database open.
public protocol ListenerRegistration: AnyObject, Sendable {
    /// Removes the listener. If this is called on ``FirestoreSettings/dispatchQueue``, the listener is not called
    /// again. If it is called elsewhere, a call that has begun may still run. Removing a listener again has no effect.
    func remove()
}

/// Calls a closure of the program with one state after another.
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
