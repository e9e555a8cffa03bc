// SPDX-License-Identifier: Apache-2.0

/// Variables and fields that are declared without a value, as in `private Query query;`. What sets them is elsewhere.
extension Reader {
    /// - Parameter isDeclared: whether a word such as `var` stood before.
    /// - Returns: nil if this is no such declaration.
    mutating func unsetVariables(_ isDeclared: Bool) -> [Statement]? {
        guard current.kind == .name else { return nil }
        var index = position
        if !isDeclared || (language.hasLeadingTypes && peek(1).kind == .name) {
            guard language.hasLeadingTypes, !Reader.otherWords.contains(current.text) else { return nil }
            index = afterType(position)
        }
        var names: [Statement] = []
        while index < limit, tokens[index].kind == .name, !tokens[index].startsLine || index == position {
            names.append(.unset(tokens[index].text))
            guard let after = afterAnnotation(index + 1) else { return nil }
            index = after
            guard index < limit, tokens[index].isMark(",") else { break }
            index += 1
        }
        guard !names.isEmpty, isOver(index, isDeclared) else { return nil }
        position = min(index, limit)
        return names
    }

    /// Words before a name that is no variable.
    private static let otherWords: Set<String> = [
        "return", "throw", "await", "yield", "new", "import", "using", "namespace", "package", "library", "part",
        "export",
        "assert", "goto", "case", "delete", "else", "typedef",
    ]

    /// After the type of a variable whose name ends before the index; nil if the language demands one that is missing.
    private func afterAnnotation(_ index: Int) -> Int? {
        switch language.name {
        case "swift", "kotlin":
            return index < limit && tokens[index].isMark(":") ? afterType(index + 1) : nil
        case "javascript":
            let marked = index < limit && ["!", "?"].contains(tokens[index].text) ? index + 1 : index
            return marked < limit && tokens[marked].isMark(":") ? afterType(marked + 1) : marked
        case "go":
            guard index < limit, !tokens[index].startsLine else { return nil }
            let type = tokens[index].isMark("*") ? index + 1 : index
            let after = afterType(type)
            return after > type ? after : nil
        default: return index
        }
    }

    /// Whether a declaration ends before the index.
    private func isOver(_ index: Int, _ isDeclared: Bool) -> Bool {
        guard index < limit else { return isDeclared }
        return tokens[index].isMark(";")
            || (isDeclared && !language.hasLeadingTypes && tokens[index].startsLine && tokens[index].text != ".")
    }
}
