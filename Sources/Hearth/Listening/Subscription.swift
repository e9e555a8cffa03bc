// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import Foundation
internal import QueryPlanner
internal import Synchronization

/// A listener as the program sees it: keeps the newest state that the program has not taken, and forgets the ones before, so
/// that a program that takes its time costs no memory.
final class Subscription: Sendable {
    /// What the program takes.
    enum Delivery {
        /// All rows, and those of the delivery before.
        case rows([QueryDocumentSnapshot], previous: [QueryDocumentSnapshot])
        case failed(FirestoreError)
        case ended
    }

    private struct State {
        var newest: WatchEvent?
        /// What the program took last.
        var taken: [QueryDocumentSnapshot] = []
        var watch: Watch?
        var isRemoved = false

        mutating func end() {
            isRemoved = true
            newest = nil
            taken = []
            watch = nil
        }
    }

    private let firestore: Database
    /// Where it listens, for messages.
    private let path: String
    /// Called when there is something to take.
    private let wake: @Sendable (Subscription) -> Void
    private let state = Mutex(State())

    init(_ firestore: Database, path: String, wake: @escaping @Sendable (Subscription) -> Void) {
        self.firestore = firestore
        self.path = path
        self.wake = wake
    }

    /// Begins to listen, after the writes that were asked for so far. The hub keeps the subscription until it is removed.
    func start(_ source: @escaping @Sendable (Engine) throws(FirestoreError) -> LiveSource) {
        firestore.queues.afterUnawaited(firestore) { [self] in
            firestore.queues.listeners.async { [self] in
                do throws(FirestoreError) { try listen(source) } catch { put(.failed(error)) }
            }
        }
    }

    private func listen(
        _ source: (Engine) throws(FirestoreError) -> LiveSource
    ) throws(FirestoreError) {
        let (engine, hub) = try firestore.engineAndHub()
        let watch = Watch(try source(engine)) { [self] in put($0) }
        let isRemoved = state.withLock { state in
            state.watch = watch
            return state.isRemoved
        }
        guard !isRemoved else { return }
        do throws(QueryError) { try hub.start(watch) } catch { throw FirestoreError(error, engine) }
        // The program may have removed it while it started.
        if state.withLock({ $0.isRemoved }) { hub.remove(watch) }
    }

    private func put(_ event: WatchEvent) {
        let (isNew, isRemoved) = state.withLock { state in
            guard !state.isRemoved else { return (false, true) }
            defer { state.newest = event }
            return (state.newest == nil, false)
        }
        if case .failed(let error) = event, !isRemoved {
            firestore.log(.error, "Listen for query at \(path) failed: \(error.localizedDescription)")
        }
        if isNew { wake(self) }
    }

    /// The newest state, if there is one that was not taken.
    func take() -> Delivery? {
        state.withLock { state -> Delivery? in
            guard !state.isRemoved, let event = state.newest else { return nil }
            state.newest = nil
            switch event {
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

    /// From now on there is nothing to take.
    func remove() {
        let watch = state.withLock { state in
            defer { state.end() }
            return state.watch
        }
        if let watch { firestore.hub?.remove(watch) }
    }
}
