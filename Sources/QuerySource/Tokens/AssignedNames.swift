// SPDX-License-Identifier: Apache-2.0

/// What a file assigns to beside declarations, so that it is no constant.
struct AssignedNames {
    /// Variables by themselves, as in `KIND = kind`.
    private(set) var variables: Set<String> = []
    /// Members with their owners, as in `Config.path = path`.
    private(set) var members: Set<String> = []
    /// Members of an object's own, as in `this.path = path`.
    private(set) var own: Set<String> = []

    init(_ tokens: [Token], _ language: Language) {
        for index in tokens.indices.dropFirst() where AssignedNames.assigns(tokens[index]) {
            guard tokens[index - 1].kind == .name else { continue }
            let chain = AssignedNames.chain(before: index, tokens, language.memberMarks)
            add(chain, isNew: AssignedNames.isNew(index - 1, tokens))
        }
    }

    private static func assigns(_ token: Token) -> Bool {
        token.kind == .mark && ["=", "+=", ".=", "??=", "||=", "&&="].contains(token.text)
    }

    /// A name and its owners. No constant that is shared has a longer chain.
    private static func chain(before end: Int, _ tokens: [Token], _ marks: Set<String>) -> [String] {
        var index = end - 1
        var names = [tokens[index].text]
        while index >= 2, names.count < 8, tokens[index - 1].kind == .mark, marks.contains(tokens[index - 1].text),
            tokens[index - 2].kind == .name
        {
            index -= 2
            // A field of PHP has a dollar behind `::`.
            let last = names[names.count - 1]
            if last.hasPrefix("$") { names[names.count - 1] = String(last.dropFirst()) }
            names.append(tokens[index].text)
        }
        return names.reversed()
    }

    /// Whether a word or a type before the name declares it.
    private static func isNew(_ index: Int, _ tokens: [Token]) -> Bool {
        guard index > 0, !tokens[index].startsLine else { return false }
        return tokens[index - 1].kind == .name && !["else", "return", "await", "do"].contains(tokens[index - 1].text)
    }

    private mutating func add(_ chain: [String], isNew: Bool) {
        guard chain.count > 1 else {
            if !isNew { variables.insert(chain[0]) }
            return
        }
        if chain.count == 2, ["this", "self", "$this", "cls"].contains(chain[0]) {
            own.insert(chain[1])
        } else {
            members.insert(chain.joined(separator: "."))
        }
    }
}
