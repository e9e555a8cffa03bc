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
    private var waiting: [Int] = []
    /// The bytes that an entry is placed by.
    private var placed: [UInt8] = []

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
            for number in cursors.indices { try advance(number, &transaction) }
            var count = 0
            while let next = waiting.popLast() {
                try emit(next, into: &reader, transaction)
                count += 1
                if count == limit { return }
                try advance(next, &transaction)
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
            try cursors[number].copyRest(to: &placed, transaction)
            guard let place = try place(transaction) else { continue }
            waiting.insert(number, at: place)
            return
        }
    }

    /// The place among the waiting cursors for an entry with the bytes of `placed`. Nil if one of them is at such an entry.
    private mutating func place(_ transaction: borrowing Transaction) throws(EngineError) -> Int? {
        var low = 0
        var high = waiting.count
        while low < high {
            let middle = (low + high) / 2
            let order = try cursors[waiting[middle]].compareRest(to: placed, isComplemented: false, transaction)
            if order == 0 { return nil }
            if (order < 0) != entries.scan.backwards { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
