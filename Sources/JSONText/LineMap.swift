// SPDX-License-Identifier: Apache-2.0

/// Maps byte offsets of a source text to lines and columns.
///
/// Lines end with LF or CR LF. Columns count Unicode scalars, and a tab counts as one (SARIF's `unicodeCodePoints`). In
/// bytes that are not UTF-8, every byte that cannot continue a scalar counts as one.
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
    /// How many scalars begin before each multiple of ``stride``, which makes positions in very long lines fast.
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

    /// The position of a byte. An offset inside a scalar has that scalar's position; an offset past the end has the
    /// position after the last scalar.
    package func position(of offset: Int) -> Position {
        let offset = min(max(offset, 0), source.count)
        let line = lineIndex(of: offset)
        var end = offset
        while end > lineStarts[line], end < source.count, LineMap.isContinuation(source[end]) { end -= 1 }
        return Position(line: line + 1, column: scalars(before: end) - scalars(before: lineStarts[line]) + 1)
    }

    /// The offset of a position. A line or a column before the first has the first one's offset, a column past its line that of the line's
    /// end, a line past the last one that of the source's end.
    package func offset(of position: Position) -> Int {
        guard position.line <= lineStarts.count else { return source.count }
        let line = max(position.line, 1)
        let end = line < lineStarts.count ? lineStarts[line] - 1 : source.count
        let scalar = scalars(before: lineStarts[line - 1]) + min(max(position.column - 1, 0), source.count)
        let block = scalarCounts.indices.partitioningIndex { scalarCounts[$0] > scalar } - 1
        var rest = scalar - scalarCounts[block]
        for offset in min(block * LineMap.stride, end)..<end where !LineMap.isContinuation(source[offset]) {
            if rest == 0 { return offset }
            rest -= 1
        }
        return end
    }

    /// A part of one line around an offset. Its cost depends on its width, not on the length of the line.
    package struct Excerpt: Sendable {
        package let text: String
        /// How many scalars of ``text`` come before the offset.
        package let mark: Int
        package let isCutBefore: Bool
        package let isCutAfter: Bool
    }

    /// At most `width` scalars of the line that contains the byte, without the line break. Bytes that are not UTF-8 are
    /// replaced.
    package func excerpt(at offset: Int, width: Int) -> Excerpt {
        let place = position(of: offset)
        let lineEnd = end(ofLine: place.line)
        let mark = place.column - 1
        let before = mark < width - 10 ? mark : width / 2
        var start = min(max(offset, 0), lineEnd)
        for _ in 0..<before {
            start -= 1
            while start > lineStarts[place.line - 1], LineMap.isContinuation(source[start]) { start -= 1 }
        }
        start = max(start, lineStarts[place.line - 1])
        var end = start
        var count = 0
        while end < lineEnd, count < width {
            end += 1
            while end < lineEnd, LineMap.isContinuation(source[end]) { end += 1 }
            count += 1
        }
        return Excerpt(
            text: String(decoding: source[start..<end], as: UTF8.self), mark: before,
            isCutBefore: start > lineStarts[place.line - 1], isCutAfter: end < lineEnd)
    }

    private func end(ofLine line: Int) -> Int {
        let start = lineStarts[line - 1]
        let end = line < lineStarts.count ? lineStarts[line] - 1 : source.count
        return end > start && source[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    }

    private func lineIndex(of offset: Int) -> Int {
        lineStarts.indices.partitioningIndex { lineStarts[$0] > offset } - 1
    }

    /// How many scalars begin before an offset, which must not lie past the end.
    package func scalars(before offset: Int) -> Int {
        let block = offset / LineMap.stride
        let rest = source[block * LineMap.stride..<offset]
        return scalarCounts[block] + rest.reduce(0) { LineMap.isContinuation($1) ? $0 : $0 + 1 }
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
