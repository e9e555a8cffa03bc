// SPDX-License-Identifier: Apache-2.0

/// A place in a source: lines and columns count from 1, columns in Unicode scalars, as the official compiler counts.
package struct SourcePosition: Sendable, Hashable, Comparable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
        (lhs.line, lhs.column) < (rhs.line, rhs.column)
    }
}

struct Token {
    enum Kind: Equatable {
        case identifier
        /// A reserved word. Some have a use, the others are only refused as names.
        case keyword
        case integer
        case float
        case string
        case bytes
        /// `/name`: a slash and the characters of a segment without a space between them.
        case pathSegment
        case punctuation
        /// A quote without its partner.
        case unpairedQuote
        case end
    }

    let kind: Kind
    /// As written. Of the end `<EOF>`.
    let text: String
    let position: SourcePosition

    func `is`(_ punctuation: String) -> Bool { kind == .punctuation && text == punctuation }
    /// Whether nothing lies between a token of one character and this one.
    func follows(_ other: Token) -> Bool {
        position.line == other.position.line && position.column == other.position.column + 1
    }

    func isKeyword(_ word: String) -> Bool { kind == .keyword && text == word }

    static let usedKeywords: Set<String> = [
        "allow", "false", "function", "if", "import", "in", "is", "let", "match", "null", "return", "rules_version",
        "service", "true",
    ]

    static let reservedWords: Set<String> = usedKeywords.union([
        "arguments", "break", "case", "continue", "default", "deny", "do", "each", "else", "extends", "for", "goto",
        "not", "package", "switch", "then", "var", "while",
    ])
}
