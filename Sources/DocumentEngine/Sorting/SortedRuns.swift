// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// The rank of an entry among those with its key. The highest rank wins.
enum RunRank: UInt8, Sendable {
    case entry
    /// Removes the entry. Overrides lower ranks.
    case removal
    /// Restores the entry. Overrides removals.
    case last
}

/// Entries of one store in sorted runs on disk, to be merged.
struct SortedRuns: Sendable {
    /// One sorted run. Each of its pieces begins and ends at an entry.
    struct Run: Sendable {
        let rank: RunRank
        fileprivate(set) var pieces: [Range<Int>] = []
    }

    let file: ScratchFile
    private(set) var runs: [Run] = []
    /// The size of all runs in bytes.
    private(set) var size = 0

    /// The number of bytes to read at once. A merge holds one piece of each run, which is small compared with a run.
    private static let pieceSize = 64 << 10

    init(_ file: ScratchFile) {
        self.file = file
    }

    mutating func append(_ other: SortedRuns) {
        runs += other.runs
        size += other.size
    }

    /// Adds a sorted buffer's entries as a run.
    mutating func append(sorted buffer: EntryBuffer, _ rank: RunRank = .entry) throws(EngineError) {
        guard !buffer.isEmpty else { return }
        var run = Run(rank: rank)
        var piece: [UInt8] = []
        piece.reserveCapacity(SortedRuns.pieceSize + 4096)
        for index in buffer.entries.indices {
            let (key, value) = (buffer.key(index), buffer.value(index))
            SortedRuns.append(length: key.count, to: &piece)
            SortedRuns.append(length: value.count, to: &piece)
            piece.append(contentsOf: buffer.bytes[key.lowerBound..<value.upperBound])
            if piece.count >= SortedRuns.pieceSize { try flush(&piece, to: &run) }
        }
        if !piece.isEmpty { try flush(&piece, to: &run) }
        runs.append(run)
    }

    private mutating func flush(_ piece: inout [UInt8], to run: inout Run) throws(EngineError) {
        let start: Int
        do { start = try file.append(piece) } catch { throw .storage(error) }
        run.pieces.append(start..<start + piece.count)
        size += piece.count
        piece.removeAll(keepingCapacity: true)
    }

    /// Appends a length, seven bits a byte, least significant first.
    private static func append(length: Int, to bytes: inout [UInt8]) {
        var rest = length
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
