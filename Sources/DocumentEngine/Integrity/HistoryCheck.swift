// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Checks the history: each change and the version that it replaced is readable, is found by its document's key, and is counted in
/// the head.
struct HistoryCheck {
    private let history: HistoryReader
    /// Sums of the hashes of keys: of those that the changes require, and of those that are there.
    private var required: UInt64 = 0
    private var found: UInt64 = 0
    private var byteCount: UInt64 = 0

    init(_ history: HistoryReader) {
        self.history = history
    }

    /// Notes the problems; of unreadable data, the first.
    mutating func check(
        _ report: inout VerificationReport, _ transaction: inout Transaction
    ) throws(EngineError) {
        do throws(EngineError) {
            try readChanges(&transaction)
            try readKeys(&transaction)
            if required != found { report.note("the history's list by documents is not that of its changes") }
            let head = try HistoryHead.read(from: history.store, transaction)
            if head?.byteCount ?? 0 != byteCount { report.note("the history has another size than its head says") }
        } catch {
            guard case .damaged(let what) = error else { throw error }
            report.note(what)
        }
    }

    private mutating func readChanges(_ transaction: inout Transaction) throws(EngineError) {
        try history.forEachChange(from: .after(0), &transaction) { (entry, value) throws(EngineError) in
            _ = try entry.version(in: value, database: history.database)
            let key = HistoryEntry.versionKey(entry.documentKey, entry.position)
            required &+= WyHash.hash(key.span.bytes, seed: 0)
            byteCount += UInt64(HistoryEntry.size(ofValue: value.byteCount))
            return true
        }
    }

    private mutating func readKeys(_ transaction: inout Transaction) throws(EngineError) {
        let keys = HistoryEntry.versionKeys
        let cursor = try transaction.open(history.store)
        var isFound = try transaction.seek(cursor, keys.lower.span.bytes)
        while isFound, keys.contains(transaction.key(cursor)) {
            found &+= WyHash.hash(transaction.key(cursor), seed: 0)
            isFound = try transaction.next(cursor)
        }
        transaction.close(cursor)
    }
}
