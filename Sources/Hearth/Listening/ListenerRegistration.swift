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
    private let listener: BufferedListener

    init(
        _ firestore: Database, path: String,
        target: @escaping @Sendable (Engine) throws(FirestoreError) -> ListenerTarget,
        deliver: @escaping (BufferedListener.Delivery) -> Void
    ) {
        let queue = firestore.callbackQueue
        let callback = Callback(deliver)
        listener = BufferedListener(firestore, path: path, keeping: BufferedListener.usualLimit) { listener in
            queue.async {
                if let delivery = listener.take() { callback(delivery) }
            }
        }
        listener.start(target)
    }

    func remove() { listener.remove() }
}
