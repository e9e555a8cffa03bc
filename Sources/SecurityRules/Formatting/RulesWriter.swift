// SPDX-License-Identifier: Apache-2.0

/// Collects lines.
struct RulesWriter {
    private(set) var text = ""
    private var line = ""
    /// Levels of two spaces.
    var indent = 0
    /// No blank line comes first in a block, nor in the file.
    var isAfterOpening = true
    /// Comments of the next token that were written with the token before.
    private var taken = 0
    /// Whether a comment ended the line within a statement.
    private var mustBreak = false

    /// Where the next token of the line would be.
    var column: Int { line.isEmpty ? indent * 2 : line.unicodeScalars.count }

    mutating func endLine() {
        guard !line.isEmpty else { return }
        text += line + "\n"
        line = ""
        mustBreak = false
    }

    private mutating func start(_ levels: Int) { line = String(repeating: "  ", count: levels) }

    /// Begins the line of a declaration or of a closing brace, after the comments before it.
    mutating func beginLine(_ token: SourceToken, mayHaveBlank: Bool) {
        endLine()
        let comments = token.comments.dropFirst(taken)
        let level = mayHaveBlank ? indent : indent + 1
        for comment in comments {
            if comment.linesBefore > 1, !isAfterOpening { text += "\n" }
            start(level)
            line += comment.text
            endLine()
            isAfterOpening = false
        }
        if mayHaveBlank, token.linesBefore > 1, !isAfterOpening { text += "\n" }
        isAfterOpening = false
        taken = token.comments.count
        start(indent)
    }

    mutating func write(_ words: String) { line += words }

    /// - Parameters:
    ///   - isBroken: whether a new line begins with the token.
    ///   - depth: how many brackets are open around it.
    mutating func write(_ token: SourceToken, isSpaced: Bool, isBroken: Bool, depth: Int = 0) {
        for comment in token.comments.dropFirst(taken) { write(comment, depth) }
        let hasComments = token.comments.count > taken
        taken = 0
        if isBroken || mustBreak {
            if !line.allSatisfy({ $0 == " " }) { endLine() }
            start(indent + 1 + depth)
        } else if isSpaced || hasComments, !line.allSatisfy({ $0 == " " }) {
            line += " "
        }
        mustBreak = false
        line += token.text
    }

    /// A comment between two tokens of a statement.
    private mutating func write(_ comment: SourceToken.Comment, _ depth: Int) {
        if comment.linesBefore > 0 || mustBreak {
            if !line.allSatisfy({ $0 == " " }) { endLine() }
            start(indent + 1 + depth)
        } else if !line.allSatisfy({ $0 == " " }) {
            line += " "
        }
        line += comment.text
        mustBreak = comment.endsLine || comment.text.contains("\n")
    }

    /// Writes the comments before a token that stand in the line of the token before it.
    mutating func takeTrailing(_ token: SourceToken) {
        taken = 0
        guard !line.isEmpty else { return }
        for comment in token.comments {
            guard comment.linesBefore == 0 else { break }
            line += " " + comment.text
            taken += 1
            if comment.endsLine { break }
        }
    }

    /// Writes all comments before a token at the end of the line.
    mutating func takeComments(_ token: SourceToken) {
        for comment in token.comments {
            if mustBreak {
                endLine()
                start(indent)
            } else {
                line += " "
            }
            line += comment.text
            mustBreak = comment.endsLine
        }
        if mustBreak { endLine() }
    }

    mutating func finish(_ end: SourceToken) {
        endLine()
        indent = 0
        beginLine(SourceToken(kind: .end, text: "", comments: end.comments), mayHaveBlank: true)
        line = ""
    }
}
