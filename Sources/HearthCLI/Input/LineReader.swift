// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Reads a file line by line. Memory is bounded by the longest line, whose length is limited.
struct LineReader {
    enum Line {
        /// The range in ``buffer``, without the line end; valid until the next call.
        case bytes(Range<Int>)
        /// Longer than ``maximumLength``; the bytes are skipped.
        case tooLong
    }

    /// A document has at most 1 MiB, and JSON needs at most six bytes to escape one.
    static let maximumLength = 64 << 20

    let file: InputFile
    private(set) var buffer: [UInt8] = []
    /// The number of the last line, counted from 1.
    private(set) var number = 0
    /// The number of bytes read from the file.
    private(set) var bytesRead = 0

    private var start = 0
    private var isAtEnd = false
    private let beforeReading: () -> Void
    private static let chunkSize = 1 << 20

    /// - Parameter beforeReading: called before each read, which may wait. It prints what the writer of the lines waits
    ///   for.
    init(_ file: InputFile, beforeReading: @escaping () -> Void = {}) {
        self.file = file
        self.beforeReading = beforeReading
    }

    /// Reads the first chunk, so that an unreadable file is known before anything else starts.
    mutating func begin() throws(CommandFailure) { _ = try fill() }

    /// Returns nil at the end. The last line need not end with a line break.
    mutating func next() throws(CommandFailure) -> Line? {
        var searched = start
        var isTooLong = false
        while true {
            if let end = firstIndex(of: UInt8(ascii: "\n"), in: buffer, from: searched) {
                let line = start..<end
                start = end + 1
                number += 1
                return isTooLong ? .tooLong : .bytes(line)
            }
            if buffer.count - start > LineReader.maximumLength { isTooLong = true }
            if isTooLong { start = buffer.count }
            guard !isAtEnd else { return lastLine(isTooLong: isTooLong) }
            searched = try fill()
        }
    }

    private mutating func lastLine(isTooLong: Bool) -> Line? {
        guard isTooLong || start < buffer.count else { return nil }
        let line = start..<buffer.count
        start = buffer.count
        number += 1
        return isTooLong ? .tooLong : .bytes(line)
    }

    /// Appends more bytes to those left. Returns where they start.
    private mutating func fill() throws(CommandFailure) -> Int {
        buffer.removeSubrange(..<start)
        start = 0
        let rest = buffer.count
        beforeReading()
        let count = try file.read(LineReader.chunkSize, to: &buffer)
        bytesRead += count
        isAtEnd = count == 0
        return rest
    }
}
