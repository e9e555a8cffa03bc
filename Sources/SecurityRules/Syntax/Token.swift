// SPDX-License-Identifier: Apache-2.0

package import JSONText

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

extension LineMap {
    package func offset(of position: SourcePosition) -> Int {
        offset(of: Position(line: position.line, column: position.column))
    }
}

struct Token {
    let kind: TokenKind
    /// The bytes of the source that it is.
    let start: Int
    let end: Int
    let position: SourcePosition

    /// Whether nothing lies between another token and this one.
    func follows(_ other: Token) -> Bool { start == other.end }
}

/// The bytes of a source.
struct RuleSource: Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func text(of token: Token) -> String { text(token.start, token.end) }

    func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }
}
