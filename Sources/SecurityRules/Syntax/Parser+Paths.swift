// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Parser {
    /// A path in an expression: `/a/$(b)/{c}`.
    mutating func parsePath() throws(SyntaxError) -> ExpressionID {
        let start = current.position
        var parts: [SyntaxTree.PathPart] = []
        while true {
            if current.kind == .pathSegment {
                parts.append(.text(try PathText.decode(advance())))
            } else if current.is("/"), following.is("$(") {
                advance()
                advance()
                parts.append(.binding(try parseExpression()))
                try expect(")")
            } else if current.is("/"), following.is("{"), following.follows(current) {
                advance()
                parts.append(try parseCapture())
            } else if parts.isEmpty || (current.is("/") && following.is("[") && following.follows(current)) {
                throw SyntaxError(current.position, SyntaxError.misplacedSlash)
            } else {
                return add(.path(parts), start, start)
            }
        }
    }

    private mutating func parseCapture() throws(SyntaxError) -> SyntaxTree.PathPart {
        try expect("{")
        let name = try name().text
        let isGlob = try parseWildcard()
        try expect("}")
        return .capture(name, isGlob: isGlob)
    }

    /// `=*` or `=**`, or nothing. True for `=**`.
    private mutating func parseWildcard() throws(SyntaxError) -> Bool {
        guard accept("=") else { return false }
        if accept("**") { return true }
        try expect("*")
        return false
    }

    /// The path of a match.
    mutating func parsePattern() throws(SyntaxError) -> [SyntaxTree.PatternSegment] {
        var segments: [SyntaxTree.PatternSegment] = []
        while true {
            let position = current.position
            if current.kind == .pathSegment {
                let text = try PathText.decode(advance())
                segments.append(SyntaxTree.PatternSegment(kind: .literal(text), position: position))
            } else if current.is("/"), following.is("{"), following.follows(current) {
                advance()
                advance()
                let name = try name()
                let isGlob = try parseWildcard()
                try expect("}")
                segments.append(
                    SyntaxTree.PatternSegment(kind: isGlob ? .glob(name) : .capture(name), position: position))
            } else if segments.isEmpty || current.is("/") {
                if current.is("/") {
                    throw SyntaxError(current.position, SyntaxError.misplacedSlash)
                }
                throw unexpected()
            } else {
                return segments
            }
        }
    }
}

enum PathText {
    /// A segment as written, with its slash.
    static func decode(_ token: Token) throws(SyntaxError) -> Text {
        guard let text = decode(token.text.dropFirst()) else {
            throw SyntaxError(token.position, "Unable to decode \(token.text.dropFirst()) to url.")
        }
        return text
    }

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
