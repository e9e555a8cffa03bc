// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

private struct Compressed: Error {}
private struct Unreadable: Error {}

/// A stream that gives at most so many bytes at once, then ends or fails.
func lines(of source: [UInt8], inPiecesOf size: Int, maximumLength: Int = 100, fails: Bool = false) -> LineReader {
    var position = 0
    return LineReader(maximumLength: maximumLength, compressed: { Compressed() }) { count, buffer in
        let end = min(position + min(size, count), source.count)
        if fails, position == source.count { throw Unreadable() }
        buffer += source[position..<end]
        defer { position = end }
        return end - position
    }
}

@Suite struct LineReaderTests {
    private func read(_ source: [UInt8], inPiecesOf size: Int) throws -> [String] {
        var reader = lines(of: source, inPiecesOf: size)
        var result: [String] = []
        while let line = try reader.next() {
            switch line {
            case .tooLong: result.append("too long")
            case .bytes(let range): result.append(String(decoding: reader.buffer[range], as: UTF8.self))
            }
            #expect(reader.number == result.count)
        }
        #expect(try reader.next() == nil)
        #expect(reader.bytesRead == source.count)
        return result
    }

    private static let long = String(repeating: "x", count: 101)
    private static let longest = String(repeating: "y", count: 100)

    @Test(
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]),
            ("a\r\nb\r\n", ["a\r", "b\r"]),
            ("a\u{0}b\n\u{0}", ["a\u{0}b", "\u{0}"]), ("\u{FEFF}a\nb", ["\u{FEFF}a", "b"]),
            (long, ["too long"]), ("\(long)\na", ["too long", "a"]), ("a\n\(long)\n", ["a", "too long"]),
            ("\(longest)\n\(longest)", [longest, longest]), ("\(long)\(long)\n\(longest)\n", ["too long", longest]),
        ] as [(String, [String])])
    func everyPieceSize(_ source: String, _ expected: [String]) throws {
        let bytes = Array(source.utf8)
        for size in 1...bytes.count + 1 { #expect(try read(bytes, inPiecesOf: size) == expected, "pieces of \(size)") }
    }

    @Test(arguments: 1...3) func gzipIsRefused(_ size: Int) throws {
        var reader = lines(of: [0x1F, 0x8B, 8, 0], inPiecesOf: size)
        #expect(throws: Compressed.self) { try reader.begin() }
        var other = lines(of: [0x1F, 0x0A, 0x1F, 0x8B], inPiecesOf: size)
        try other.begin()
        while try other.next() != nil {}
        #expect(other.number == 2)
    }

    @Test func failuresReachTheCaller() throws {
        var reader = lines(of: Array("a\nb".utf8), inPiecesOf: 2, fails: true)
        #expect(try reader.next() != nil)
        #expect(throws: Unreadable.self) { try reader.next() }
    }

    /// Neither many lines nor a line without an end grow the buffer.
    @Test func memoryIsBounded() throws {
        let pieces = 200
        for source in [Array("abc\n".utf8), Array("abcd".utf8)] {
            let piece = Array(repeatElement(source, count: 1 << 16).joined())
            var count = 0
            var reader = LineReader(maximumLength: 100, compressed: { Compressed() }) { _, buffer in
                count += 1
                guard count <= pieces else { return 0 }
                buffer += piece
                return piece.count
            }
            var capacity = 0
            while try reader.next() != nil { capacity = max(capacity, reader.buffer.capacity) }
            #expect(reader.bytesRead == pieces * piece.count)
            #expect(capacity < 8 * piece.count)
        }
    }
}
