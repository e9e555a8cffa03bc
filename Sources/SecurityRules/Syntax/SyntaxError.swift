// SPDX-License-Identifier: Apache-2.0

/// The first place where a source does not follow the grammar.
struct SyntaxError: Error {
    let issue: RuleIssue

    init(_ position: SourcePosition, _ text: String) {
        issue = .error(position, text)
    }

    static let missingMatch = "Missing 'match' keyword before path."
    static let misplacedSlash = "Forward slash '/' found where identifier or binding expected."

    var isAboutSlash: Bool { issue.text == SyntaxError.misplacedSlash }

    static func unexpected(_ token: Token) -> SyntaxError {
        SyntaxError(token.position, "Unexpected '\(token.text)'.")
    }

    static func mismatched(_ token: Token, expecting expected: String) -> SyntaxError {
        SyntaxError(token.position, "mismatched input '\(token.text)' expecting \(expected)")
    }

    /// The tokens that begin an expression, as the official compiler lists them.
    static let expressionStarts =
        "{'--', '++', '{', '[', '(', '-', '!', '/', 'false', 'null', 'true', PATH_SEGMENT, IDENTIFIER, NUM_INT, "
        + "NUM_FLOAT, UNPAIRED_DOUBLE_QUOTE, UNPAIRED_SINGLE_QUOTE, STRING, BYTES}"
}
