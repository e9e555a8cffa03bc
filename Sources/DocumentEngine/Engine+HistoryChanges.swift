// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
package import QueryPlanner

extension Engine {
    /// The changes of all commits after one time and up to another, in commit order; within a commit, in the order in which it
    /// first changed the documents. Only documents of the scope.
    ///
    /// Reads all changes after `since`, and holds those of the scope in memory.
    ///
    /// - Throws: as a read at `since` or at `upTo` does.
    package func changes(
        since: Timestamp, upTo: Timestamp, in scope: DocumentScope = .descendants(of: nil)
    ) throws(EngineError) -> [VersionChange] {
        try firstChanges(since: since, upTo: upTo, in: scope, .max).changes
    }

    /// The first of ``changes(since:upTo:in:)``: those of whole commits, until there are `limit` or more.
    ///
    /// - Returns: the changes, and the time up to which they are all.
    package func firstChanges(
        since: Timestamp, upTo: Timestamp, in scope: DocumentScope = .descendants(of: nil), _ limit: Int
    ) throws(EngineError) -> (changes: [VersionChange], end: Timestamp) {
        try read(at: upTo) { (last, history, transaction) throws(EngineError) in
            guard since < upTo else { return ([], upTo) }
            guard since.microseconds >= 0 else { throw .beforeCreation }
            let start = UInt64(since.microseconds)
            try history.requireReadable(start, transaction)
            var changes: [(entry: HistoryEntry, old: DocumentRecord?)] = []
            var end = last
            try history.reader.forEachChange(from: .after(start), upTo: last, &transaction) {
                (entry, value) throws(EngineError) in
                if let known = changes.last?.entry.position.time, changes.count >= limit, entry.position.time > known {
                    end = known
                    return false
                }
                if scope.contains(entry.path.collection) {
                    changes.append((entry, try entry.version(in: value, database: self.database)))
                }
                return true
            }
            let whole = try self.withNewVersions(changes, at: end, history, &transaction)
            return (whole, try Engine.time(end))
        }
    }

    /// Each change's new version is the one that the document's next change replaced, or the one at the end.
    private func withNewVersions(
        _ changes: [(entry: HistoryEntry, old: DocumentRecord?)], at end: UInt64, _ history: KeptHistory,
        _ transaction: inout Transaction
    ) throws(EngineError) -> [VersionChange] {
        var next: [[UInt8]: DocumentRecord?] = [:]
        var result: [VersionChange] = []
        for (entry, old) in changes.reversed() {
            let known = next[entry.documentKey]
            let new = if let known { known } else { try record(entry.path, at: end, history.reader, &transaction) }
            next.updateValue(old, forKey: entry.documentKey)
            result.append(
                VersionChange(
                    commitTime: try Engine.time(entry.position.time), path: entry.path, old: old, new: new))
        }
        return result.reversed()
    }
}

/// A document before and after a commit. Nil means that it does not exist.
package struct VersionChange: Sendable {
    package let commitTime: Timestamp
    package let path: DocumentPath
    package let old: DocumentRecord?
    package let new: DocumentRecord?

    package init(commitTime: Timestamp, path: DocumentPath, old: DocumentRecord?, new: DocumentRecord?) {
        self.commitTime = commitTime
        self.path = path
        self.old = old
        self.new = new
    }
}
