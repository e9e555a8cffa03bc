// SPDX-License-Identifier: Apache-2.0

/// Turns byte offsets of a source text into lines and columns for people and tools.
///
/// Lines end with LF or CR LF. Columns count Unicode scalars, a tab as one, which is what SARIF calls
/// `unicodeCodePoints`; in bytes that are not UTF-8 every byte that cannot continue a scalar counts as one.
package struct LineMap: Sendable {
    /// Both count from 1.
    package struct Position: Sendable, Hashable {
        package let line: Int
        package let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    private let source: [UInt8]
    private let lineStarts: [Int]
    /// How many scalars begin before each multiple of ``stride``, so that a place in a very long line is found at once.
    private let scalarCounts: [Int]
    private static let stride = 256

    package init(_ source: [UInt8]) {
        self.source = source
        var starts = [0]
        var counts: [Int] = []
        var count = 0
        for (index, byte) in source.enumerated() {
            if index % LineMap.stride == 0 { counts.append(count) }
            if byte == UInt8(ascii: "\n") { starts.append(index + 1) }
            if !LineMap.isContinuation(byte) { count += 1 }
        }
        if source.count % LineMap.stride == 0 { counts.append(count) }
        lineStarts = starts
        scalarCounts = counts
    }

    package var lineCount: Int { lineStarts.count }

    /// The place of a byte. An offset inside a scalar is that scalar's place; one past the end is the place after the
    /// last scalar.
    package func position(of offset: Int) -> Position {
        let offset = min(max(offset, 0), source.count)
        let line = lineIndex(of: offset)
        var end = offset
        while end > lineStarts[line], end < source.count, LineMap.isContinuation(source[end]) { end -= 1 }
        return Position(line: line + 1, column: scalars(before: end) - scalars(before: lineStarts[line]) + 1)
    }

    /// The text of a line that counts from 1, without its end; bytes that are not UTF-8 are replaced. Empty for a line
    /// that does not exist.
    package func text(ofLine line: Int) -> String {
        guard lineStarts.indices.contains(line - 1) else { return "" }
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] - 1 : source.count
        if end > start, source[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return String(decoding: source[start..<end], as: UTF8.self)
    }

    private func lineIndex(of offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private func scalars(before offset: Int) -> Int {
        let block = offset / LineMap.stride
        let rest = source[block * LineMap.stride..<offset]
        return scalarCounts[block] + rest.reduce(0) { LineMap.isContinuation($1) ? $0 : $0 + 1 }
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
