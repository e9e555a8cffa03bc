// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import Foundation
internal import Synchronization

/// A listener as the program sees it. It keeps the states that the program has not taken, in order. Beyond a limit, the
/// newest state replaces the one before, so that a slow program uses bounded memory.
final class BufferedListener: Sendable {
    /// All rows, those of the delivery before, and what is known of the result as a whole.
    typealias Result = (
        rows: [QueryDocumentSnapshot], previous: [QueryDocumentSnapshot], metadata: SnapshotMetadata
    )

    /// What the program takes.
    enum Delivery {
        case rows(Result)
        case failed(FirestoreError)
        case ended
    }

    private struct State {
        var waiting: [ListenerEvent] = []
        /// The rows that the program took last.
        var taken: [QueryDocumentSnapshot] = []
        /// Ends the listener where it listens.
        var end: (@Sendable () -> Void)?
        var isRemoved = false
        /// The rows of a database with a remote.
        var syncedRows = SyncedRows()

        /// - Returns: whether one more state waits.
        mutating func add(_ event: ListenerEvent, _ limit: Int) -> Bool {
            // The first rows of a listener that starts while the database is terminated.
            if case .ended? = waiting.last { return false }
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

        mutating func remove() {
            isRemoved = true
            waiting = []
            taken = []
            syncedRows = SyncedRows()
            end = nil
        }
    }

    private let request: ListenerRequest
    /// Called for each state that starts to wait.
    private let wake: @Sendable (BufferedListener) -> Void
    private let state = Mutex(State())

    private var firestore: Database { request.firestore }

    init(_ request: ListenerRequest, wake: @escaping @Sendable (BufferedListener) -> Void) {
        self.request = request
        self.wake = wake
    }

    /// Starts to listen, after the writes requested so far. The hub, or the client, retains the listener until it is
    /// removed.
    func start() {
        let isLate = firestore.isTerminated
        guard !firestore.isConnected else {
            // A client takes calls in their order, and this one does not wait for the disk.
            return firestore.queues.afterCalls(firestore.openEngine != nil) { [self] in
                do throws(FirestoreError) { try listen(to: firestore.client()) } catch { fail(error, isLate) }
            }
        }
        firestore.queues.afterUnawaited(firestore) { [self] in
            firestore.queues.listeners.async { [self] in
                do throws(FirestoreError) { try listen() } catch { fail(error, isLate) }
            }
        }
    }

    /// - Parameter isLate: whether the database was already terminated when the program began to listen. A listener from before ends.
    private func fail(_ error: FirestoreError, _ isLate: Bool) {
        _ = put(firestore.isTerminated && !isLate ? .ended : .failed(error))
    }

    private func listen() throws(FirestoreError) {
        let (engine, hub) = try firestore.engineAndHub()
        let listener = QueryListener(try request.target(engine)) { [self] in put($0) }
        guard keep({ hub.remove(listener) }) else { return }
        do throws(QueryError) { try hub.start(listener) } catch { throw FirestoreError(error, engine) }
        // The program may have removed it while it started.
        if state.withLock({ $0.isRemoved }) { hub.remove(listener) }
    }

    private func listen(to client: SyncClient) throws(FirestoreError) {
        let number = client.nextNumber()
        guard keep({ [weak client] in client?.removeListener(number) }) else { return }
        client.listen(to: try request.query(client.database), request.options.synced, number) { [self] in take($0) }
        if state.withLock({ $0.isRemoved }) { client.removeListener(number) }
    }

    /// Notes how to end the listener. False if it was removed before.
    private func keep(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isRemoved else { return false }
            state.end = end
            return true
        }
    }

    /// Takes a result of the client.
    private func take(_ news: SyncClient.ListenerNews) {
        switch news {
        case .snapshot(let snapshot):
            let rows = state.withLock { $0.isRemoved ? nil : $0.syncedRows.update(to: snapshot, in: firestore) }
            if let rows { _ = put(.rows(rows, SnapshotMetadata(snapshot))) }
        case .failed(let error): _ = put(.failed(FirestoreError(error)))
        case .ended: _ = put(.ended)
        }
    }

    /// - Returns: whether the next state can wait beside this one.
    private func put(_ event: ListenerEvent) -> Bool {
        let (isNew, isRemoved, hasRoom) = state.withLock { state -> (Bool, Bool, Bool) in
            guard !state.isRemoved else { return (false, true, true) }
            let isNew = state.add(event, request.limit)
            return (isNew, false, state.waiting.count < request.limit)
        }
        if case .failed(let error) = event, !isRemoved {
            firestore.log(.error, "Listen for query at \(request.path) failed: \(error.localizedDescription)")
        }
        if isNew { wake(self) }
        return hasRoom
    }

    /// The oldest state that was not taken, if there is one.
    func take() -> Delivery? {
        state.withLock { state -> Delivery? in
            guard !state.isRemoved, !state.waiting.isEmpty else { return nil }
            switch state.waiting.removeFirst() {
            case .rows(let rows, let metadata):
                defer { state.taken = rows }
                return .rows((rows, state.taken, metadata))
            case .failed(let error):
                state.remove()
                return .failed(error)
            case .ended:
                state.remove()
                return .ended
            }
        }
    }

    /// Removes the listener. There is nothing to take any more.
    func remove() {
        let end = state.withLock { state in
            defer { state.remove() }
            return state.end
        }
        end?()
    }
}
