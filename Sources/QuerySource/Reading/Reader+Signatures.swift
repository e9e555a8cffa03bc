// SPDX-License-Identifier: Apache-2.0

/// Members of TypeScript's types that have neither a value nor a body: fields such as `users: Array<User>`, methods that are
/// abstract, and overloads. Where no semicolon ends one, only its type tells where the next member begins.
extension Reader {
    /// Whether one begins here; the position is behind it then.
    mutating func skipSignature() -> Bool {
        guard language.name == "javascript", isInType, var index = afterMemberName else { return false }
        if index < limit, tokens[index].isMark("?") || tokens[index].isMark("!") { index += 1 }
        index = afterGenerics(index) ?? index
        if index < limit, tokens[index].isMark("(") { index = matches[index] + 1 }
        guard index < limit, tokens[index].isMark(":") else { return false }
        index = afterResult(index + 1)
        guard index >= limit || endsSignature(index) else { return false }
        position = min(index, limit)
        return true
    }

    /// After the name of the member that begins here, such as `users`, `#users`, `'users'`, `[key: string]` or `get users`.
    private var afterMemberName: Int? {
        var index = position
        if index < limit, tokens[index].isMark("#") { index += 1 }
        if index + 1 < limit, tokens[index].isName("get") || tokens[index].isName("set"),
            tokens[index + 1].kind == .name, !tokens[index + 1].startsLine
        {
            index += 1
        }
        guard index < limit else { return nil }
        switch tokens[index].kind {
        case .name, .string, .number: return index + 1
        case .mark where tokens[index].text == "[": return matches[index] + 1
        default: return nil
        }
    }

    /// Whether what has a type before the index has no value and no body.
    private func endsSignature(_ index: Int) -> Bool {
        let token = tokens[index]
        guard token.kind == .mark else { return token.startsLine }
        return token.text == ";" || (token.startsLine && ["[", "#", "@", "*"].contains(token.text))
    }
}
