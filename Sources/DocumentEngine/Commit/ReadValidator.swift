// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Decides in the writer's turn whether what a transaction has read is still so.
///
/// It reads the changes since, and for each changed document of a query's scope the current version: never more than what has
/// changed.
struct ReadValidator {
    let reads: ReadSet
    let history: HistoryReader
    /// Entries of the history that were read.
    private(set) var entriesRead = 0
    /// How often a query was compared with a change.
    private(set) var comparisons = 0
    private let comparisonLimit: Int

    /// - Parameter comparisonLimit: how many comparisons are made while the other writers wait. Beyond it, a query counts as a read of
    ///   its whole scope: the transaction may be aborted without need, and never commits wrongly.
    init(_ reads: ReadSet, _ history: HistoryReader, comparisonLimit: Int = 100_000) {
        self.reads = reads
        self.history = history
        self.comparisonLimit = comparisonLimit
    }

    /// - Parameter earlier: the changes of commits that share the transaction and come before.
    mutating func isCurrent(
        after earlier: some Sequence<DocumentChange>, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        let time = UInt64(reads.time.microseconds)
        guard try reads.incarnation == Counter(.incarnation).value(transaction) else { return false }
        let isChanged = try Counter(.commitTime).value(transaction) > time
        if isChanged {
            guard let head = try HistoryHead.read(from: history.store, transaction),
                try head.isComplete(transaction), time >= head.floor
            else { return false }
        }
        if earlier.contains(where: { reads.documents.contains($0.path) }) { return false }
        if isChanged, try hasChangedDocument(since: time, &transaction) { return false }
        let scopes = reads.allScopes
        guard !scopes.isEmpty else { return true }
        var changes: [DocumentPath: DocumentChange] = [:]
        if isChanged { changes = try self.changes(in: scopes, since: time, &transaction) }
        for change in earlier {
            let old = changes[change.path].map(\.old) ?? change.old
            changes[change.path] = DocumentChange(path: change.path, old: old, new: change.new)
        }
        for change in changes.values where touches(change) { return false }
        return true
    }

    private mutating func hasChangedDocument(
        since time: UInt64, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        var ids = IDAllocator()
        for path in reads.documents {
            // A collection without an ID has had no document since.
            guard let collectionID = try ids.existingCollectionID(of: path.collection, transaction) else { continue }
            let key = DocumentKey.bytes(of: path.id, in: collectionID)
            if try history.firstChange(of: key, after: time, &transaction) != nil {
                entriesRead += 1
                return true
            }
        }
        return false
    }

    /// The documents of some scopes that have changed, then and now.
    private mutating func changes(
        in scopes: ScopeSet, since time: UInt64, _ transaction: inout Transaction
    ) throws(EngineError) -> [DocumentPath: DocumentChange] {
        var olds: [DocumentPath: (key: [UInt8], old: Document?)] = [:]
        var count = 0
        try history.forEachChange(from: .after(time), &transaction) { (entry, value) throws(EngineError) in
            count += 1
            guard olds[entry.path] == nil, scopes.contains(entry.path.collection) else { return true }
            let old = try entry.version(in: value, database: history.database)
            olds[entry.path] = (entry.documentKey, try old?.decoded())
            return true
        }
        entriesRead += count
        var changes: [DocumentPath: DocumentChange] = [:]
        for (path, (key, old)) in olds {
            var new: Document?
            if let record = try transaction.get(key.span.bytes, from: .documents) {
                new = try Document(path, record, key: key.span.bytes, database: history.database)
            }
            changes[path] = DocumentChange(path: path, old: old, new: new)
        }
        return changes
    }

    private mutating func touches(_ change: DocumentChange) -> Bool {
        let exists = (change.old != nil, change.new != nil)
        if exists == (false, false) { return false }
        if exists.0 != exists.1, reads.names.contains(change.path.collection) { return true }
        if reads.scopes.contains(change.path.collection) { return true }
        for query in reads.queries(over: change.path.collection) {
            guard comparisons < comparisonLimit else { return true }
            comparisons += 1
            if query.isChanged(by: change) { return true }
        }
        return false
    }
}

extension ReadQuery {
    /// Whether a change of a document in the query's scope changes what was read.
    fileprivate func isChanged(by change: DocumentChange) -> Bool {
        let (wasRow, isRow) = (hasRow(change.old), hasRow(change.new))
        return counts ? wasRow != isRow : wasRow || isRow
    }

    /// Whether a version of a document in the query's scope is a row that was read, or would have been.
    private func hasRow(_ document: Document?) -> Bool {
        guard let document, let key = matcher.sortKey(of: document) else { return false }
        return reach.map { compareBytes(key.span.bytes, $0.span.bytes) <= 0 } ?? true
    }
}
