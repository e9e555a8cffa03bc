// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// Reads the entries of one run in order. It reads piece by piece into its own part of a shared byte array.
struct RunReader {
    let rank: RunRank
    /// The current entry's ranges in the byte array.
    private(set) var key: Range<Int>
    private(set) var value: Range<Int>
    private let file: ScratchFile
    private let pieces: [Range<Int>]
    private let place: Int
    private var nextPiece = 0
    /// The end of the current piece in the byte array.
    private var end: Int

    /// Appends room for a piece of the run to `bytes`.
    init(_ run: SortedRuns.Run, _ file: ScratchFile, _ bytes: inout [UInt8]) {
        rank = run.rank
        pieces = run.pieces
        self.file = file
        place = bytes.count
        end = place
        key = place..<place
        value = place..<place
        bytes.append(contentsOf: repeatElement(0, count: run.pieces.map(\.count).max() ?? 0))
    }

    /// Moves to the next entry. Returns false at the end.
    mutating func next(_ bytes: inout [UInt8]) throws(EngineError) -> Bool {
        var offset = value.upperBound
        if offset == end {
            guard nextPiece < pieces.count else { return false }
            do { try file.read(pieces[nextPiece], into: &bytes, at: place) } catch { throw .storage(error) }
            offset = place
            end = place + pieces[nextPiece].count
            nextPiece += 1
        }
        let keyCount = RunReader.length(bytes, &offset)
        let valueCount = RunReader.length(bytes, &offset)
        key = offset..<offset + keyCount
        value = key.upperBound..<key.upperBound + valueCount
        return true
    }

    private static func length(_ bytes: [UInt8], _ offset: inout Int) -> Int {
        var number = 0
        var shift = 0
        while true {
            let byte = bytes[offset]
            offset += 1
            number |= Int(byte & 0x7F) << shift
            guard byte & 0x80 != 0 else { return number }
            shift += 7
        }
    }
}
