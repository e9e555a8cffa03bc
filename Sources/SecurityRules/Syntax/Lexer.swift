// SPDX-License-Identifier: Apache-2.0

/// Splits a source into tokens by the longest match, as the generated lexer of the official compiler does. It looks at
/// each byte a bounded number of times.
struct Lexer {
    let source: RuleSource
    private(set) var tokens: [Token] = []
    /// What begins no token, with the number of the token after it.
    private(set) var issues: [(token: Int, issue: RuleIssue)] = []

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// Where the line begins, moved on by the bytes that continue a character, so that differences are columns.
    private var lineStart = 0
    /// Whether an end of a comment may still come.
    private var commentsEnd = true

    init(_ text: String) {
        source = RuleSource(text)
        bytes = source.bytes
        tokens.reserveCapacity(bytes.count / 4 + 8)
        while index < bytes.count { next() }
        tokens.append(Token(kind: .end, start: index, end: index, position: position))
    }

    private var position: SourcePosition { SourcePosition(line: line, column: index - lineStart + 1) }

    private func byte(_ distance: Int = 0) -> UInt8 {
        index + distance < bytes.count ? bytes[index + distance] : 0
    }

    private mutating func skip(to end: Int) {
        while index < end {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A {
                line += 1
                lineStart = index
            } else if byte & 0xC0 == 0x80 {
                lineStart += 1
            }
        }
    }

    private mutating func take(_ kind: TokenKind, to end: Int) {
        tokens.append(Token(kind: kind, start: index, end: end, position: position))
        // Only strings hold more than ASCII, and no token holds a line's end.
        if kind == .string || kind == .bytes || kind.isUnpairedQuote { skip(to: end) } else { index = end }
    }

    private mutating func next() {
        let first = bytes[index]
        switch first {
        case 0x20, 0x09, 0x0D, 0x0C: index += 1
        case 0x0A: skip(to: index + 1)
        case 0x2F: slash()
        case 0x27, 0x22: quoted()
        case 0x62, 0x42:
            if byte(1) == 0x27 || byte(1) == 0x22, let end = quoteEnd(index + 1, isBytes: true).closed {
                take(.bytes, to: end)
            } else {
                word()
            }
        case 0x30...0x39: number()
        case 0x2E where Lexer.isDigit(byte(1)): number()
        default: if Lexer.startsWord(first) { word() } else { punctuation(first) }
        }
    }

    // MARK: Words and numbers

    private mutating func word() {
        var end = index + 1
        while end < bytes.count, Lexer.continuesWord(bytes[end]) { end += 1 }
        if bytes[index] == 0x24, end == index + 1 { return take(.dollar, to: end) }
        let kind = keyword(end)
        take(kind, to: end)
        if kind == .service { serviceName() }
    }

    private func keyword(_ end: Int) -> TokenKind {
        // Reserved words are made of small letters and have 2 to 13 characters.
        guard (2...13).contains(end - index), (0x61...0x7A).contains(bytes[index]),
            let candidates = Lexer.words[bytes[index]]
        else { return .identifier }
        for candidate in candidates where candidate.spelling.count == end - index {
            if candidate.spelling.elementsEqual(bytes[index..<end]) { return candidate.kind }
        }
        return .identifier
    }

    private struct Word {
        let spelling: [UInt8]
        let kind: TokenKind
    }

    /// The reserved words by their first letter.
    private static let words = Dictionary(
        grouping: TokenKind.words.map { Word(spelling: Array($0.key.utf8), kind: $0.value) }, by: { $0.spelling[0] })

    /// After `service` comes one word of letters, digits, dots and hyphens, whatever lies between.
    private mutating func serviceName() {
        func isPart(_ byte: UInt8) -> Bool {
            (Lexer.startsWord(byte) && byte != 0x5F && byte != 0x24) || Lexer.isDigit(byte) || byte == 0x2E
                || byte == 0x2D
        }
        while index < bytes.count, !isPart(bytes[index]) {
            if [0x20, 0x09, 0x0D, 0x0C, 0x0A].contains(bytes[index]) { skip(to: index + 1) } else { refuse(1) }
        }
        guard index < bytes.count else { return }
        var end = index
        while end < bytes.count, isPart(bytes[end]) { end += 1 }
        take(keyword(end).isKeyword ? .keywordAsService : .serviceName, to: end)
    }

    /// `0` or digits without a leading zero; a float has a point and no exponent.
    private mutating func number() {
        var end = index
        while end < bytes.count, Lexer.isDigit(bytes[end]) { end += 1 }
        let whole = bytes[index] == 0x30 ? index + 1 : end
        guard end < bytes.count, bytes[end] == 0x2E else { return take(.integer, to: whole) }
        end += 1
        while end < bytes.count, Lexer.isDigit(bytes[end]) { end += 1 }
        take(.float, to: end)
    }

    // MARK: Quotes

    private mutating func quoted() {
        let (open, closed) = quoteEnd(index, isBytes: false)
        if let closed { return take(.string, to: closed) }
        take(bytes[index] == 0x27 ? .unpairedSingleQuote : .unpairedDoubleQuote, to: open)
    }

    /// Where the characters after a quote end, and where its partner does.
    private func quoteEnd(_ start: Int, isBytes: Bool) -> (open: Int, closed: Int?) {
        let quote = bytes[start]
        var end = start + 1
        while end < bytes.count {
            let byte = bytes[end]
            if byte == quote { return (end, end + 1) }
            if byte == 0x0A || byte == 0x0D { break }
            guard byte == 0x5C else {
                end += 1
                continue
            }
            guard let length = escapeLength(end, isBytes: isBytes) else { break }
            end += length
        }
        return (end, nil)
    }

    private func escapeLength(_ start: Int, isBytes: Bool) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case 0x6E, 0x74, 0x72, 0x62, 0x66, 0x5C, 0x27, 0x22: return 2
        case 0x75 where !isBytes: return digits(start + 2, 4, Lexer.isHexDigit) ? 6 : nil
        case 0x78: return digits(start + 2, 2, Lexer.isHexDigit) ? 4 : nil
        case 0x30...0x33: return digits(start + 1, 3) { (0x30...0x37).contains($0) } ? 4 : nil
        default: return nil
        }
    }

    private func digits(_ start: Int, _ count: Int, _ isDigit: (UInt8) -> Bool) -> Bool {
        start + count <= bytes.count && bytes[start..<start + count].allSatisfy(isDigit)
    }

    // MARK: Slashes

    private mutating func slash() {
        if byte(1) == 0x2F {
            var end = index + 2
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            return skip(to: end)
        }
        if byte(1) == 0x2A, let end = commentEnd() { return skip(to: end) }
        let end = segmentEnd()
        take(end > index + 1 ? .pathSegment : .slash, to: end)
    }

    private mutating func commentEnd() -> Int? {
        var end = index + 2
        guard commentsEnd else { return nil }
        while end + 1 < bytes.count {
            if bytes[end] == 0x2A, bytes[end + 1] == 0x2F { return end + 2 }
            end += 1
        }
        commentsEnd = false
        return nil
    }

    /// The end of a slash and the characters of its segment, or of a segment within parentheses.
    private func segmentEnd() -> Int {
        let start = byte(1) == 0x28 ? index + 2 : index + 1
        var end = start
        while end < bytes.count, Lexer.isSegmentByte(bytes[end]) {
            // A percent sign begins the two digits of a byte.
            if bytes[end] == 0x25, !digits(end + 1, 2, Lexer.isHexDigit) { break }
            end += 1
        }
        if start == index + 1 { return end }
        return end > start && end < bytes.count && bytes[end] == 0x29 ? end + 1 : index + 1
    }

    // MARK: Punctuation

    private mutating func punctuation(_ first: UInt8) {
        let second = byte(1)
        if let kind = Lexer.pairs[UInt16(first) << 8 | UInt16(second)] { return take(kind, to: index + 2) }
        if let kind = Lexer.singles[first] { return take(kind, to: index + 1) }
        // Half an operator takes the character with it that makes it none.
        refuse(first == 0x26 || first == 0x7C ? 2 : 1)
    }

    /// What begins no token is left out; the message names the last of its characters' places.
    private mutating func refuse(_ count: Int) {
        let start = index
        var place = position
        for _ in 0..<count where index < bytes.count {
            place = position
            var end = index + 1
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
            skip(to: end)
        }
        if count > 1, index == start + 1 { place = position }
        let text = Lexer.display(source.text(start, index))
        issues.append((tokens.count, .error(place, "token recognition error at: '\(text)'")))
    }

    private static let pairs = symbols(length: 2) { UInt16($0[0]) << 8 | UInt16($0[1]) }

    private static let singles = symbols(length: 1) { $0[0] }

    private static func symbols<Key>(length: Int, _ key: ([UInt8]) -> Key) -> [Key: TokenKind] {
        var table: [Key: TokenKind] = [:]
        for number in TokenKind.and.rawValue...TokenKind.question.rawValue {
            guard let kind = TokenKind(rawValue: number) else { continue }
            let symbol = Array(kind.name.utf8.dropFirst().dropLast())
            if symbol.count == length { table[key(symbol)] = kind }
        }
        return table
    }
}
