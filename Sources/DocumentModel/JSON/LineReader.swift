// SPDX-License-Identifier: Apache-2.0

/// Splits a stream of bytes into lines. Memory grows with the longest line, never with the stream, and a line has a maximum
/// length.
package struct LineReader {
    package enum Line {
        /// Where the line is in ``buffer``, without its line feed; valid until the next call.
        case bytes(Range<Int>)
        /// Longer than the maximum; its bytes were dropped.
        case tooLong
    }

    /// A document has at most 1 MiB, and JSON escapes take at most six bytes for one.
    package static let maximumLength = 64 << 20

    package private(set) var buffer: [UInt8] = []
    /// The number of the last line, from 1.
    package private(set) var number = 0
    package private(set) var bytesRead = 0
    package let maximumLength: Int

    private var start = 0
    private var isAtEnd = false
    private let read: (Int, inout [UInt8]) throws -> Int
    private let compressed: () -> any Error
    private static let pieceSize = 1 << 20

    /// - Parameters:
    ///   - compressed: makes the error for a stream that is gzip.
    ///   - read: appends at most so many bytes and returns how many there were, 0 at the end of the stream.
    package init(
        maximumLength: Int = LineReader.maximumLength, compressed: @escaping () -> any Error,
        read: @escaping (_ count: Int, _ buffer: inout [UInt8]) throws -> Int
    ) {
        self.maximumLength = maximumLength
        self.compressed = compressed
        self.read = read
    }

    /// Whether these are the first bytes of a gzip file.
    package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Reads the first piece, so that a stream that cannot be read fails before the caller does anything else.
    package mutating func begin() throws { _ = try fill() }

    /// Returns nil at the end of the stream. The last line needs no line feed.
    package mutating func next() throws -> Line? {
        var searched = start
        var isTooLong = false
        while true {
            if let end = firstIndex(of: UInt8(ascii: "\n"), in: buffer, from: searched) {
                return takeLine(to: end, isTooLong: isTooLong)
            }
            isTooLong = isTooLong || buffer.count - start > maximumLength
            if isTooLong { start = buffer.count }
            if isAtEnd {
                return isTooLong || start < buffer.count ? takeLine(to: buffer.count, isTooLong: isTooLong) : nil
            }
            searched = try fill()
        }
    }

    private mutating func takeLine(to end: Int, isTooLong: Bool) -> Line {
        let line = start..<end
        start = min(end + 1, buffer.count)
        number += 1
        return isTooLong || line.count > maximumLength ? .tooLong : .bytes(line)
    }

    /// Drops the lines that were returned and reads more behind the rest. Returns where the new bytes begin.
    private mutating func fill() throws -> Int {
        buffer.removeSubrange(..<start)
        start = 0
        let rest = buffer.count
        let isFirst = bytesRead == 0
        repeat {
            let count = try read(LineReader.pieceSize, &buffer)
            bytesRead += count
            isAtEnd = count == 0
        } while !isAtEnd && bytesRead < 2
        if isFirst, LineReader.isGzip(buffer) { throw compressed() }
        return rest
    }
}
