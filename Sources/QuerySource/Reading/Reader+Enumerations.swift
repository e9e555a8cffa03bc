// SPDX-License-Identifier: Apache-2.0

/// Enumerations, whose cases may be names of collections and fields.
extension Reader {
    /// What the cases of an enumeration stand for.
    enum EnumerationValues {
        case none
        /// Texts, by default their names, as in Swift's `enum Names: String`.
        case texts
        /// Objects with these members, as in Kotlin's `enum class Names(val path: String)`.
        case objects([String])
    }

    /// - Parameters:
    ///   - start: the index behind the name of the type.
    ///   - open: the index of the brace before its cases.
    func enumerationValues(_ start: Int, _ open: Int) -> EnumerationValues {
        guard start < open else { return language.name == "kotlin" ? .objects([]) : .none }
        switch language.name {
        case "swift":
            return tokens[start].isMark(":") && tokens[start + 1].isName("String") ? .texts : .none
        case "kotlin":
            guard let list = tokens[start..<open].firstIndex(where: { $0.isMark("(") }) else { return .objects([]) }
            var reader = self
            reader.position = list
            return .objects(reader.parameters().map(\.name))
        default: return .none
        }
    }

    mutating func members(of values: EnumerationValues) -> [Statement] {
        let outer = hasTextCases
        defer { hasTextCases = outer }
        hasTextCases = if case .texts = values { true } else { false }
        guard case .objects(let names) = values else { return members() }
        return objectCases(names) + members()
    }

    /// Swift's `case users, posts = "p"`.
    mutating func textCases() -> [Statement] {
        var result: [Statement] = []
        repeat {
            advance()
            let name = current
            guard name.kind == .name else { break }
            advance()
            let value = accept("=") ? expression() : Expression(offset: name.offset, kind: .text(name.text))
            result.append(declaration(of: name.text, value, at: name.offset))
        } while !isAtEnd && current.isMark(",")
        return result
    }

    /// Kotlin's `USERS("users"), POSTS("posts") { … };`
    private mutating func objectCases(_ names: [String]) -> [Statement] {
        var result: [Statement] = []
        while !isAtEnd, !current.isMark(";") {
            if current.isMark("@") {
                result += markStatement(current)
                continue
            }
            let name = current
            guard name.kind == .name else { break }
            advance()
            var members = [Argument(label: "name", value: Expression(offset: name.offset, kind: .text(name.text)))]
            let given = current.isMark("(") ? arguments() : []
            members += zip(names, given).map { Argument(label: $1.label ?? $0, value: $1.value) }
            let value = Expression(offset: name.offset, kind: .fields(members))
            result.append(declaration(of: name.text, value, at: name.offset))
            if current.isMark("{") {
                let body = bracketed { $0.members(of: .none) }
                result.append(.type(name: nil, body, offset: name.offset))
            }
            guard accept(",") else { break }
        }
        return result
    }

    func declaration(of name: String, _ value: Expression, at offset: Int) -> Statement {
        let kind = Expression.Kind.assignment(.variable(name, isDeclared: true), value)
        return .expression(Expression(offset: offset, kind: kind))
    }
}
