// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

// The state of the database at past times. All calls need ``Options/history`` and hold no transaction between them. They throw:
// - INVALID_ARGUMENT for a time in the future, or before the database was created;
// - FAILED_PRECONDITION for a time that is older than the history kept.
extension Engine {
    /// Whether the engine keeps the history of documents.
    package var keepsHistory: Bool { false }

    /// The present, as a time to read at: every commit up to it is done and visible, and every later commit has a later time.
    ///
    /// It is never earlier than the time of a commit that has returned.
    package func readTime() throws(EngineError) -> Timestamp { throw .historyIsOff }

    /// An empty read set at ``readTime()``, for a transaction.
    package func beginReading() throws(EngineError) -> ReadSet { throw .historyIsOff }

    /// The earliest time that can be read.
    package func earliestReadTime() throws(EngineError) -> Timestamp { throw .historyIsOff }

    /// A random number that belongs to this history. ``clear()`` and ``restore(to:)`` replace it, so times of another
    /// incarnation mean nothing.
    package func incarnation() throws(EngineError) -> UInt64 { throw .historyIsOff }

    /// The document at a path at a time; nil if there was none.
    package func record(_ path: DocumentPath, at time: Timestamp) throws(EngineError) -> DocumentRecord? {
        try records([path], at: time)[0]
    }

    /// The documents at some paths at a time, in the order of the paths.
    package func records(_ paths: [DocumentPath], at time: Timestamp) throws(EngineError) -> [DocumentRecord?] {
        throw .historyIsOff
    }

    /// Runs a query at a time, as ``run(_:allowScan:by:)`` does now. The current indexes decide whether it is served.
    package func run(
        _ request: QueryRequest, at time: Timestamp, allowScan: Bool = false, by strategy: ExecutionStrategy = .fastest
    ) throws(QueryError) -> QueryResult {
        throw .engine(.historyIsOff)
    }

    /// As ``collectionIDs(under:)`` at a time.
    package func collectionIDs(under parent: DocumentPath?, at time: Timestamp) throws(EngineError) -> [Text] {
        throw .historyIsOff
    }

    /// The documents of one collection, or of all collections directly under a parent, in name order, with *missing parents*:
    /// names that only have documents below them.
    ///
    /// - Parameters:
    ///   - scope: `.collection` or `.children`.
    ///   - after: the last name of the page before.
    ///   - limit: the most documents to return.
    package func documentsAndParents(
        in scope: DocumentScope, after: DocumentPath? = nil, limit: Int = .max, at time: Timestamp
    ) throws(EngineError) -> [ListedDocument] {
        throw .historyIsOff
    }

    /// The changes of all commits after one time and up to another, in commit order; within a commit, in the order in which it
    /// first changed the documents. Only documents of the scope.
    package func changes(
        since: Timestamp, upTo: Timestamp, in scope: DocumentScope = .descendants(of: nil)
    ) throws(EngineError) -> [VersionChange] {
        throw .historyIsOff
    }
}

// MARK: - Writing

extension Engine {
    /// As ``commit(_:)``, if what a transaction read has not changed since. Waits for no other transaction.
    ///
    /// A change of a document that was read is a conflict, and so is a change after which a query that was read would have another
    /// result. Beyond the last row of a query with a limit, changes do not matter. Without writes, nothing is checked: the reads
    /// themselves are consistent.
    ///
    /// - Throws: `aborted` in production's words if something has changed, or if the history does not reach back to the reads.
    package func commit(_ writes: [Write], validating reads: ReadSet) throws(EngineError) -> CommitResult {
        throw .historyIsOff
    }

    /// Undoes every change after a time, in one commit. Documents get back the fields and times that they had. The history up to
    /// that time remains, so it can be restored repeatedly.
    ///
    /// Every listener runs its query again, and transactions that began before are aborted.
    package func restore(to time: Timestamp) throws(EngineError) { throw .historyIsOff }

    /// Deletes all documents and their history in one short commit. Index definitions stay.
    ///
    /// Every listener runs its query again, and transactions that began before are aborted. It also works without history. Waits
    /// for a running load or index build.
    package func clear() throws(EngineError) { throw .historyIsOff }
}

/// A document of a list, or a missing parent.
package struct ListedDocument: Sendable {
    package let path: DocumentPath
    /// Nil for a missing parent.
    package let record: DocumentRecord?
}

/// A document before and after a commit. Nil means that it does not exist.
package struct VersionChange: Sendable {
    package let commitTime: Timestamp
    package let path: DocumentPath
    package let old: DocumentRecord?
    package let new: DocumentRecord?
}

extension EngineError {
    static let historyIsOff = EngineError.refused(
        .failedPrecondition, "The database keeps no history. Open it with `Engine.Options.history`.")
}
