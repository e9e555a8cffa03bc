// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import Foundation
internal import Synchronization

/// A listener as the program sees it. It keeps the states that the program has not taken, in order. Beyond a limit, the
/// newest state replaces the one before, so that a slow program uses bounded memory.
final class BufferedListener: Sendable {
    /// What the program takes.
    enum Delivery {
        /// All rows, and those of the delivery before.
        case rows([QueryDocumentSnapshot], previous: [QueryDocumentSnapshot])
        case failed(FirestoreError)
        case ended
    }

    private struct State {
        var waiting: [ListenerEvent] = []
        /// The rows that the program took last.
        var taken: [QueryDocumentSnapshot] = []
        var listener: QueryListener?
        var isRemoved = false

        /// - Returns: whether one more state waits.
        mutating func add(_ event: ListenerEvent, _ limit: Int) -> Bool {
            switch event {
            case .rows where waiting.count >= limit:
                waiting[waiting.count - 1] = event
                return false
            // A terminated database delivers nothing more.
            case .ended: waiting = []
            case .rows, .failed: break
            }
            waiting.append(event)
            return true
        }

        mutating func end() {
            isRemoved = true
            waiting = []
            taken = []
            listener = nil
        }
    }

    private let firestore: Database
    /// The path of the query, for messages.
    private let path: String
    /// The greatest number of states that wait.
    private let limit: Int
    /// Called for each state that starts to wait.
    private let wake: @Sendable (BufferedListener) -> Void
    private let state = Mutex(State())

    /// For listeners that want every state.
    static let usualLimit = 256

    init(_ firestore: Database, path: String, keeping limit: Int, wake: @escaping @Sendable (BufferedListener) -> Void)
    {
        self.firestore = firestore
        self.path = path
        self.limit = limit
        self.wake = wake
    }

    /// Starts to listen, after the writes requested so far. The hub retains the listener until it is removed.
    func start(_ target: @escaping @Sendable (Engine) throws(FirestoreError) -> ListenerTarget) {
        firestore.queues.afterUnawaited(firestore) { [self] in
            firestore.queues.listeners.async { [self] in
                do throws(FirestoreError) { try listen(target) } catch { _ = put(.failed(error)) }
            }
        }
    }

    private func listen(
        _ target: (Engine) throws(FirestoreError) -> ListenerTarget
    ) throws(FirestoreError) {
        let (engine, hub) = try firestore.engineAndHub()
        let listener = QueryListener(try target(engine)) { [self] in put($0) }
        let isRemoved = state.withLock { state in
            state.listener = listener
            return state.isRemoved
        }
        guard !isRemoved else { return }
        do throws(QueryError) { try hub.start(listener) } catch { throw FirestoreError(error, engine) }
        // The program may have removed it while it started.
        if state.withLock({ $0.isRemoved }) { hub.remove(listener) }
    }

    /// - Returns: whether the next state can wait beside this one.
    private func put(_ event: ListenerEvent) -> Bool {
        let (isNew, isRemoved, hasRoom) = state.withLock { state -> (Bool, Bool, Bool) in
            guard !state.isRemoved else { return (false, true, true) }
            let isNew = state.add(event, limit)
            return (isNew, false, state.waiting.count < limit)
        }
        if case .failed(let error) = event, !isRemoved {
            firestore.log(.error, "Listen for query at \(path) failed: \(error.localizedDescription)")
        }
        if isNew { wake(self) }
        return hasRoom
    }

    /// The oldest state that was not taken, if there is one.
    func take() -> Delivery? {
        state.withLock { state -> Delivery? in
            guard !state.isRemoved, !state.waiting.isEmpty else { return nil }
            switch state.waiting.removeFirst() {
            case .rows(let rows):
                defer { state.taken = rows }
                return .rows(rows, previous: state.taken)
            case .failed(let error):
                state.end()
                return .failed(error)
            case .ended:
                state.end()
                return .ended
            }
        }
    }

    /// Removes the listener. There is nothing to take any more.
    func remove() {
        let listener = state.withLock { state in
            defer { state.end() }
            return state.listener
        }
        if let listener { firestore.hub?.remove(listener) }
    }
}
