// SPDX-License-Identifier: Apache-2.0

/// What decides between two ways, as far as it tells which of several such ways exclude each other.
struct Condition {
    /// What is tested: the text of the condition, or of the value that is compared with a constant.
    var subject: String
    /// The constant that the value has where the test holds.
    var constant: String?
    /// Whether the first way is that where the test fails.
    var isNegated = false
    /// The names in it, without those that it declares: its text means something else once they are assigned.
    let names: [String]

    var negated: Condition {
        var result = self
        result.isNegated.toggle()
        return result
    }
}

extension Reader {
    /// The condition that some tokens are; nil if they are many.
    func condition(_ start: Int, _ end: Int) -> Condition? {
        guard start < end, end - start < 30 else { return nil }
        var part = tokens[start..<end]
        let isNot = part[start].kind != .string && ["!", "not"].contains(part[start].text)
        let isNegated = isNot && end - start > 1 && operators(part.dropFirst()).isEmpty
        if isNegated { part = part.dropFirst() }
        var result = Condition(subject: text(part), isNegated: isNegated, names: names(part))
        guard let (subject, constant, isEqual) = equality(part) else { return result }
        // Constants of different kinds may be equal where the language converts them.
        result.subject = "\(text(subject)) == \(constant.kind)"
        result.constant = text(constant)
        if !isEqual { result.isNegated.toggle() }
        return result
    }

    private func text(_ tokens: ArraySlice<Token>) -> String {
        tokens.map { $0.kind == .string ? "'\($0.text)'" : $0.text }.joined(separator: " ")
    }

    private func names(_ tokens: ArraySlice<Token>) -> [String] {
        let names = tokens.filter { $0.kind == .name }.map(\.text)
        guard let equals = tokens.lastIndex(where: { $0.isMark("=") || $0.isMark(":=") }) else { return names }
        let declared = Set(tokens[..<equals].map(\.text))
        return names.filter { !declared.contains($0) }
    }

    /// The indices of operators outside brackets.
    private func operators(_ tokens: ArraySlice<Token>) -> [Int] {
        var depth = 0
        var result: [Int] = []
        for (index, token) in zip(tokens.indices, tokens) where token.kind != .string {
            switch token.text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: if depth == 0, Reader.operators.contains(token.text) { result.append(index) }
            }
        }
        return result
    }

    private static let operators: Set<String> = [
        "&&", "||", "??", "?:", "?", ":", "=", ":=", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "+", "-", "*", "/",
        "%", "!", "&", "|", "->", "=>", ";", ",", "and", "or", "not", "in", "is", "as", "if", "else", "instanceof",
        "let", "var", "val",
    ]

    /// A value that is compared with a constant: by an operator, or as in `sort.equals("old")`.
    private func equality(
        _ tokens: ArraySlice<Token>
    ) -> (subject: ArraySlice<Token>, constant: ArraySlice<Token>, isEqual: Bool)? {
        let found = operators(tokens)
        var sides: (ArraySlice<Token>, ArraySlice<Token>)
        var isEqual = true
        if found.count == 1, ["==", "===", "!=", "!=="].contains(self.tokens[found[0]].text) {
            sides = (tokens[..<found[0]], tokens[(found[0] + 1)...])
            isEqual = self.tokens[found[0]].text.hasPrefix("=")
        } else if found.isEmpty,
            let call = tokens.lastIndex(where: { ["equals", "Equals"].contains($0.text) && $0.kind == .name }),
            call - 1 > tokens.startIndex, call + 2 < tokens.endIndex, self.tokens[call - 1].isMark("."),
            self.tokens[call + 1].isMark("("), matches[call + 1] == tokens.endIndex - 1
        {
            sides = (tokens[..<(call - 1)], tokens[(call + 2)..<(tokens.endIndex - 1)])
        } else {
            return nil
        }
        if !isConstant(sides.1) { sides = (sides.1, sides.0) }
        guard isConstant(sides.1), !sides.0.isEmpty else { return nil }
        return (sides.0, sides.1, isEqual)
    }

    /// A literal, or a member of a type.
    private func isConstant(_ tokens: ArraySlice<Token>) -> Bool {
        guard let first = tokens.first else { return false }
        if tokens.count == 1 { return first.kind == .string || first.kind == .number }
        if first.isMark(".") { return tokens.count == 2 && tokens[tokens.startIndex + 1].kind == .name }
        let isType = first.kind == .name && first.text.first?.isUppercase == true
        return isType && tokens.allSatisfy { $0.kind == .name || language.memberMarks.contains($0.text) }
    }
}

extension ArraySlice<Token> {
    fileprivate var kind: String {
        switch first?.kind {
        case .string: "string"
        case .number: "number"
        default: "name"
        }
    }
}
