// SPDX-License-Identifier: Apache-2.0

/// Splits a source into tokens. Any bytes give tokens: what has no meaning is a mark, and a string that its line does not
/// close is read as a mark, so that the rest of the file is read as it is meant.
struct Lexer {
    let bytes: [UInt8]
    let language: Language
    var position: Int
    private(set) var directives: [Directive] = []
    private(set) var conditionalLines: [ConditionalLine] = []
    /// How deep strings and their interpolations nest.
    var depth = 0
    /// Where strings and code inside strings begin that nothing closes, so that none is tried twice.
    var unclosed: Set<Int> = []
    private var lineStart = 0
    private var startsLine = true
    private var previous = Token(kind: .end, text: "", offset: 0, startsLine: true, column: 0)

    init(_ bytes: [UInt8], _ language: Language, from position: Int = 0) {
        self.bytes = bytes
        self.language = language
        self.position = position
    }

    mutating func tokens() -> [Token] {
        var tokens: [Token] = []
        tokens.reserveCapacity(bytes.count / 5)
        repeat { tokens.append(next()) } while tokens[tokens.count - 1].kind != .end
        return tokens
    }

    mutating func next() -> Token {
        skipBlanks()
        let start = position
        let token = read()
        defer { previous = token }
        if position == start, token.kind != .end { position += 1 }
        startsLine = false
        return token
    }

    /// The byte at an offset from the position, 0 beyond the end.
    func peek(_ offset: Int = 0) -> UInt8 {
        let index = position + offset
        return index < bytes.count ? bytes[index] : 0
    }

    func make(_ kind: Token.Kind, _ text: String, from start: Int, _ pieces: [Token.Piece] = []) -> Token {
        Token(
            kind: kind, text: text, offset: start, startsLine: startsLine, column: start - lineStart, pieces: pieces)
    }

    func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

    func starts(with prefix: String) -> Bool {
        let utf8 = prefix.utf8
        guard position + utf8.count <= bytes.count else { return false }
        var index = position
        for byte in utf8 {
            if bytes[index] != byte { return false }
            index += 1
        }
        return true
    }

    // MARK: Tokens

    private mutating func read() -> Token {
        let start = position
        guard start < bytes.count else { return make(.end, "", from: start) }
        let byte = bytes[start]
        if let string = readString() { return string }
        if Lexer.isLetter(byte) || (byte == UInt8(ascii: "$") && language.hasDollarNames) || beginsQualifier {
            return name()
        }
        if Lexer.isDigit(byte) { return number() }
        if byte == UInt8(ascii: "/"), language.hasRegularExpressions, beginsOperand, skipRegularExpression() {
            return make(.string, "", from: start)
        }
        if byte == UInt8(ascii: "`"), language.quotesNames { return quotedName() }
        for mark in Lexer.marks where mark.utf8.first == byte && starts(with: mark) {
            if mark == "?.", Lexer.isDigit(peek(2)) { continue }
            if mark == "?:", !language.hasElvis { continue }
            position += mark.utf8.count
            return make(.mark, mark, from: start)
        }
        position += 1
        return make(.mark, String(UnicodeScalar(byte)), from: start)
    }

    /// Whether a `\` as in PHP's `\Google\Cloud\Firestore\Query` is here.
    private var beginsQualifier: Bool {
        language.hasQualifiedNames && peek() == UInt8(ascii: "\\") && Lexer.isLetter(peek(1))
    }

    private mutating func name() -> Token {
        let start = position
        var last = beginsQualifier ? start + 1 : start
        skipName(from: last)
        while beginsQualifier {
            last = position + 1
            skipName(from: last)
        }
        return make(.name, text(last, position), from: start)
    }

    private mutating func skipName(from start: Int) {
        position = start + 1
        while Lexer.isLetter(peek()) || Lexer.isDigit(peek()) || peek() == UInt8(ascii: "$") { position += 1 }
    }

    private static let marks = [
        "===", "!==", "...", "??=", "||=", "&&=", "..<", "?->", "?.", "??", "?:", "=>", "->", "::", ":=", "==", "!=",
        "<=", ">=",
        "&&",
        "||", "+=", "-=", ".=", "..", "!!", "<-",
    ]

    private mutating func number() -> Token {
        let start = position
        while Lexer.isLetter(peek()) || Lexer.isDigit(peek())
            || (peek() == UInt8(ascii: ".") && Lexer.isDigit(peek(1)))
        {
            position += 1
        }
        return make(.number, text(start, position), from: start)
    }

    /// A name in backticks, as in Swift and Kotlin.
    private mutating func quotedName() -> Token {
        let start = position
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != UInt8(ascii: "\n") { end += 1 }
        position = min(end + 1, bytes.count)
        return make(.name, text(start + 1, end), from: start)
    }

    /// Whether an operand, not an operator, comes next: what tells a regular expression from a division.
    private var beginsOperand: Bool {
        switch previous.kind {
        case .name: ["return", "typeof", "case", "in", "of", "await", "yield"].contains(previous.text)
        case .string, .template, .number: false
        case .mark: ![")", "]", "}", "<"].contains(previous.text)
        case .end: true
        }
    }

    private mutating func skipRegularExpression() -> Bool {
        var index = position + 1
        var isClass = false
        guard index < bytes.count, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: ">") else {
            return false
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isClass = true
            case UInt8(ascii: "]"): isClass = false
            case UInt8(ascii: "/") where !isClass:
                position = index + 1
                while Lexer.isLetter(peek()) { position += 1 }
                return true
            default: break
            }
            index += 1
        }
        return false
    }

    // MARK: White space and comments

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\n"):
                position += 1
                newLine()
            case 0x20, 0x09, 0x0B...0x0D: position += 1
            case UInt8(ascii: "\\") where peek(1) == UInt8(ascii: "\n"):
                // A continued line, as in Python.
                position += 2
            case UInt8(ascii: "#") where language.hasConditionalLines && startsLine:
                guard let word = conditionalWord else { return }
                skipConditionalLine(word)
            default: if !skipComment() { return }
            }
        }
    }

    /// The word with which the compiler decides here whether it reads what follows, as `#if DEBUG`. All of it is read here.
    private var conditionalWord: String? {
        var end = position + 1
        while end < bytes.count, Lexer.isLetter(bytes[end]) { end += 1 }
        let word = text(position, end)
        return ["#if", "#elseif", "#else", "#endif"].contains(word) ? word : nil
    }

    private mutating func skipConditionalLine(_ word: String) {
        let start = position
        skipLine()
        guard depth == 0 else { return }
        let line = text(start, position)
        let end = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
        let words = line[..<end].split { $0.isWhitespace }.joined(separator: " ")
        conditionalLines.append(ConditionalLine(offset: start, word: word, text: words))
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func newLine() {
        lineStart = position
        startsLine = true
    }

    /// Notes where the last line of a token that spans several begins.
    mutating func noteLines(from start: Int) {
        guard let last = bytes[start..<position].lastIndex(of: UInt8(ascii: "\n")) else { return }
        lineStart = last + 1
    }

    /// Goes back to the start of what nothing closes.
    mutating func rewind(to start: Int, _ line: (start: Int, isStart: Bool)) {
        position = start
        (lineStart, startsLine) = line
    }

    /// Where the line begins, and whether the next token is its first.
    var line: (start: Int, isStart: Bool) { (lineStart, startsLine) }

    private mutating func skipComment() -> Bool {
        if language.lineComments.contains(where: { starts(with: $0) }) {
            let start = position
            skipLine()
            note(start)
            return true
        }
        guard language.hasBlockComments, starts(with: "/*") else { return false }
        let start = position
        var depth = 0
        repeat {
            if starts(with: "/*"), depth == 0 || language.nestsComments {
                depth += 1
                position += 2
            } else if starts(with: "*/") {
                depth -= 1
                position += 2
            } else {
                if bytes[position] == UInt8(ascii: "\n") {
                    lineStart = position + 1
                    startsLine = true
                }
                position += 1
            }
        } while depth > 0 && position < bytes.count
        position = min(position, bytes.count)
        note(start)
        return true
    }

    private mutating func note(_ start: Int) {
        let mark = Array("hearth:".utf8)
        guard position - start < 400, depth == 0,
            let found = ScriptParts.find(mark, in: Array(bytes[start..<position]), from: 0)
        else { return }
        directives.append(Directive(offset: start, text: text(start + found + mark.count, position)))
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Letters, `_`, and all bytes beyond ASCII.
    static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F || byte >= 0x80
    }
}
