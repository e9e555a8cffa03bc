// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
internal import Synchronization

/// What one transaction of LMDB did to documents.
package struct ChangeSet: Sendable {
    /// LMDB's number of the transaction: a read whose state has this number or a greater one sees it. Numbers have no gaps, so a
    /// missing one is a commit of somebody else.
    package let transactionID: Int
    /// Of the last of its commits.
    package let commitTime: Timestamp
    /// What each of the commits that share the transaction changed, in their order: in each, one change of a document, in the
    /// order in which the documents were first changed. Nil where they are not known: more than 10,000 changes, a load, a change
    /// of indexes, or nobody was listening when the transaction began. Queries are to be run again then.
    package let commits: [[DocumentChange]]?
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

/// Collects the changes of the commits that share a transaction.
struct ChangeLog {
    /// Beyond this, changes are not listed.
    static let limit = 10_000

    /// Nil where they are not known.
    private(set) var commits: [[DocumentChange]]?
    private var count = 0

    /// - Parameter isObserved: otherwise nothing is collected.
    init(isObserved: Bool) {
        commits = isObserved ? [] : nil
    }

    /// Whether what is noted is kept.
    var isRecording: Bool { commits != nil }

    /// Whether documents were changed, and be it back again.
    var hasChanges: Bool { count > 0 }

    mutating func note(_ changes: [DocumentChange]) {
        guard isRecording, !changes.isEmpty else { return }
        count += changes.count
        guard count <= ChangeLog.limit else { return discard() }
        commits?.append(changes)
    }

    /// The commit changes what cannot be listed.
    mutating func discard() { commits = nil }
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

    /// Whether changes are to be collected. May change during a commit, whose changes are unknown to a new observer then.
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

extension TransactionScheduler {
    /// LMDB's number of the last commit of any process. Reads may not see it yet: LMDB writes the number into the file, syncs it, and
    /// then lets reads see the commit.
    package var lastTransactionID: Int { storage.environment.info.lastTransactionID }

    /// LMDB's number of the last commit that a read sees now; nil where the file cannot be read.
    package var readableTransactionID: Int? {
        do throws(EngineError) { return try read { (transaction) in transaction.id } } catch { return nil }
    }
}
