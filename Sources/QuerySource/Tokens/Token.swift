// SPDX-License-Identifier: Apache-2.0

/// A token of any of the languages.
struct Token {
    enum Kind {
        /// A name or a keyword. In PHP, a variable has its `$`, and a qualified name is its last part.
        case name
        /// A string without interpolation; `text` is its value.
        case string
        /// A string with interpolation; see ``pieces``.
        case template
        case number
        /// Punctuation and operators.
        case mark
        case end
    }

    enum Piece {
        case text(String)
        case code([Token])
    }

    let kind: Kind
    let text: String
    /// The offset of its first byte in the source.
    let offset: Int
    /// Whether it is the first of its line.
    let startsLine: Bool
    /// The distance from the start of the line, in bytes.
    let column: Int
    var pieces: [Piece] = []

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    func isName(_ name: String) -> Bool { kind == .name && text == name }
}

/// A line that tells the compiler what to read, such as `#if DEBUG`.
struct ConditionalLine {
    let offset: Int
    /// `#if`, `#elseif`, `#else` or `#endif`.
    let word: String
    /// All of it but a comment.
    let text: String
}

/// A comment that begins with `hearth:`, such as `// hearth: collection=users`.
struct Directive {
    /// Where the comment begins.
    let offset: Int
    let text: String
}
