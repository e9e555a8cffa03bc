// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner
internal import Synchronization

/// What a listener is told.
enum WatchEvent: Sendable {
    /// All rows, in the query's order.
    case rows([QueryDocumentSnapshot])
    /// The last event.
    case failed(FirestoreError)
    /// The database was terminated; the last event.
    case ended
}

/// One listener as the hub keeps it: a source, its rows as of some commit, and who is to be told.
///
/// Everything but the identity is used on the hub's queue alone.
final class Watch: Sendable {
    private struct State {
        var view: LiveView
        /// The rows are those after this commit.
        var transactionID: Int
        var isChanged = false
        var isIncomplete = false
    }

    let source: LiveSource
    /// Told on the hub's queue; must not wait.
    private let tell: @Sendable (WatchEvent) -> Void
    private let state: Mutex<State>

    init(_ source: LiveSource, _ tell: @escaping @Sendable (WatchEvent) -> Void) {
        self.source = source
        self.tell = tell
        state = Mutex(State(view: LiveView(source), transactionID: 0))
    }

    /// Runs the query and tells the first rows, also if there are none (C-23).
    func start(_ engine: Engine) throws(QueryError) {
        let (documents, transactionID) = try source.run(engine)
        state.withLock { state in
            _ = state.view.replace(with: documents.inOrderOfExecution(of: source))
            state.transactionID = transactionID
            state.isChanged = true
        }
        tellChanges()
    }

    /// Notes what a commit changed.
    func apply(_ changes: [DocumentEngine.DocumentChange], of transactionID: Int) {
        state.withLock { state in
            guard transactionID > state.transactionID, !state.isIncomplete else { return }
            state.transactionID = transactionID
            switch state.view.apply(changes) {
            case .unchanged: break
            case .changed: state.isChanged = true
            case .incomplete:
                // A row has left or moved, whatever comes in its place.
                state.isChanged = true
                state.isIncomplete = true
            }
        }
    }

    /// Runs the query again where that is needed, then tells what has changed.
    func update(_ engine: Engine, always: Bool) throws(QueryError) {
        if always || state.withLock({ $0.isIncomplete }) {
            let (documents, transactionID) = try source.run(engine)
            state.withLock { state in
                if state.view.replace(with: documents.inOrderOfExecution(of: source)) { state.isChanged = true }
                state.transactionID = transactionID
                state.isIncomplete = false
            }
        }
        tellChanges()
    }

    func fail(_ error: FirestoreError) { tell(.failed(error)) }

    func end() { tell(.ended) }

    private func tellChanges() {
        let rows = state.withLock { state -> [QueryDocumentSnapshot]? in
            guard state.isChanged else { return nil }
            state.isChanged = false
            return source.isReversed ? state.view.rows.reversed() : state.view.rows
        }
        if let rows { tell(.rows(rows)) }
    }
}

extension [Document] {
    fileprivate func inOrderOfExecution(of source: LiveSource) -> [Document] {
        source.isReversed ? reversed() : self
    }
}

extension Watch: Hashable {
    static func == (lhs: Watch, rhs: Watch) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
