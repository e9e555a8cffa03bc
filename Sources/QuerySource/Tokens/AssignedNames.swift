// SPDX-License-Identifier: Apache-2.0

/// What a file assigns to beside declarations, so that it is no constant.
struct AssignedNames {
    /// Variables by themselves, as in `KIND = kind`.
    private(set) var variables: Set<String> = []
    /// Members with their owners, as in `Config.path = path`.
    private(set) var members = AssignedMembers()
    /// Members of an object's own, as in `this.path = path`.
    private(set) var own: Set<String> = []
    /// Variables of the file to which functions of Python assign.
    private(set) var outer: Set<String> = []

    init(_ tokens: [Token], _ language: Language) {
        for index in tokens.indices.dropFirst() {
            let (token, last) = (tokens[index], tokens[index - 1])
            if AssignedNames.assigns(token) {
                addAssigned(before: index, tokens, language.memberMarks)
            } else if last.kind == .name, token.isMark("("),
                AssignedNames.changes[language.name]?.contains(last.text) == true
            {
                addChanged(by: index, tokens, language)
            } else if language.name == "python", last.isName("global") {
                outer.formUnion(tokens[index...].prefix(64).prefix { $0.kind == .name || $0.isMark(",") }.map(\.text))
            }
        }
    }

    /// Those that may give what is there already another value.
    static let marks: Set<String> = ["=", "+=", ".=", "??=", "||=", "&&="]

    private static func assigns(_ token: Token) -> Bool { token.kind == .mark && marks.contains(token.text) }

    private mutating func addAssigned(before end: Int, _ tokens: [Token], _ marks: Set<String>) {
        if tokens[end - 1].kind == .name {
            let chain = AssignedNames.chain(before: end, tokens, marks)
            if AssignedNames.exports(chain, tokens[end...]) { return }
            add(chain, isNew: AssignedNames.isNew(end - 1, tokens))
        } else if tokens[end - 1].isMark("]") {
            addElement(before: end - 1, tokens, marks)
        }
    }

    /// Whether it is `exports.USERS = USERS`, which gives the member no other value.
    private static func exports(_ chain: [String], _ tokens: ArraySlice<Token>) -> Bool {
        guard chain.count > 1, chain[chain.count - 2] == "exports", let value = tokens.dropFirst().first,
            value.kind == .name, value.text == chain.last
        else { return false }
        guard let next = tokens.dropFirst(2).first else { return true }
        return next.startsLine || next.isMark(";")
    }

    /// `NAMES["users"] = …`, or any element.
    private mutating func addElement(before close: Int, _ tokens: [Token], _ marks: Set<String>) {
        guard var open = AssignedNames.open(before: close, tokens) else { return }
        let key = close == open + 2 && tokens[open + 1].kind == .string ? tokens[open + 1].text : nil
        var isNested = false
        while open > 0, tokens[open - 1].isMark("]"), let outer = AssignedNames.open(before: open - 1, tokens) {
            (open, isNested) = (outer, true)
        }
        guard open > 0, tokens[open - 1].kind == .name, !tokens[open].startsLine else { return }
        let owner = AssignedNames.chain(before: open, tokens, marks)
        if let key, !isNested { members.insert(owner + [key]) } else { members.insert(owner: owner) }
    }

    /// The index of the bracket that the one at an index closes. No index of a constant has more tokens.
    private static func open(before close: Int, _ tokens: [Token]) -> Int? {
        var depth = 0
        for index in (max(0, close - 16)...close).reversed() where tokens[index].kind == .mark {
            if tokens[index].text == "]" { depth += 1 }
            if tokens[index].text == "[" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    /// The last names of calls that may change what they are called on, or get.
    private static let changes: [String: Set<String>] = [
        "python": ["update", "setdefault", "pop", "popitem", "clear"], "javascript": ["assign"],
    ]

    /// `NAMES.update(…)` of Python, and JavaScript's `Object.assign(NAMES, …)`.
    private mutating func addChanged(by open: Int, _ tokens: [Token], _ language: Language) {
        let chain = AssignedNames.chain(before: open, tokens, language.memberMarks)
        guard language.name == "javascript" else {
            if chain.count > 1 { members.insert(owner: Array(chain.dropLast())) }
            return
        }
        guard chain == ["Object", "assign"],
            let end = tokens[(open + 1)...].prefix(16).firstIndex(where: { $0.isMark(",") || $0.isMark(")") }),
            tokens[end - 1].kind == .name
        else { return }
        members.insert(owner: AssignedNames.chain(before: end, tokens, language.memberMarks))
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
            members.insert(chain)
        }
    }
}
