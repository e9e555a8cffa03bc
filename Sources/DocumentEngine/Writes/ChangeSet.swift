// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
internal import Synchronization

/// What one commit of LMDB did to documents.
package struct ChangeSet: Sendable {
    /// LMDB's number of the commit: a read whose state has this number or a greater one sees it. Numbers have no gaps, so a
    /// missing one is a commit of somebody else.
    package let transactionID: Int
    package let commitTime: Timestamp
    /// In the order in which the documents were first changed, one change of each. Nil where they are not known: more than
    /// 10,000, a load, a change of indexes, or nobody was listening when the commit began. Queries are to be run
    /// again then.
    package let changes: [DocumentChange]?
}

/// A document before and after a commit; nil where it did not exist.
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

/// Gathers the changes of a commit, or of one member of a group that is committed together.
struct ChangeLog {
    /// Beyond this, changes are not listed.
    static let limit = 10_000

    /// Nil where they are not known.
    private(set) var changes: [DocumentChange]?

    /// - Parameter isObserved: otherwise nothing is gathered.
    init(isObserved: Bool) {
        changes = isObserved ? [] : nil
    }

    mutating func note(_ path: DocumentPath, from old: Document?, to new: @autoclosure () -> Document?) {
        guard let count = changes?.count else { return }
        guard count < ChangeLog.limit else { return giveUp() }
        changes?.append(DocumentChange(path: path, old: old, new: new()))
    }

    /// The commit changes what cannot be listed.
    mutating func giveUp() { changes = nil }
}

/// Tells one observer of every commit of this process, after it has happened.
package final class ChangeFeed: Sendable {
    package typealias Observer = @Sendable (ChangeSet) -> Void

    /// A closure that is a generic type's own value is wrapped once more whenever it is taken out and put back, which every look
    /// at a mutex does; within a structure it is not.
    private struct State {
        var observer: Observer?
    }

    private let state = Mutex(State())
    private let hasObserver = Atomic<Bool>(false)

    /// Whether changes are to be gathered. May change during a commit, whose changes are unknown to a new observer then.
    var isObserved: Bool { hasObserver.load(ordering: .sequentiallyConsistent) }

    /// Sets the observer or, with nil, removes it. A commit that happens after this returns is told.
    ///
    /// It is called on the thread that committed, when the commit is durable, and must neither wait nor use the engine. Commits
    /// of several threads may come in another order than that of their numbers.
    package func observe(_ observer: Observer?) {
        state.withLock { $0.observer = observer }
        hasObserver.store(observer != nil, ordering: .sequentiallyConsistent)
    }

    func publish(_ changeSet: ChangeSet) {
        guard isObserved, let observer = state.withLock({ $0.observer }) else { return }
        observer(changeSet)
    }
}

extension Engine {
    /// LMDB's number of the last commit of any process.
    package var lastTransactionID: Int { environment.info.lastTransactionID }
}
