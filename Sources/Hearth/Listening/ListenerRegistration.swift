// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// A registration of a listener, which removes it.
///
/// A listener stays until it is removed, even if its registration is released, and keeps its database open.
///
/// Registrations that Hearth returns are `Sendable`; those of a program, such as one that removes several others, need not be.
public protocol ListenerRegistration: AnyObject {
    /// Removes the listener. If this is called on ``FirestoreSettings/dispatchQueue``, the listener is not called
    /// again. If it is called elsewhere, a call that has begun may still run. Removing a listener again has no effect.
    func remove()
}

/// Calls a closure of the program with one state after another.
final class CallbackRegistration: ListenerRegistration, Sendable {
    private let listener: BufferedListener

    init(_ request: ListenerRequest, deliver: @escaping (BufferedListener.Delivery) -> Void) {
        let queue = request.firestore.callbackQueue
        let callback = Callback(deliver)
        listener = BufferedListener(request) { listener in
            queue.async {
                if let delivery = listener.take() { callback(delivery) }
            }
        }
        listener.start()
    }

    func remove() { listener.remove() }
}
