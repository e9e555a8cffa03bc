// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Reads the history in a transaction.
struct HistoryReader: Sendable {
    let store: Store
    let database: DatabaseID

    /// Calls `body` for every change from one position on, in order, up to the time `end`. `body` returns whether to continue.
    func forEachChange(
        from first: HistoryEntry.Position, upTo end: UInt64 = .max, _ transaction: inout Transaction,
        _ body: (HistoryEntry, RawSpan) throws(EngineError) -> Bool
    ) throws(EngineError) {
        let cursor = try transaction.open(store)
        defer { transaction.close(cursor) }
        var isFound = try transaction.seek(cursor, HistoryEntry.key(first).span.bytes)
        while isFound, let entry = try HistoryEntry(key: transaction.key(cursor), value: transaction.value(cursor)),
            entry.position.time <= end, try body(entry, transaction.value(cursor))
        {
            isFound = try transaction.next(cursor)
        }
    }

    /// The first change of a document after a time, and the version that it replaced; nil if it has not changed since.
    func firstChange(
        of documentKey: [UInt8], after time: UInt64, _ transaction: inout Transaction
    ) throws(EngineError) -> (position: HistoryEntry.Position, replaced: DocumentRecord?)? {
        let cursor = try transaction.open(store)
        let first = HistoryEntry.versionKey(documentKey, .after(time))
        var isFound = try transaction.seek(cursor, first.span.bytes)
        var change: (HistoryEntry.Position, DocumentRecord?)?
        while isFound, change == nil,
            let position = HistoryEntry.position(inVersionKey: transaction.key(cursor), like: first)
        {
            change = try replaced(of: documentKey, at: position, transaction).map { (position, $0) }
            isFound = try transaction.next(cursor)
        }
        transaction.close(cursor)
        return change
    }

    /// The version that a change replaced. Nil if the change is another document's, whose key has the same hash.
    private func replaced(
        of documentKey: [UInt8], at position: HistoryEntry.Position, _ transaction: borrowing Transaction
    ) throws(EngineError) -> DocumentRecord?? {
        let key = HistoryEntry.key(position)
        guard let value = try transaction.get(key.span.bytes, from: store),
            let entry = try HistoryEntry(key: key.span.bytes, value: value)
        else { throw .damaged("the history lacks a change that it lists") }
        guard entry.documentKey == documentKey else { return .none }
        return .some(try entry.version(in: value, database: database))
    }
}

extension HistoryReader {
    /// Throws unless the database's state at a time is known. The time of the last commit is always readable: it is the present of
    /// a file that several processes have open.
    ///
    /// - Parameter windowStart: the earliest time of which versions remain readable.
    func requireReadable(
        _ time: UInt64, windowStart: UInt64, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        let head = try HistoryHead.read(from: store, transaction)
        if let head, time < head.created { throw .beforeCreation }
        let last = try Counter(.commitTime).value(transaction)
        guard time >= windowStart || time == last else { throw .readTimeTooOld }
        if last <= time { return }
        guard let head, try head.isComplete(transaction), time >= head.floor else { throw .readTimeTooOld }
    }
}

extension EngineError {
    package static let beforeCreation = EngineError.refused(
        .invalidArgument, "The requested 'read_time' cannot be before database creation time.")
    /// The history no longer reaches back to the time of a read.
    package static let readTimeTooOld = EngineError.refused(
        .failedPrecondition, "The requested 'read_time' is too old.")
    package static let readTimeInFuture = EngineError.refused(
        .invalidArgument, "The requested 'read_time' cannot be in the future.")
    static let contention = EngineError.refused(
        .aborted, "Too much contention on these documents. Please try again.")
}
