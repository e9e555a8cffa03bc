// SPDX-License-Identifier: Apache-2.0

/// Where the tokens of a statement go: with a space, tight, or on a new line.
struct ExpressionLayout {
    struct Placement {
        var isSpaced: Bool
        var isBroken: Bool
        /// How many brackets are open around the token.
        var depth: Int
    }

    private enum Bracket {
        case parenthesis, list, index, map, capture, binding
    }

    static let longestLine = 100

    private let tokens: [SourceToken]
    private let start: Int
    private(set) var placements: [Placement] = []
    private var brackets: [Bracket] = []
    /// How many `?` wait for their `:`, for each open bracket and the outside.
    private var questions = [0]
    /// Whether the next token belongs to an operator with one operand.
    private var isAfterPrefix = false
    /// Whether the statement's `if` or its first word is behind.
    private var isInCondition = false

    init(_ tokens: [SourceToken], _ start: Int) {
        self.tokens = tokens
        self.start = start
        isInCondition = tokens[start].text != "allow"
    }

    private static let declarations: Set<String> = [
        "allow", "match", "function", "service", "let", "return", "rules_version", "import",
    ]

    /// Whether a token is behind the statement.
    func isAtEnd(_ index: Int) -> Bool {
        let token = tokens[index]
        guard index > start else { return false }
        if token.kind == .end || token.is(";") { return true }
        guard brackets.isEmpty else { return false }
        if token.is("}") { return true }
        return token.kind == .keyword && !tokens[index - 1].is(".")
            && ExpressionLayout.declarations.contains(token.text)
    }

    mutating func place(_ index: Int) {
        let token = tokens[index]
        guard index > start else { return placements.append(Placement(isSpaced: false, isBroken: false, depth: 0)) }
        let before = tokens[index - 1]
        let wasPrefix = isAfterPrefix
        isAfterPrefix = false
        let isSpaced = !wasPrefix && isSpaced(token, after: before, index)
        let closes = token.is(")") || token.is("]") || (token.is("}") && !brackets.isEmpty)
        if closes {
            brackets.removeLast()
            questions.removeLast()
        }
        placements.append(
            Placement(isSpaced: isSpaced, isBroken: isBroken(index), depth: brackets.count))
        open(token, after: before)
        if isLogical(token) { return }
        isAfterPrefix = token.is("!") || (token.is("-") && !endsOperand(before))
        if token.is("?") { questions[questions.count - 1] += 1 }
        if token.is(":"), questions[questions.count - 1] > 0 { questions[questions.count - 1] -= 1 }
        if token.isKeyword("if") { isInCondition = true }
    }

    private mutating func open(_ token: SourceToken, after before: SourceToken) {
        let bracket: Bracket
        switch token.text {
        case "(" where token.kind == .punctuation: bracket = .parenthesis
        case "$(" where token.kind == .punctuation: bracket = .binding
        case "[" where token.kind == .punctuation: bracket = endsOperand(before) ? .index : .list
        case "{" where token.kind == .punctuation:
            bracket = before.is("/") && token.isAdjacent ? .capture : .map
        default: return
        }
        brackets.append(bracket)
        questions.append(0)
    }

    // MARK: Lines

    private func isLogical(_ token: SourceToken) -> Bool { token.is("&&") || token.is("||") }

    /// Lines are broken where the source breaks them, but before `&&` and `||` instead of after, and never where a
    /// statement is one word with the next.
    private func isBroken(_ index: Int) -> Bool {
        guard isInCondition else { return false }
        let token = tokens[index]
        let before = tokens[index - 1]
        if isLogical(token) { return token.startsLine || tokens[index + 1].startsLine }
        if isLogical(before) || isAfterPrefix { return false }
        if isPathPart(token, after: before) || token.is(",") || token.is(".") && !token.startsLine { return false }
        if before.is("."), token.linesBefore > 0 { return false }
        return token.startsLine
    }

    /// Breaks a statement in one line before its outermost `&&` and `||` if it is too long.
    mutating func breakIfLong(column: Int) {
        guard !placements.contains(where: \.isBroken) else { return }
        var length = column + 1
        for (offset, placement) in placements.enumerated() {
            let token = tokens[start + offset]
            if !token.comments.isEmpty { return }
            length += token.text.unicodeScalars.count + (placement.isSpaced ? 1 : 0)
        }
        guard length > ExpressionLayout.longestLine else { return }
        for offset in placements.indices where placements[offset].depth == 0 && isLogical(tokens[start + offset]) {
            placements[offset].isBroken = true
        }
    }

    // MARK: Spaces

    private func endsOperand(_ token: SourceToken) -> Bool {
        switch token.kind {
        case .identifier, .literal, .pathSegment: true
        case .keyword: !["in", "is", "if", "return"].contains(token.text)
        case .punctuation: [")", "]", "}"].contains(token.text)
        case .end: false
        }
    }

    private func isPathPart(_ token: SourceToken, after before: SourceToken) -> Bool {
        if token.kind == .pathSegment { return isInPath(before) }
        guard before.is("/") else { return false }
        return token.is("$(") || (token.is("{") && token.isAdjacent)
    }

    private func isSpaced(_ token: SourceToken, after before: SourceToken, _ index: Int) -> Bool {
        let next = tokens[index + 1]
        let opener = before.is("(") || before.is("[") || before.is("$(") || (before.is("{") && !brackets.isEmpty)
        if opener || before.is(".") || isPathPart(token, after: before) { return false }
        if brackets.last == .capture { return false }
        // A segment would take them in.
        if before.kind == .pathSegment, token.is(".") || token.is(":") { return true }
        switch token.text {
        case ")", "]", ",", ".", ";": return token.kind != .punctuation
        case "}": return false
        case "(": return !(before.kind == .identifier || isMember(index - 1)) || before.text == "if"
        case "[": return !endsOperand(before)
        case "/" where next.is("$(") || (next.is("{") && next.isAdjacent): return !isInPath(before)
        case ":": return isTernary
        default: break
        }
        if before.is(":"), brackets.last == .index, lastColonWasRange(index - 1) { return false }
        return true
    }

    private func isInPath(_ before: SourceToken) -> Bool {
        before.kind == .pathSegment || before.is("}") || before.is(")")
    }

    /// Whether a keyword is the name of a member or a method.
    private func isMember(_ index: Int) -> Bool { index > start && tokens[index - 1].is(".") }

    private var isTernary: Bool { questions[questions.count - 1] > 0 }

    private func lastColonWasRange(_ index: Int) -> Bool { !placements[index - start].isSpaced }
}
