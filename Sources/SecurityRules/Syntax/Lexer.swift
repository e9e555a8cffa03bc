// SPDX-License-Identifier: Apache-2.0

/// Splits a source into tokens by the longest match, as the generated lexer of the official compiler does.
struct Lexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var column = 1
    private(set) var issues: [RuleIssue] = []

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    /// All tokens, the last of which is the end.
    mutating func tokens() -> [Token] {
        var tokens: [Token] = []
        while let token = next() { tokens.append(token) }
        tokens.append(Token(kind: .end, text: "<EOF>", position: position))
        return tokens
    }

    private var position: SourcePosition { SourcePosition(line: line, column: column) }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    private mutating func advance(_ count: Int) {
        for _ in 0..<count {
            if scalars[index] == "\n" {
                line += 1
                column = 1
            } else {
                column += 1
            }
            index += 1
        }
    }

    private mutating func take(_ kind: Token.Kind, _ count: Int) -> Token {
        let start = position
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[index..<index + count])
        advance(count)
        return Token(kind: kind, text: String(text), position: start)
    }

    private mutating func next() -> Token? {
        while let scalar = peek() {
            if scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" || scalar == "\u{0C}" {
                advance(1)
            } else if let length = commentLength() {
                advance(length)
            } else if let token = token(startingWith: scalar) {
                return token
            } else {
                if scalar != "&", scalar != "|" {
                    issues.append(.error(position, "token recognition error at: '\(scalar)'"))
                }
                advance(1)
            }
        }
        return nil
    }

    private func commentLength() -> Int? {
        guard peek() == "/" else { return nil }
        if peek(1) == "/" {
            var length = 2
            while let scalar = peek(length), scalar != "\n" { length += 1 }
            return length
        }
        guard peek(1) == "*" else { return nil }
        var length = 2
        while let scalar = peek(length) {
            if scalar == "*", peek(length + 1) == "/" { return length + 2 }
            length += 1
        }
        return nil
    }

    private mutating func token(startingWith scalar: Unicode.Scalar) -> Token? {
        if scalar == "/", let length = segmentLength() { return take(.pathSegment, length) }
        if (scalar == "b" || scalar == "B"), peek(1) == "'" || peek(1) == "\"",
            let length = quotedLength(from: 1, isBytes: true)
        {
            return take(.bytes, length)
        }
        if scalar == "$", peek(1) == "(" { return take(.punctuation, 2) }
        if Lexer.startsIdentifier(scalar) { return identifier() }
        if Lexer.isDigit(scalar) || (scalar == "." && peek(1).map(Lexer.isDigit) == true) { return number() }
        if scalar == "'" || scalar == "\"" { return quoted() }
        return punctuation()
    }

    private mutating func identifier() -> Token {
        var length = 1
        while let scalar = peek(length), Lexer.continuesIdentifier(scalar) { length += 1 }
        let token = take(.identifier, length)
        guard Token.reservedWords.contains(token.text) else { return token }
        return Token(kind: .keyword, text: token.text, position: token.position)
    }

    /// `0` or digits without a leading zero; a float has a point and no exponent.
    private mutating func number() -> Token {
        var length = 0
        while let scalar = peek(length), Lexer.isDigit(scalar) { length += 1 }
        let whole = peek() == "0" ? min(length, 1) : length
        guard peek(length) == ".", length > 0 || peek(1).map(Lexer.isDigit) == true else {
            return take(.integer, whole)
        }
        length += 1
        while let scalar = peek(length), Lexer.isDigit(scalar) { length += 1 }
        return take(.float, length)
    }

    private mutating func quoted() -> Token {
        if let length = quotedLength(from: 0, isBytes: false) { return take(.string, length) }
        var length = 1
        while let step = stringStep(at: length, quote: peek(), isBytes: false) { length += step }
        if peek(length) == "\\" { length += 1 }
        return take(.unpairedQuote, length)
    }

    /// The length of a closed string whose quote is `start` scalars ahead, or nil.
    private func quotedLength(from start: Int, isBytes: Bool) -> Int? {
        let quote = peek(start)
        var length = start + 1
        while let step = stringStep(at: length, quote: quote, isBytes: isBytes) { length += step }
        return peek(length) == quote ? length + 1 : nil
    }

    /// How many scalars the character or escape at a distance has; nil at the quote, the line's end or a wrong escape.
    private func stringStep(at distance: Int, quote: Unicode.Scalar?, isBytes: Bool) -> Int? {
        guard let scalar = peek(distance), scalar != quote, scalar != "\n", scalar != "\r" else { return nil }
        guard scalar == "\\" else { return 1 }
        switch peek(distance + 1) {
        case "n", "t", "r", "b", "f", "\\", "'", "\"": return 2
        case "u" where !isBytes: return digits(after: distance + 1, count: 4, Lexer.isHexDigit) ? 6 : nil
        case "x": return digits(after: distance + 1, count: 2, Lexer.isHexDigit) ? 4 : nil
        case "0", "1", "2", "3": return digits(after: distance, count: 3, { ("0"..."7").contains($0) }) ? 4 : nil
        default: return nil
        }
    }

    private func digits(after distance: Int, count: Int, _ isDigit: (Unicode.Scalar) -> Bool) -> Bool {
        (1...count).allSatisfy { peek(distance + $0).map(isDigit) == true }
    }

    /// A slash with at least one character of a segment. Parentheses belong to it in pairs only.
    private func segmentLength() -> Int? {
        var length = 1
        var open = 0
        while let scalar = peek(length) {
            if scalar == "(" {
                guard closesLater(after: length) else { break }
                open += 1
            } else if scalar == ")" {
                guard open > 0 else { break }
                open -= 1
            } else if !Lexer.isSegmentCharacter(scalar) {
                break
            }
            length += 1
        }
        return length > 1 ? length : nil
    }

    private func closesLater(after distance: Int) -> Bool {
        var depth = 1
        var length = distance + 1
        guard peek(length) != ")" else { return false }
        while let scalar = peek(length) {
            if scalar == "(" { depth += 1 } else if scalar == ")" { depth -= 1 }
            if depth == 0 { return true }
            guard scalar == "(" || scalar == ")" || Lexer.isSegmentCharacter(scalar) else { return false }
            length += 1
        }
        return false
    }

    private static let longPunctuation = ["&&", "||", "==", "!=", "<=", ">=", "--", "++", "**"]

    private mutating func punctuation() -> Token? {
        guard let first = peek() else { return nil }
        if let second = peek(1), Lexer.longPunctuation.contains("\(first)\(second)") { return take(.punctuation, 2) }
        return "{}()[];:,.?+-*/%!=<>".unicodeScalars.contains(first) ? take(.punctuation, 1) : nil
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isHexDigit(_ scalar: Unicode.Scalar) -> Bool {
        isDigit(scalar) || ("a"..."f").contains(scalar) || ("A"..."F").contains(scalar)
    }

    static func startsIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar == "$"
    }

    static func continuesIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        startsIdentifier(scalar) || isDigit(scalar)
    }

    private static func isSegmentCharacter(_ scalar: Unicode.Scalar) -> Bool {
        (startsIdentifier(scalar) && scalar != "$") || isDigit(scalar) || ".~:@*&'%+-".unicodeScalars.contains(scalar)
    }
}
