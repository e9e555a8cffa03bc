// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
package import QueryPlanner

extension Engine {
    /// The changes of all commits after one time and up to another, in commit order; within a commit, in the order in which it
    /// first changed the documents.
    ///
    /// Reads all changes after `since`, and holds those that are wanted in memory.
    ///
    /// - Parameter isWanted: whether the caller needs the changes of a document; versions of others are not read.
    /// - Throws: as a read at `since` or at `upTo` does.
    package func changes(
        since: Timestamp, upTo: Timestamp, where isWanted: (DocumentPath) -> Bool = { _ in true }
    ) throws(EngineError) -> [VersionChange] {
        try firstChanges(since: since, upTo: upTo, .max, where: isWanted).changes
    }

    /// The first of ``changes(since:upTo:where:)``: those of whole commits, until there are `limit` or more, or documents of `byteGoal`
    /// bytes before and after them.
    ///
    /// - Returns: the changes, and the time up to which they are all.
    package func firstChanges(
        since: Timestamp, upTo: Timestamp, _ limit: Int, byteGoal: Int = .max,
        where isWanted: (DocumentPath) -> Bool = { _ in true }
    ) throws(EngineError) -> (changes: [VersionChange], end: Timestamp) {
        try readChanges(since, upTo) { (start, last, history, transaction) throws(EngineError) in
            var changes: [(entry: HistoryEntry, old: DocumentRecord?)] = []
            var end = last
            var bytes = 0
            try history.reader.forEachChange(from: .after(start), upTo: last, &transaction) {
                (entry, value) throws(EngineError) in
                if let known = changes.last?.entry.position.time, changes.count >= limit || bytes >= byteGoal,
                    entry.position.time > known
                {
                    end = known
                    return false
                }
                if isWanted(entry.path) {
                    let old = try entry.version(in: value, database: self.database)
                    bytes += old?.byteCount ?? 0
                    changes.append((entry, old))
                }
                return true
            }
            return try self.withNewVersions(changes, at: end, byteGoal: byteGoal, history, &transaction)
        } ?? ([], upTo)
    }

    /// Each change's new version is the one that the document's next change replaced, or the one at the end. Leaves out the last commits
    /// if the versions of those before have enough bytes.
    private func withNewVersions(
        _ changes: [(entry: HistoryEntry, old: DocumentRecord?)], at end: UInt64, byteGoal: Int,
        _ history: KeptHistory, _ transaction: inout Transaction
    ) throws(EngineError) -> (changes: [VersionChange], end: Timestamp) {
        var nearest: [[UInt8]: Int] = [:]
        var next = [Int?](repeating: nil, count: changes.count)
        for index in changes.indices.reversed() {
            next[index] = nearest.updateValue(index, forKey: changes[index].entry.documentKey)
        }
        var result: [VersionChange] = []
        var bytes = 0
        for (index, (entry, old)) in changes.enumerated() {
            let time = try Engine.time(entry.position.time)
            if bytes >= byteGoal, let known = result.last?.commitTime, time > known { return (result, known) }
            let new =
                if let next = next[index] { changes[next].old } else {
                    try record(entry.path, at: end, history.reader, &transaction)
                }
            bytes += (old?.byteCount ?? 0) + (new?.byteCount ?? 0)
            result.append(VersionChange(commitTime: time, path: entry.path, old: old, new: new))
        }
        return (result, try Engine.time(end))
    }

    /// The documents of a scope that have changed after one time and up to another, each once, in the order of their first changes; nil
    /// if they are more than `limit`.
    ///
    /// - Parameter isFormer: called with each of them as it was at `since`, if it existed.
    /// - Returns: also those for which `isFormer` was true.
    package func changedDocuments(
        since: Timestamp, upTo: Timestamp, in scope: DocumentScope, limit: Int, isFormer: ((Document) -> Bool)? = nil
    ) throws(EngineError) -> (all: [DocumentPath], former: Set<DocumentPath>)? {
        try readChanges(since, upTo) { (start, last, history, transaction) throws(EngineError) in
            var keys: Set<[UInt8]> = []
            var (all, former): ([DocumentPath], Set<DocumentPath>) = ([], [])
            try history.reader.forEachChange(from: .after(start), upTo: last, &transaction) {
                (entry, value) throws(EngineError) in
                guard scope.contains(entry.path.collection), keys.insert(entry.documentKey).inserted else {
                    return true
                }
                all.append(entry.path)
                // The first change replaced the version that was current.
                if let isFormer, let old = try entry.version(in: value, database: self.database),
                    isFormer(try Engine.document(old))
                {
                    former.insert(entry.path)
                }
                return all.count <= limit
            }
            return all.count <= limit ? (all, former) : nil
        } ?? .some(([], []))
    }

    private static func document(_ record: DocumentRecord) throws(EngineError) -> Document {
        do throws(StoredFormatError) { return try record.document() } catch { throw EngineError(error) }
    }

    /// Nil if there is nothing between the times.
    private func readChanges<R>(
        _ since: Timestamp, _ upTo: Timestamp,
        _ body: (UInt64, UInt64, KeptHistory, inout Transaction) throws(EngineError) -> R
    ) throws(EngineError) -> R? {
        try read(at: upTo) { (last, history, transaction) throws(EngineError) -> R? in
            guard since < upTo else { return nil }
            guard since.microseconds >= 0 else { throw .beforeCreation }
            let start = UInt64(since.microseconds)
            try history.requireReadable(start, transaction)
            return try body(start, last, history, &transaction)
        }
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
