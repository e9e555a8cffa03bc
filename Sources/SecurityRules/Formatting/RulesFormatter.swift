// SPDX-License-Identifier: Apache-2.0

/// Writes a source in its canonical form: the style of the official documentation, two spaces a level, a declaration a
/// line. Comments stay, and so do the line breaks of conditions and single blank lines.
package struct RulesFormatter {
    private let tokens: [SourceToken]
    private var index = 0
    private var writer = RulesWriter()

    /// - Returns: nil if the source does not compile; ``RuleSet/compile(_:)`` says why.
    package static func formatted(_ source: String) -> String? {
        guard Parser.parse(source).tree != nil else { return nil }
        var formatter = RulesFormatter(tokens: SourceToken.all(source))
        formatter.formatAll()
        return formatter.writer.text
    }

    private init(tokens: [SourceToken]) { self.tokens = tokens }

    private var current: SourceToken { tokens[index] }
    private var following: SourceToken { tokens[min(index + 1, tokens.count - 1)] }

    private mutating func formatAll() {
        while current.kind != .end {
            if current.is("}") {
                writer.indent -= 1
                writer.beginLine(current, mayHaveBlank: false)
                write()
                writer.takeTrailing(current)
                writer.endLine()
            } else {
                formatDeclaration()
            }
        }
        writer.finish(current)
    }

    private mutating func formatDeclaration() {
        writer.beginLine(current, mayHaveBlank: true)
        switch current.text {
        case "service":
            write()
            while !current.is("{"), current.kind != .end {
                write(isSpaced: !current.is(".") && !tokens[index - 1].is("."))
            }
            openBlock()
        case "match":
            write()
            formatPath()
            openBlock()
        case "function":
            write()
            formatHeader()
            openBlock()
        default: formatStatement()
        }
    }

    private mutating func write(isSpaced: Bool = false) {
        writer.write(current, isSpaced: isSpaced, isBroken: false)
        index += 1
    }

    private mutating func openBlock() {
        write(isSpaced: true)
        writer.indent += 1
        writer.isAfterOpening = true
        writer.takeTrailing(current)
    }

    /// The path of a match, up to its brace.
    private mutating func formatPath() {
        var isFirst = true
        while current.kind != .end {
            let isBlock = current.is("{") && !tokens[index - 1].is("/")
            if isBlock { return }
            write(isSpaced: isFirst)
            isFirst = false
        }
    }

    /// A function's name and parameters.
    private mutating func formatHeader() {
        while !current.is("{"), current.kind != .end {
            let before = tokens[index - 1]
            write(isSpaced: before.text == "function" || before.is(","))
        }
    }

    /// `allow`, `let`, `return` or the version, with a semicolon whether the source has one or not.
    private mutating func formatStatement() {
        let start = index
        var layout = ExpressionLayout(tokens, start)
        while !layout.isAtEnd(index) {
            layout.place(index)
            index += 1
            if tokens[index].kind == .end { break }
        }
        layout.breakIfLong(column: writer.column)
        for (offset, placement) in layout.placements.enumerated() {
            writer.write(
                tokens[start + offset], isSpaced: placement.isSpaced, isBroken: placement.isBroken,
                depth: placement.depth)
        }
        writer.write(";")
        if current.is(";") {
            // Its comments come after it.
            writer.takeComments(current)
            index += 1
        }
        writer.takeTrailing(current)
        writer.endLine()
    }
}
