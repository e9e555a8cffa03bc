// SPDX-License-Identifier: Apache-2.0

/// A token with what lies before it, so that nothing of a source is lost but blanks.
struct SourceToken {
    enum Kind {
        case identifier, keyword, literal, pathSegment, punctuation, end
    }

    struct Comment {
        let text: String
        /// Line ends between what precedes and the comment.
        let linesBefore: Int
        /// Whether it begins with `//` and so ends its line.
        var endsLine: Bool { text.utf8.starts(with: "//".utf8) }
    }

    let kind: Kind
    let text: String
    var comments: [Comment] = []
    /// Line ends between the last comment, or the token before, and this one.
    var linesBefore = 0
    /// Whether nothing at all lies between the token before and this one.
    var isAdjacent = false

    func `is`(_ punctuation: String) -> Bool { kind == .punctuation && text == punctuation }
    func isKeyword(_ word: String) -> Bool { kind == .keyword && text == word }
    /// Whether the source goes on in another line here.
    var startsLine: Bool { linesBefore > 0 || comments.contains { $0.linesBefore > 0 || $0.endsLine } }
}

extension SourceToken {
    /// The tokens of a source that compiles, the last of which is its end.
    static func all(_ source: String) -> [SourceToken] {
        var reader = GapReader(scalars: Array(source.unicodeScalars))
        return plain(source).map { token in
            var token = token
            reader.readGap(before: &token)
            if token.kind != .end { reader.index += token.text.unicodeScalars.count }
            return token
        }
    }

    private static func plain(_ source: String) -> [SourceToken] {
        let lexer = Lexer(source)
        var tokens: [SourceToken] = []
        var isAfterDollar = false
        for (index, token) in lexer.tokens.enumerated() {
            let next = lexer.tokens[min(index + 1, lexer.tokens.count - 1)]
            if token.kind == .dollar, next.kind == .leftParenthesis, next.follows(token) {
                // What begins a variable of a path is one word to the formatter.
                isAfterDollar = true
                continue
            }
            let text = isAfterDollar ? "$(" : token.kind == .end ? "" : lexer.source.text(of: token)
            tokens.append(SourceToken(kind: kind(token.kind), text: text))
            isAfterDollar = false
        }
        return tokens
    }

    private static func kind(_ kind: TokenKind) -> Kind {
        switch kind {
        case .end: .end
        case .identifier, .serviceName: .identifier
        case .integer, .float, .string, .bytes, .unpairedDoubleQuote, .unpairedSingleQuote: .literal
        case .pathSegment: .pathSegment
        default: kind.isKeyword ? .keyword : .punctuation
        }
    }
}

/// Reads comments and line ends between tokens.
private struct GapReader {
    let scalars: [Unicode.Scalar]
    var index = 0

    mutating func readGap(before token: inout SourceToken) {
        let start = index
        while index < scalars.count {
            if let end = commentEnd() {
                token.comments.append(.init(text: text(index, end), linesBefore: token.linesBefore))
                token.linesBefore = 0
                index = end
            } else if [" ", "\t", "\n", "\r", "\u{0C}"].contains(scalars[index]) {
                if scalars[index] == "\n" { token.linesBefore += 1 }
                index += 1
            } else {
                break
            }
        }
        token.isAdjacent = index == start
    }

    /// Where a comment that begins here ends; nil if none does.
    private func commentEnd() -> Int? {
        guard scalars[index] == "/", index + 1 < scalars.count else { return nil }
        if scalars[index + 1] == "/" { return scalars[index...].firstIndex(of: "\n") ?? scalars.count }
        guard scalars[index + 1] == "*" else { return nil }
        var end = index + 2
        while end + 1 < scalars.count {
            if scalars[end] == "*", scalars[end + 1] == "/" { return end + 2 }
            end += 1
        }
        return nil
    }

    /// A comment without the blanks at its end.
    private func text(_ start: Int, _ end: Int) -> String {
        let kept = scalars[start..<end].filter { $0 != "\r" }
        var text = String.UnicodeScalarView()
        let last = kept.lastIndex { $0 != " " && $0 != "\t" } ?? 0
        text.append(contentsOf: kept[...last])
        return String(text)
    }
}
