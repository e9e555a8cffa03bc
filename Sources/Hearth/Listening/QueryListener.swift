// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import Synchronization

/// An event of a listener.
enum ListenerEvent: Sendable {
    /// All rows, in the query's order.
    case rows([QueryDocumentSnapshot], SnapshotMetadata)
    /// The last event.
    case failed(FirestoreError)
    /// The database was terminated; the last event.
    case ended
}

/// A listener as the hub keeps it: its target, its rows as of some commit, and whom to notify.
///
/// Apart from its identity, it is used on the hub's queue only.
final class QueryListener: Sendable {
    private struct State {
        var view: QueryView
        /// The last commit that the query saw when it last ran.
        var transactionID: Int
        var isChanged = false
        var isIncomplete = false
        /// Whether the listener has room for the state after each commit.
        var hasRoom = true
    }

    let target: ListenerTarget
    /// Called on the hub's queue; must not block. Returns whether there is room for the next event.
    private let tell: @Sendable (ListenerEvent) -> Bool
    private let state: Mutex<State>

    init(_ target: ListenerTarget, _ tell: @escaping @Sendable (ListenerEvent) -> Bool) {
        self.target = target
        self.tell = tell
        state = Mutex(State(view: QueryView(target), transactionID: 0))
    }

    /// Runs the query and delivers the first rows, even if there are none (C-23).
    func start(_ engine: Engine) throws(QueryError) {
        let (records, transactionID) = try target.run(engine)
        state.withLock { state in
            _ = state.view.replace(with: records.inOrderOfExecution(of: target))
            state.transactionID = transactionID
            state.isChanged = true
        }
        tellChanges()
    }

    /// Records the changes of a commit. Commits arrive in order, each once.
    func apply(_ changes: [DocumentEngine.DocumentChange], of transactionID: Int) {
        state.withLock { state in
            guard transactionID > state.transactionID, !state.isIncomplete else { return }
            switch state.view.apply(changes) {
            case .unchanged: break
            case .changed: state.isChanged = true
            case .incomplete:
                // A row has left or moved, whatever replaces it.
                state.isChanged = true
                state.isIncomplete = true
            }
        }
    }

    /// Runs the query again if needed, then delivers what has changed.
    func update(_ engine: Engine, always: Bool) throws(QueryError) {
        if always || state.withLock({ $0.isIncomplete || $0.isChanged && target.isJudgedByState }) {
            let (records, transactionID) = try target.run(engine)
            state.withLock { state in
                if state.view.replace(with: records.inOrderOfExecution(of: target)) { state.isChanged = true }
                state.transactionID = transactionID
                state.isIncomplete = false
            }
        }
        tellChanges()
    }

    /// Whether the listener takes the state after every commit. Otherwise it is behind and takes only the newest one.
    var hearsEveryState: Bool { state.withLock { $0.hasRoom } }

    func fail(_ error: FirestoreError) { _ = tell(.failed(error)) }

    func end() { _ = tell(.ended) }

    private func tellChanges() {
        let rows = state.withLock { state -> [QueryDocumentSnapshot]? in
            guard state.isChanged else { return nil }
            state.isChanged = false
            return target.isReversed ? state.view.rows.reversed() : state.view.rows
        }
        guard let rows else { return }
        let hasRoom = tell(.rows(rows, SnapshotMetadata()))
        state.withLock { $0.hasRoom = hasRoom }
    }
}

extension [DocumentRecord] {
    fileprivate func inOrderOfExecution(of target: ListenerTarget) -> [DocumentRecord] {
        target.isReversed ? reversed() : self
    }
}

extension QueryListener: Hashable {
    static func == (lhs: QueryListener, rhs: QueryListener) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
