// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Merges sorted runs into key order. Of equal keys, the lowest rank comes first.
struct RunMerger {
    /// A run's current entry. The first sixteen bytes of its key decide most comparisons.
    private struct Head {
        let firstWord: UInt64
        let secondWord: UInt64
        let keyStart: Int
        let keyEnd: Int
        let source: Int32
        let rank: RunRank

        /// - Parameter bytes: the array that contains the keys.
        func isBefore(_ other: Head, _ bytes: RawSpan) -> Bool {
            if firstWord != other.firstWord { return firstWord < other.firstWord }
            if secondWord != other.secondWord { return secondWord < other.secondWord }
            let order = compareBytes(
                bytes.extracting(keyStart..<keyEnd), bytes.extracting(other.keyStart..<other.keyEnd))
            return order == 0 ? rank.rawValue < other.rank.rawValue : order < 0
        }
    }

    private var readers: [RunReader] = []
    /// The current pieces of all runs.
    private var bytes: [UInt8] = []
    /// A binary heap, the smallest entry first.
    private var heads: [Head] = []

    init(_ runs: SortedRuns) throws(EngineError) {
        for run in runs.runs {
            var reader = RunReader(run, runs.file, &bytes)
            guard try reader.next(&bytes) else { continue }
            readers.append(reader)
            heads.append(head(of: readers.count - 1))
        }
        let bytes = bytes
        for index in (0..<heads.count / 2).reversed() { RunMerger.sink(index, &heads, bytes.span.bytes) }
    }

    var isAtEnd: Bool { heads.isEmpty }

    var rank: RunRank { heads[0].rank }

    var key: RawSpan {
        @_lifetime(borrow self)
        get { bytes.span.bytes.extracting(heads[0].keyStart..<heads[0].keyEnd) }
    }

    var value: RawSpan {
        @_lifetime(borrow self)
        get { bytes.span.bytes.extracting(readers[Int(heads[0].source)].value) }
    }

    /// Moves past the current entry.
    mutating func advance() throws(EngineError) {
        let source = Int(heads[0].source)
        if try readers[source].next(&bytes) {
            heads[0] = head(of: source)
        } else {
            heads[0] = heads[heads.count - 1]
            heads.removeLast()
        }
        guard heads.count > 1 else { return }
        let bytes = bytes
        RunMerger.sink(0, &heads, bytes.span.bytes)
    }

    private func head(of source: Int) -> Head {
        let key = readers[source].key
        let span = bytes.span.bytes
        return Head(
            firstWord: KeyEncoder.word(span, at: key.lowerBound, end: key.upperBound),
            secondWord: KeyEncoder.word(span, at: key.lowerBound + 8, end: key.upperBound), keyStart: key.lowerBound,
            keyEnd: key.upperBound, source: Int32(source), rank: readers[source].rank)
    }

    private static func sink(_ start: Int, _ heads: inout [Head], _ bytes: RawSpan) {
        var index = start
        let sinking = heads[start]
        while true {
            var child = 2 * index + 1
            guard child < heads.count else { break }
            if child + 1 < heads.count, heads[child + 1].isBefore(heads[child], bytes) { child += 1 }
            guard heads[child].isBefore(sinking, bytes) else { break }
            heads[index] = heads[child]
            index = child
        }
        heads[index] = sinking
    }
}

extension RunMerger {
    /// Appends the winning entries of the next keys to a buffer, until it holds `limit` bytes or the runs end.
    mutating func fill(_ buffer: inout EntryBuffer, limit: Int) throws(EngineError) {
        while !isAtEnd, buffer.size < limit {
            let mark = buffer.mark
            var counts = rank
            buffer.append(copying: key, value)
            try advance()
            while !isAtEnd, isKey(equalToLastOf: buffer) {
                counts = rank
                buffer.truncate(to: mark)
                buffer.append(copying: key, value)
                try advance()
            }
            if counts == .removal { buffer.truncate(to: mark) }
        }
    }

    /// Skips all entries up to and including a key.
    mutating func skip(through last: [UInt8]) throws(EngineError) {
        while !isAtEnd, key.compare(to: last) <= 0 { try advance() }
    }

    private func isKey(equalToLastOf buffer: EntryBuffer) -> Bool {
        let last = buffer.entries.count - 1
        guard heads[0].firstWord == buffer.entries[last].firstWord,
            heads[0].secondWord == buffer.entries[last].secondWord
        else {
            return false
        }
        return compareBytes(key, buffer.bytes.span.bytes.extracting(buffer.key(last))) == 0
    }
}
