// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension EntryBuffer {
    /// Sorts by key and drops duplicates, which equal elements of one array make (I-21).
    mutating func sort() {
        sortKeepingAll()
        let bytes = bytes
        var kept = 0
        for index in entries.indices {
            if kept > 0, EntryBuffer.compare(entries[kept - 1], entries[index], bytes) == 0 { continue }
            if kept != index { entries[kept] = entries[index] }
            kept += 1
        }
        if kept < entries.count { entries.removeSubrange(kept...) }
    }

    /// Sorts by key. Entries with equal keys keep their order.
    ///
    /// A merge sort, because the standard library's sort inserts into runs of up to 64 elements and so compares twice as often.
    mutating func sortKeepingAll() {
        let bytes = bytes
        guard !isSorted(bytes) else { return }
        var room = entries
        let count = entries.count
        var entries = entries.mutableSpan
        for start in stride(from: 0, to: count, by: EntryBuffer.insertionCount) {
            let end = min(start + EntryBuffer.insertionCount, count)
            EntryBuffer.insertionSort(&entries, start..<end, bytes)
        }
        guard count > EntryBuffer.insertionCount else { return }
        var other = room.mutableSpan
        var width = EntryBuffer.insertionCount
        while width < count {
            EntryBuffer.mergeRuns(of: width, entries, into: &other, bytes)
            EntryBuffer.mergeRuns(of: 2 * width, other, into: &entries, bytes)
            width *= 4
        }
    }

    private static let insertionCount = 8

    private func isSorted(_ bytes: [UInt8]) -> Bool {
        for index in entries.indices.dropFirst()
        where EntryBuffer.compare(entries[index - 1], entries[index], bytes) > 0 {
            return false
        }
        return true
    }

    private static func insertionSort(_ entries: inout MutableSpan<Entry>, _ range: Range<Int>, _ bytes: [UInt8]) {
        for index in range.dropFirst() {
            let entry = entries[index]
            var place = index
            while place > range.lowerBound, compare(entries[place - 1], entry, bytes) > 0 {
                entries[place] = entries[place - 1]
                place -= 1
            }
            entries[place] = entry
        }
    }

    /// Merges each two neighbouring runs of so many entries.
    private static func mergeRuns(
        of width: Int, _ from: borrowing MutableSpan<Entry>, into to: inout MutableSpan<Entry>, _ bytes: [UInt8]
    ) {
        for start in stride(from: 0, to: from.count, by: 2 * width) {
            let middle = min(start + width, from.count)
            let end = min(middle + width, from.count)
            var (left, right) = (start, middle)
            for place in start..<end {
                if right == end || left < middle && compare(from[left], from[right], bytes) <= 0 {
                    to[place] = from[left]
                    left += 1
                } else {
                    to[place] = from[right]
                    right += 1
                }
            }
        }
    }

    @inline(__always)
    private static func compare(_ lhs: Entry, _ rhs: Entry, _ bytes: [UInt8]) -> Int {
        if lhs.firstWord != rhs.firstWord { return lhs.firstWord < rhs.firstWord ? -1 : 1 }
        if lhs.secondWord != rhs.secondWord { return lhs.secondWord < rhs.secondWord ? -1 : 1 }
        let span = bytes.span.bytes
        return compareBytes(
            span.extracting(lhs.start..<lhs.start + Int(lhs.keyCount)),
            span.extracting(rhs.start..<rhs.start + Int(rhs.keyCount)))
    }
}
