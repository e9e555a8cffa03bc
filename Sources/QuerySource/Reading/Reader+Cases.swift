// SPDX-License-Identifier: Apache-2.0

/// `switch` and what is like it.
extension Reader {
    /// The cases of a `switch` or `when`.
    ///
    /// - Parameter areValues: whether each case is to give a value, so that none runs into the next one.
    mutating func cases(areValues: Bool = false) -> Statement {
        advance()
        let (head, _) = header()
        guard current.isMark("{") else { return .block(head) }
        let (cases, isComplete) = bracketed { reader in reader.caseBodies(areValues) }
        return .block(head + [.branch(cases, isComplete: isComplete, condition: nil)])
    }

    private mutating func caseBodies(_ areValues: Bool) -> ([[Statement]], Bool) {
        var cases: [[Statement]] = []
        var isComplete = false
        var fallsThrough = !areValues && ["javascript", "java", "php"].contains(language.name)
        while !isAtEnd {
            let before = position
            if let start = labelEnd() {
                if current.isName("default") || current.isName("else") || current.isName("_") { isComplete = true }
                position = start
                fallsThrough = fallsThrough && tokens[start - 1].isMark(":")
                cases.append([])
            } else {
                if cases.isEmpty { cases.append([]) }
                cases[cases.count - 1] += statement()
            }
            if position == before { advance() }
        }
        // Where no statements are left, a case does nothing. In Go each case is by itself.
        let hasNothing = language.name == "go" ? cases.contains(where: \.isEmpty) : cases.last?.isEmpty == true
        // Constants are looked for without following, and each body has its own.
        if fallsThrough, readsBodies { cases = fallingThrough(cases) }
        return (cases.filter { !$0.isEmpty }, isComplete && !hasNothing)
    }

    /// More cases in a row do not run into each other.
    private static let maximumFall = 16

    /// Each body with the next one behind it, if nothing such as `break` ends it.
    private mutating func fallingThrough(_ bodies: [[Statement]]) -> [[Statement]] {
        var result = bodies
        var next: (body: [Statement], length: Int) = ([], 0)
        for index in bodies.indices.reversed() where !bodies[index].isEmpty {
            var length = 1
            if !next.body.isEmpty, !Reader.leaves(bodies[index]) {
                if next.length < Reader.maximumFall {
                    result[index].append(.block(next.body))
                    length += next.length
                } else {
                    cut = cut ?? tokens[position].offset
                }
            }
            next = (result[index], length)
        }
        return result
    }

    /// Whether what stands behind statements does not run.
    private static func leaves(_ statements: [Statement], _ depth: Int = 0) -> Bool {
        guard let last = statements.last, depth < 8 else { return false }
        switch last {
        case .exit: return true
        case .block(let inner): return leaves(inner, depth + 1)
        case .branch(let ways, true, _): return ways.allSatisfy { leaves($0, depth + 1) }
        case .attempt(let body, let handlers, let last):
            return leaves(last, depth + 1) || ([body] + handlers).allSatisfy { leaves($0, depth + 1) }
        default: return false
        }
    }

    /// After the label of a case that begins here.
    private func labelEnd() -> Int? {
        let arrows = ["->", "=>"]
        let isLabel = current.isName("case") || current.isName("default")
        let follows = ["{", ","].contains(tokens[position - 1].text)
        guard isLabel || current.startsLine || current.isName("else") || follows else { return nil }
        guard isLabel || ["kotlin", "php", "csharp", "dart"].contains(language.name) else { return nil }
        guard
            let end = find(
                from: position,
                { index in
                    let token = tokens[index]
                    return token.kind == .mark && (arrows.contains(token.text) || (isLabel && token.text == ":"))
                },
                until: { index in
                    let token = tokens[index]
                    return [";", "=", "{"].contains(token.text) && token.kind == .mark
                        || (token.startsLine && index > position && tokens[index - 1].text != ",")
                })
        else { return nil }
        return end + 1
    }
}
