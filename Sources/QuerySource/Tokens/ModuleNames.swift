// SPDX-License-Identifier: Apache-2.0

/// What a file of JavaScript says of the names that it shares with others.
struct ModuleNames {
    /// Whether other files see only what the file exports. A script shares all its names.
    private(set) var isModule = false
    /// Names that it exports elsewhere than where it declares them.
    private(set) var exported: Set<String> = []
    /// Names that it takes from packages. Constants of the program's own files may have the same names.
    private(set) var fromPackages: Set<String> = []

    /// - Parameter isOwn: whether a module is a file of the program.
    init(_ tokens: [Token], _ language: Language, isOwn: (String) -> Bool = ModuleNames.isOwn) {
        guard language.name == "javascript" else { return }
        var depth = 0
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .mark where ["(", "[", "{"].contains(token.text): depth += 1
            case .mark where [")", "]", "}"].contains(token.text): depth = max(0, depth - 1)
            case .name: readWord(tokens[index...], depth)
            case .string:
                guard let names = ModuleNames.list(before: index, tokens), !isOwn(token.text) else { continue }
                fromPackages.formUnion(names.filter { $0.kind == .name }.map(\.text))
            default: break
            }
        }
    }

    /// Reads what begins with a word, such as `export { A }` and `exports.A = …`.
    private mutating func readWord(_ tokens: ArraySlice<Token>, _ depth: Int) {
        let rest = tokens.dropFirst().prefix(2)
        guard let word = tokens.first, let next = rest.first, let second = rest.last else { return }
        switch word.text {
        case "import" where depth == 0: isModule = true
        case "export" where depth == 0:
            isModule = true
            if next.isMark("{") { readList(tokens.dropFirst(2)) }
            if next.isName("default") || next.isMark("="), second.kind == .name { exported.insert(second.text) }
        case "require" where next.isMark("("): isModule = true
        case "exports":
            isModule = true
            if next.isMark("."), second.kind == .name { exported.insert(second.text) }
            if next.isMark("=") { readValue(ModuleNames.withoutFreeze(tokens.dropFirst(2))) }
        default: break
        }
    }

    private static func withoutFreeze(_ tokens: ArraySlice<Token>) -> ArraySlice<Token> {
        tokens.prefix(4).map(\.text) == ["Object", ".", "freeze", "("] ? tokens.dropFirst(4) : tokens
    }

    /// The value of `module.exports`.
    private mutating func readValue(_ tokens: ArraySlice<Token>) {
        guard let first = tokens.first else { return }
        if first.kind == .name { exported.insert(first.text) }
        if first.isMark("{") { readList(tokens.dropFirst()) }
    }

    /// Names up to the first brace. What `A as B` exports has another name here.
    private mutating func readList(_ tokens: ArraySlice<Token>) {
        var rest = tokens
        while let token = rest.popFirst(), !token.isMark("{"), !token.isMark("}") {
            guard token.kind == .name else { continue }
            if rest.first?.isName("as") == true, rest.dropFirst().first?.isName("default") == false {
                rest = rest.dropFirst(2)
            } else {
                exported.insert(token.text)
            }
        }
    }

    /// Whether a module is a file of the program, by its path or by a short name for a folder.
    static func isOwn(_ module: String) -> Bool {
        [".", "/", "@/", "~", "#", "$"].contains { module.hasPrefix($0) }
    }

    /// The names, and the marks between them, before `from "module"` and before `= require("module")`.
    static func list(before module: Int, _ tokens: [Token]) -> ArraySlice<Token>? {
        guard module >= 3 else { return nil }
        if tokens[module - 1].isName("from") { return list(before: module - 1, tokens, after: ["import"]) }
        guard tokens[module - 1].isMark("("), ["require", "import"].contains(tokens[module - 2].text) else {
            return nil
        }
        var equals = module - 3
        if equals > 0, tokens[equals].isName("await") { equals -= 1 }
        guard tokens[equals].isMark("=") else { return nil }
        return list(before: equals, tokens, after: ["const", "let", "var"])
    }

    /// What is between one of the words and a place, if nothing but a list of names is there.
    private static func list(before end: Int, _ tokens: [Token], after words: [String]) -> ArraySlice<Token>? {
        for index in tokens[..<end].indices.reversed() {
            let token = tokens[index]
            if token.kind == .name, words.contains(token.text) { return tokens[(index + 1)..<end] }
            if token.kind != .name, token.kind != .mark || ![",", ":", "{", "}", "*"].contains(token.text) {
                return nil
            }
        }
        return nil
    }
}
