// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Writes the history of one write transaction: the versions that its commits replace. Also drops the oldest entries, a few in each
/// transaction. Where it meets damage, the history begins again: no commit fails because of an old version.
struct HistoryRecorder {
    let history: HistoryReader
    private let limits: HistoryLimits
    private var head: HistoryHead
    private var pending: [(time: UInt64, changes: [DocumentChange])] = []

    /// If the database has commits that the history lacks, it begins again after them.
    init(
        _ history: HistoryReader, _ limits: HistoryLimits, _ firstIncarnation: UInt64?, now: () -> UInt64,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        self.history = history
        self.limits = limits
        let lastCommit = try Counter(.commitTime).value(transaction)
        if let known = try HistoryRecorder.head(history, &transaction) {
            head = known
            if try !known.isComplete(transaction) { head.floor = lastCommit }
        } else {
            head = HistoryHead(floor: lastCommit, created: lastCommit == 0 ? now() : 0)
            if try Counter(.incarnation).value(transaction) == 0 {
                try HistoryRecorder.beginIncarnation(as: lastCommit == 0 ? firstIncarnation : nil, &transaction)
            }
        }
    }

    /// Nil also for a damaged head, without which the entries mean nothing.
    private static func head(
        _ history: HistoryReader, _ transaction: inout Transaction
    ) throws(EngineError) -> HistoryHead? {
        do throws(EngineError) {
            return try HistoryHead.read(from: history.store, transaction)
        } catch {
            guard case .damaged = error else { throw error }
            try transaction.empty(history.store)
            return nil
        }
    }

    static func beginIncarnation(as chosen: UInt64? = nil, _ transaction: inout Transaction) throws(EngineError) {
        try Counter(.incarnation).set(chosen ?? .random(in: 1...UInt64.max), &transaction)
    }

    /// The changes of this transaction's commits so far.
    var changes: some Sequence<DocumentChange> { pending.lazy.flatMap(\.changes) }

    mutating func note(_ changes: [DocumentChange], at time: Timestamp) {
        pending.append((UInt64(time.microseconds), changes))
    }

    /// The changes of the transaction are not known, so the history begins again after it.
    mutating func cut(at time: UInt64) { head.floor = time }

    /// No change up to a time is read any more.
    mutating func raiseFloor(to time: UInt64) { head.floor = max(head.floor, min(time, head.commitTime)) }

    /// Writes what was noted.
    ///
    /// - Parameter time: of the last commit in the transaction.
    mutating func finish(at time: UInt64, _ transaction: inout Transaction) throws(EngineError) {
        var count = 0
        for commit in pending { count += try write(commit.changes, at: commit.time, &transaction) }
        do throws(EngineError) {
            try prune(atMost: 2 * count + 16, now: time, &transaction)
        } catch {
            guard case .damaged = error else { throw error }
            try eraseAll(at: time, &transaction)
        }
        head.transactionID = UInt64(transaction.id)
        head.commitTime = time
        try head.write(to: history.store, &transaction)
    }

    private mutating func write(
        _ changes: [DocumentChange], at time: UInt64, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        var allocator = try IDAllocator(&transaction)
        let cursor = try transaction.open(history.store)
        defer { transaction.close(cursor) }
        for (number, change) in changes.enumerated() {
            let position = HistoryEntry.Position(time, UInt32(number))
            let key = DocumentKey(
                change.path, collectionID: try allocator.collectionID(of: change.path.collection, &transaction))
            let replaced = change.old.map { document in
                StoredDocumentEncoder.record(
                    of: document.fields, createTime: document.createTime, updateTime: document.updateTime,
                    key: key.bytes, database: history.database)
            }
            let changeKey = HistoryEntry.key(position)
            let value = HistoryEntry.value(change.path, key, replaced: replaced, at: position)
            if try !transaction.append(cursor, changeKey.span.bytes, value.span.bytes) {
                throw .damaged("the history has a change of a later time")
            }
            let versionKey = HistoryEntry.versionKey(key.bytes, position)
            try transaction.put(cursor, versionKey.span.bytes, [UInt8]().span.bytes)
            head.byteCount += UInt64(HistoryEntry.size(ofValue: value.count))
        }
        return changes.count
    }
}

// MARK: - Dropping entries

extension HistoryRecorder {
    /// Drops the oldest entries that are out of the window, of the size, or of use.
    private mutating func prune(
        atMost limit: Int, now: UInt64, _ transaction: inout Transaction
    ) throws(EngineError) {
        let end = max(limits.windowStart(at: now), head.floor)
        let byteLimit = UInt64(clamping: limits.byteLimit)
        var (bytes, dropped) = (head.byteCount, [Dropped]())
        try history.forEachChange(from: .after(0), &transaction) { (entry, value) throws(EngineError) in
            guard dropped.count < limit, entry.position.time <= end || bytes > byteLimit else { return false }
            dropped.append(Dropped(entry, value))
            bytes -= min(bytes, UInt64(dropped[dropped.count - 1].byteCount))
            return true
        }
        guard let last = dropped.last else { return }
        head.floor = max(head.floor, last.position.time)
        try drop(dropped, &transaction)
    }

    /// Removes every entry after a time, because its change was undone.
    mutating func erase(after time: UInt64, _ transaction: inout Transaction) throws(EngineError) {
        var entries: [Dropped] = []
        try history.forEachChange(from: .after(time), &transaction) { (entry, value) throws(EngineError) in
            entries.append(Dropped(entry, value))
            return true
        }
        try drop(entries, &transaction)
    }

    /// Removes every entry.
    mutating func eraseAll(at time: UInt64, _ transaction: inout Transaction) throws(EngineError) {
        try transaction.empty(history.store)
        head.byteCount = 0
        head.floor = time
    }

    private struct Dropped {
        let position: HistoryEntry.Position
        let keys: [[UInt8]]
        let byteCount: Int

        init(_ entry: HistoryEntry, _ value: RawSpan) {
            position = entry.position
            keys = [HistoryEntry.key(position), HistoryEntry.versionKey(entry.documentKey, position)]
            byteCount = HistoryEntry.size(ofValue: value.byteCount)
        }
    }

    private mutating func drop(_ entries: [Dropped], _ transaction: inout Transaction) throws(EngineError) {
        guard !entries.isEmpty else { return }
        let cursor = try transaction.open(history.store)
        defer { transaction.close(cursor) }
        for entry in entries {
            for key in entry.keys {
                guard try transaction.seek(cursor, key.span.bytes), transaction.key(cursor).compare(to: key) == 0
                else { throw .damaged("the history lacks a change that it lists") }
                try transaction.delete(cursor)
            }
            head.byteCount -= min(head.byteCount, UInt64(entry.byteCount))
        }
    }
}
