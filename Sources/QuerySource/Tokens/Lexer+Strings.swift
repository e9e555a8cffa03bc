// SPDX-License-Identifier: Apache-2.0

/// How a string literal is written.
struct StringForm {
    /// The bytes that end it.
    var close: [UInt8]
    var isRaw = false
    var isMultiline = false
    var interpolation = Language.Interpolation.none
}

extension Lexer {
    /// Nil if no string begins here.
    mutating func readString() -> Token? {
        guard let (form, length) = stringForm() else { return nil }
        let start = position
        guard !unclosed.contains(start) else {
            position += 1
            return make(.mark, "\"", from: start)
        }
        let line = line
        position += length
        depth += 1
        defer { depth -= 1 }
        guard let pieces = pieces(form) else {
            // It is not closed: the quote alone is a mark.
            unclosed.insert(start)
            rewind(to: start + 1, line)
            return make(.mark, "\"", from: start)
        }
        defer { noteLines(from: start) }
        if pieces.isEmpty { return make(.string, "", from: start) }
        if pieces.count == 1, case .text(let text) = pieces[0] { return make(.string, text, from: start) }
        return make(.template, "", from: start, pieces)
    }

    /// The form of the string that begins here, and the length of its opening.
    private func stringForm() -> (StringForm, Int)? {
        var offset = 0
        var form = StringForm(close: [])
        var hashes = 0
        while let prefix = language.prefixes[peek(offset)], offset < 3 {
            switch prefix {
            case .raw: form.isRaw = true
            case .interpolated: form.interpolation = .braces
            case .hash:
                hashes += 1
                form.isRaw = true
            case .plain: break
            }
            offset += 1
        }
        let quote = peek(offset)
        guard let kind = language.quotes[quote] else { return nil }
        if offset == 0 || hashes > 0 || language.interpolation != .none { form.interpolation = language.interpolation }
        if kind == .raw { (form.isRaw, form.isMultiline, form.interpolation) = (true, true, .none) }
        if kind == .template { (form.isMultiline, form.interpolation) = (true, .dollarBraces) }
        if kind == .literal { form.interpolation = .none }
        if form.isRaw, kind == .string, hashes == 0, form.interpolation != .braces { form.interpolation = .none }
        form.close = [quote]
        if language.hasTripleQuotes, peek(offset + 1) == quote, peek(offset + 2) == quote {
            (form.close, form.isMultiline) = ([quote, quote, quote], true)
        }
        let length = offset + form.close.count
        form.close += Array(repeating: UInt8(ascii: "#"), count: hashes)
        return (form, length)
    }

    /// Nil if the string is not closed.
    private mutating func pieces(_ form: StringForm) -> [Token.Piece]? {
        var pieces: [Token.Piece] = []
        var text: [UInt8] = []
        while position < bytes.count {
            if isAtClose(form) {
                position += form.close.count
                if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
                return pieces
            }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n"), !form.isMultiline { return nil }
            if let code = interpolation(form) {
                if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
                text = []
                pieces.append(.code(code))
            } else if byte == UInt8(ascii: "\\"), !form.isRaw, position + 1 < bytes.count {
                text.append(Lexer.escapes[bytes[position + 1]] ?? bytes[position + 1])
                position += 2
            } else if byte == UInt8(ascii: "\\"), language.name == "python", position + 1 < bytes.count {
                // In a raw string, too, a quote behind a backslash ends nothing.
                text += bytes[position...(position + 1)]
                position += 2
            } else {
                text.append(byte)
                position += 1
            }
        }
        return nil
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "0"): 0,
    ]

    private func isAtClose(_ form: StringForm) -> Bool {
        for (offset, byte) in form.close.enumerated() where peek(offset) != byte { return false }
        return position + form.close.count <= bytes.count
    }

    // MARK: Interpolation

    /// The tokens of the interpolation that begins here, after which the position is behind it; nil if none begins.
    private mutating func interpolation(_ form: StringForm) -> [Token]? {
        guard depth < 8 else { return nil }
        let byte = peek()
        let dollar = byte == UInt8(ascii: "$")
        switch form.interpolation {
        case .none: return nil
        case .dollarBraces: return dollar && peek(1) == UInt8(ascii: "{") ? nested(opening: 2, until: "}") : nil
        case .dollarNames:
            guard dollar else { return nil }
            return peek(1) == UInt8(ascii: "{") ? nested(opening: 2, until: "}") : simpleName(keepsDollar: false)
        case .backslash:
            return byte == UInt8(ascii: "\\") && peek(1) == UInt8(ascii: "(") ? nested(opening: 2, until: ")") : nil
        case .braces:
            guard byte == UInt8(ascii: "{") else { return nil }
            if peek(1) == UInt8(ascii: "{") { return nil }
            return nested(opening: 1, until: "}")
        case .phpNames:
            if byte == UInt8(ascii: "{"), peek(1) == UInt8(ascii: "$") { return nested(opening: 1, until: "}") }
            return dollar ? simpleName(keepsDollar: true) : nil
        }
    }

    /// `$name`, of which PHP keeps the dollar.
    private mutating func simpleName(keepsDollar: Bool) -> [Token]? {
        guard Lexer.isLetter(peek(1)) else { return nil }
        let start = keepsDollar ? position : position + 1
        position += 1
        while Lexer.isLetter(peek()) || Lexer.isDigit(peek()) { position += 1 }
        return [make(.name, text(start, position), from: start)]
    }

    private mutating func nested(opening: Int, until close: String) -> [Token]? {
        let start = position
        guard !unclosed.contains(start) else { return nil }
        let line = line
        position += opening
        var tokens: [Token] = []
        var open = 0
        while tokens.count < 400 {
            let token = next()
            if token.kind == .end { break }
            if token.kind == .mark {
                if open == 0, token.text == close { return tokens }
                if ["(", "[", "{"].contains(token.text) { open += 1 }
                if [")", "]", "}"].contains(token.text) { open -= 1 }
            }
            tokens.append(token)
        }
        rewind(to: start, line)
        unclosed.insert(start)
        return nil
    }
}
