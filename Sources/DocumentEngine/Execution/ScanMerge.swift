// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The entries of several scans that differ in their prefixes only, merged by the bytes after the prefixes. Entries that agree in
/// these bytes name the same document, which is one row.
///
/// ``MergeOperator`` does the same for any operators, whose sort keys it must copy.
struct ScanMerge {
    private var cursors: [RangeCursor]
    private let entries: EntryReader
    /// The cursors that are at entries, in the opposite order of their entries, so that the next row is last.
    private var waiting: [Waiting] = []
    /// A reusable buffer: the bytes that an entry is compared by.
    private var placed: [UInt8] = []

    /// A cursor, and the first bytes of its entry after the prefix, which decide most comparisons.
    private struct Waiting {
        let cursor: Int
        let start: KeyStart
    }

    init(_ cursors: [RangeCursor], _ entries: EntryReader) {
        self.cursors = cursors
        self.entries = entries
        waiting.reserveCapacity(cursors.count)
    }

    /// The documents of at most `limit` rows.
    mutating func records(
        _ context: ExecutionContext, limit: Int?, _ transaction: inout Transaction
    ) throws(EngineError) -> [DocumentRecord] {
        try context.records(in: entries.collection, limit: limit, &transaction) {
            (limit, reader, transaction) throws(EngineError) in
            try RangeCursor.approach(&cursors, &transaction)
            for number in cursors.indices { try advance(number, &transaction) }
            var count = 0
            while let next = waiting.popLast() {
                try emit(next.cursor, into: &reader, transaction)
                count += 1
                if count == limit { return }
                try advance(next.cursor, &transaction)
            }
        }
    }

    private mutating func emit(
        _ number: Int, into reader: inout RecordReader, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        let entries = entries
        try cursors[number].withEntry(transaction) { (rest, value) throws(EngineError) in
            try entries.emit(suffix: rest, value: value, into: &reader, transaction)
        }
    }

    /// Moves a cursor to its next entry that no other cursor is at, and places it among the others.
    private mutating func advance(_ number: Int, _ transaction: inout Transaction) throws(EngineError) {
        while try cursors[number].next(&transaction) {
            let entry = Waiting(cursor: number, start: try cursors[number].start(transaction))
            guard let place = try place(of: entry, transaction) else { continue }
            waiting.insert(entry, at: place)
            return
        }
    }

    /// The place among the waiting cursors for one at its next entry. Nil if one of them is at an entry of the same document.
    private mutating func place(
        of entry: Waiting, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Int? {
        var place = waiting.count
        while place > 0 {
            let order = try order(of: waiting[place - 1], entry, transaction)
            if order == 0 { return nil }
            if (order > 0) != entries.scan.backwards { return place }
            place -= 1
        }
        return place
    }

    private mutating func order(
        of entry: Waiting, _ other: Waiting, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Int {
        if entry.start != other.start { return entry.start < other.start ? -1 : 1 }
        try cursors[other.cursor].copyRest(to: &placed, transaction)
        return try cursors[entry.cursor].compareRest(to: placed, isComplemented: false, transaction)
    }
}
