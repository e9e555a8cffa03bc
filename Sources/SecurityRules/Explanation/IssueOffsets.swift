// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Where issues lie among the characters of a source: those of the word or sign that they begin at, as the emulator says it.
package struct IssueOffsets {
    private let source: RuleSource
    private let lines: LineMap

    package init(_ source: String) {
        self.source = RuleSource(source)
        lines = LineMap(self.source.bytes)
    }

    /// The first and the last character.
    package func offsets(at position: SourcePosition) -> (first: Int, last: Int) {
        let start = lines.offset(of: position)
        let first = lines.scalars(before: start)
        return (first, max(first, lines.scalars(before: end(of: start)) - 1))
    }

    private func byte(_ place: Int) -> UInt8? { place < source.bytes.count ? source.bytes[place] : nil }

    private func end(of start: Int) -> Int {
        guard let first = byte(start) else { return start }
        let word = start + source.bytes[start...].prefix(while: Lexer.continuesWord).count
        let isBytes = word == start + 1 && first | 0x20 == UInt8(ascii: "b") && isQuote(byte(word))
        let isFraction = Lexer.isDigit(first) && byte(word) == UInt8(ascii: ".")
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return endOfText(start)
        case _ where isBytes: return endOfText(word)
        case _ where isFraction: return word + 1 + source.bytes[(word + 1)...].prefix(while: Lexer.isDigit).count
        case _ where word > start: return word
        case UInt8(ascii: "/"): return start + 1 + source.bytes[(start + 1)...].prefix(while: Lexer.isSegmentByte).count
        default: return start + (isDoubled(first, byte(start + 1)) ? 2 : 1)
        }
    }

    private func isQuote(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

    private func endOfText(_ start: Int) -> Int {
        var place = start + 1
        while let next = byte(place), next != source.bytes[start] { place += next == UInt8(ascii: "\\") ? 2 : 1 }
        return min(place + 1, source.bytes.count)
    }

    /// Whether two characters are one sign.
    private func isDoubled(_ first: UInt8, _ second: UInt8?) -> Bool {
        switch first {
        case UInt8(ascii: "&"), UInt8(ascii: "|"): second == first
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"): second == UInt8(ascii: "=")
        default: false
        }
    }
}
