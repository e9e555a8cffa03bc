// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Parser {
    /// A path in an expression: `/a/$(b)/{c}`.
    mutating func parsePath() throws(Refusal) -> ExpressionID {
        let start = current.position
        var parts: [SyntaxTree.PathPart] = []
        while true {
            if kind == .pathSegment {
                parts.append(.text(decode(advance())))
            } else if kind == .slash, following.kind == .dollar {
                advance()
                advance()
                try expect(.leftParenthesis)
                parts.append(.binding(try parseExpression()))
                try expect(.rightParenthesis)
            } else if kind == .slash, startsCapture {
                advance()
                parts.append(try parseCapture())
            } else if parts.isEmpty {
                throw refusal
            } else {
                // A slash may also be a segment that lacks its name.
                if kind == .slash { isDoubtful = true }
                return add(.path(parts), start, start)
            }
        }
    }

    /// Whether the slash begins a capture, and does not divide by a map.
    private var startsCapture: Bool {
        guard following.kind == .leftBrace, token(after: 2).kind == .identifier else { return false }
        return [.rightBrace, .assign].contains(token(after: 3).kind)
    }

    private mutating func parseCapture() throws(Refusal) -> SyntaxTree.PathPart {
        try expect(.leftBrace)
        let name = try name().text
        let isGlob = try parseWildcard()
        try expect(.rightBrace)
        return .capture(name, isGlob: isGlob)
    }

    /// `=*` or `=**`, or nothing. True for `=**`.
    private mutating func parseWildcard() throws(Refusal) -> Bool {
        guard accept(.assign) else { return false }
        if accept(.glob) { return true }
        try expect(.star)
        return false
    }

    /// The path of a match.
    mutating func parsePattern() throws(Refusal) -> [SyntaxTree.PatternSegment] {
        var segments: [SyntaxTree.PatternSegment] = []
        repeat {
            let position = current.position
            if kind == .pathSegment {
                segments.append(SyntaxTree.PatternSegment(kind: .literal(decode(advance())), position: position))
                continue
            }
            try expect(.slash)
            try expect(.leftBrace)
            let name = try name()
            let isGlob = try parseWildcard()
            try expect(.rightBrace)
            segments.append(
                SyntaxTree.PatternSegment(kind: isGlob ? .glob(name) : .capture(name), position: position))
        } while kind == .pathSegment || kind == .slash
        return segments
    }

    private mutating func decode(_ token: Token) -> Text {
        let segment = source.text(token.start + 1, token.end)
        if let text = PathText.decode(segment) { return text }
        issues.append(.error(token.position, "Unable to decode \(segment) to url."))
        return Text(segment)
    }
}

enum PathText {
    /// As Java's URLDecoder: `+` is a space, `%XX` a byte of UTF-8. Nil if an escape is incomplete or no number.
    static func decode(_ segment: some StringProtocol) -> Text? {
        let source = Array(segment.utf8)
        guard source.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return Text(String(segment)) }
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == 0x25 {
                guard index + 2 < source.count,
                    let byte = UInt8(String(decoding: source[index + 1...index + 2], as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(source[index] == 0x2B ? 0x20 : source[index])
                index += 1
            }
        }
        return Text(String(decoding: bytes, as: UTF8.self))
    }
}
