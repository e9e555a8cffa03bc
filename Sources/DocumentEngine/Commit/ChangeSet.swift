// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import Synchronization

/// The documents that one LMDB transaction changed.
package struct ChangeSet: Sendable {
    /// LMDB's transaction number. A read with this number or a greater one sees the transaction. Numbers have no gaps,
    /// so a missing number is a commit of another process.
    package let transactionID: Int
    /// The time of the last commit in the transaction.
    package let commitTime: Timestamp
    /// The changes of each commit in the transaction, in commit order. A commit has one change per document, in the
    /// order in which the documents were first changed. Nil if the changes are unknown: more than 10,000 changes, a
    /// load, an index change, or no observer at the beginning of the transaction. Queries must then run again.
    package let commits: [[DocumentChange]]?
}

/// A document before and after a commit. Nil means that it does not exist.
package struct DocumentChange: Sendable {
    package let path: DocumentPath
    package let old: Document?
    package let new: Document?

    package init(path: DocumentPath, old: Document?, new: Document?) {
        self.path = path
        self.old = old
        self.new = new
    }
}

/// Collects the changes of the commits in a transaction.
struct ChangeLog {
    /// The maximum number of changes to list.
    static let limit = 10_000

    /// Nil if the changes are unknown.
    private(set) var commits: [[DocumentChange]]?
    /// Nil if the engine keeps no history.
    var history: HistoryRecorder?
    private var count = 0

    /// - Parameter isObserved: whether to collect changes.
    init(isObserved: Bool, _ history: HistoryRecorder? = nil) {
        commits = isObserved ? [] : nil
        self.history = history
    }

    /// Whether changes are being collected.
    var isRecording: Bool { commits != nil || history != nil }

    /// Whether any change was collected, even if a later one undid it.
    var hasChanges: Bool { count > 0 }

    mutating func note(_ changes: [DocumentChange], at time: Timestamp) {
        guard isRecording, !changes.isEmpty else { return }
        count += changes.count
        history?.note(changes, at: time)
        guard commits != nil else { return }
        guard count <= ChangeLog.limit else { return discard() }
        commits?.append(changes)
    }

    /// Marks the changes of the transaction as unknown.
    mutating func discard() { commits = nil }
}

/// Tells one observer about every commit of this process, after the commit.
package final class ChangeFeed: Sendable {
    package typealias Observer = @Sendable (ChangeSet) -> Void

    /// A struct, because a mutex over a bare closure would wrap the closure again at every access.
    private struct State {
        var observer: Observer?
    }

    private let state = Mutex(State())
    private let hasObserver = Atomic<Bool>(false)

    /// Whether to collect changes. If this changes during a commit, the new observer gets that commit's changes as
    /// unknown.
    var isObserved: Bool { hasObserver.load(ordering: .sequentiallyConsistent) }

    /// Sets or, with nil, removes the observer. It is told about every commit after this call.
    ///
    /// The observer is called after the commit is durable, on the thread that committed. It must neither wait nor use
    /// the engine. Commits of several threads may arrive in another order than their numbers.
    package func observe(_ observer: Observer?) {
        state.withLock { $0.observer = observer }
        hasObserver.store(observer != nil, ordering: .sequentiallyConsistent)
    }

    func publish(_ changeSet: ChangeSet) {
        guard isObserved, let observer = state.withLock({ $0.observer }) else { return }
        observer(changeSet)
    }
}
